package analysis

import (
	"context"
	"errors"
	"slices"

	"github.com/uplift-eval/uplift/stats"
)

// adjust makes the families, one an endpoint, and adjusts the tests of each.
// Contrasts without pairs are no members: nothing was tested. Those that were
// planned count in Holm's k all the same.
func adjust(ctx context.Context, all []contrasted, opt Options) error {
	for _, e := range opt.Endpoints {
		if err := ctx.Err(); err != nil {
			return err
		}
		var members []*contrasted
		for i := range all {
			if c := &all[i]; c.Endpoint == e.Name && c.sample != nil {
				members = append(members, c)
			}
		}
		if err := newFamily(members, e.Name, opt.Planned).adjust(ctx, opt); err != nil {
			return err
		}
	}
	return nil
}

// family is the contrasts of one endpoint that have pairs.
type family struct {
	Family
	members []*contrasted
	tested  []*contrasted // those with an interval
}

func newFamily(members []*contrasted, name string, planned int) family {
	f := family{Family: Family{Name: name, Size: len(members), Planned: planned}, members: members}
	for _, c := range members {
		if c.withheld == "" {
			f.tested = append(f.tested, c)
		}
	}
	f.Tested = len(f.tested)
	for _, c := range members {
		c.Family = new(f.Family)
	}
	return f
}

func (f family) adjust(ctx context.Context, opt Options) error {
	if err := f.holm(); err != nil {
		return err
	}
	f.stepDown(opt)
	if err := ctx.Err(); err != nil {
		return err
	}
	f.bands(opt)
	f.mixed()
	return f.floors(opt)
}

// mixed warns where a member of the locked plan is adjusted with others that are
// post hoc.
func (f family) mixed() {
	n := 0
	for _, c := range f.members {
		if marked(c.Marks, MarkPostHoc) {
			n++
		}
	}
	word := "contrasts"
	if n == 1 {
		word = "contrast"
	}
	for _, c := range f.members {
		if n > 0 && !marked(c.Marks, MarkPostHoc) {
			c.warn(CodeMixedFamily, "adjusted together with %d post hoc %s of %s: its Holm and max-t p and its band rest on that too, its own p and interval do not", n, word, f.Name)
		}
	}
}

// holm adjusts the sign-flip and the CR2 p. A member without such a p keeps its
// place with p = 1, and so does a planned contrast that is no member: neither
// makes the others smaller.
func (f family) holm() error {
	if len(f.members) == 0 {
		return nil
	}
	of := func(name string, own func(c *contrasted) *float64, set func(c *contrasted, p *float64)) error {
		adjusted, err := f.adjusted(own)
		if err != nil {
			return err
		}
		for i, c := range f.members {
			if own(c) != nil {
				set(c, new(adjusted[i]))
			} else {
				c.Undefined[name] = "it has no p of its own; in the family it counts with p = 1"
			}
		}
		return nil
	}
	if err := of("p_holm", func(c *contrasted) *float64 { return c.PSignFlip }, func(c *contrasted, p *float64) { c.PHolm = p }); err != nil {
		return err
	}
	return of("p_holm_cr2", func(c *contrasted) *float64 { return c.P }, func(c *contrasted, p *float64) { c.PHolmCR2 = p })
}

// adjusted are the members' p after Holm, over all K of the family; nil stands for 1.
func (f family) adjusted(own func(c *contrasted) *float64) ([]float64, error) {
	p := slices.Repeat([]float64{1}, f.K())
	for i, c := range f.members {
		if own(c) != nil {
			p[i] = *own(c)
		}
	}
	return stats.Holm(p)
}

// samples are the differences of the tested members.
func (f family) samples() []*stats.Clustered {
	out := make([]*stats.Clustered, len(f.tested))
	for i, c := range f.tested {
		out[i] = c.sample
	}
	return out
}

// untested says of the other members why they lack a figure, and of all when
// none is tested or the figure cannot be.
func (f family) untested(name string, err error) {
	for _, c := range f.members {
		switch {
		case c.withheld != "":
			c.Undefined[name] = c.withheld
		case err != nil:
			c.Undefined[name] = err.Error()
		}
	}
}

// stepDown gives the max-t p of the tested members, clusters flipped jointly.
func (f family) stepDown(opt Options) {
	if len(f.tested) == 0 {
		f.untested("p_max_t", nil)
		return
	}
	s, err := stats.MaxT(f.samples(), opt.Level, opt.Seed)
	f.untested("p_max_t", err)
	if err != nil {
		return
	}
	for i, c := range f.tested {
		c.PMaxT, c.MaxTMethod = new(s.P[i]), s.Method
	}
}

// errSingle is why a contrast has no band.
var errSingle = errors.New("it is the only contrast of its family with an interval")

// bands gives the simultaneous band; of a single contrast it would be an
// interval like any other, and is left out.
func (f family) bands(opt Options) {
	if len(f.tested) < 2 {
		f.untested("band", errSingle)
		return
	}
	bands, crit, err := stats.Bands(f.samples(), opt.Level, opt.Seed)
	f.untested("band", err)
	if err != nil {
		return
	}
	for i, c := range f.tested {
		c.Band = &Band{Lo: bands[i].Lo, Hi: bands[i].Hi, Critical: crit.Value, Method: crit.Method}
		c.coverBand()
	}
}
