package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/model"
)

// missing says that the bytes for something are not there.
type missing struct{ why string }

func (m *missing) Error() string { return m.why }

// Why a cell cannot be replayed.
const (
	noCell     = "the study as it stands has no such cell"
	noCall     = "it asks a call that is not kept: the study has changed, or the run was cut short"
	noAttempt  = "no attempt of its call is kept"
	noBody     = "the body of its call is not kept"
	noAnswer   = "its call failed before there was a whole body"
	isWithheld = "its text is withheld"
	isImported = "it was imported"
	isOutside  = "its controller is another program"
)

// reading is what reading one call again gave. gap is why it could not be read.
type reading struct {
	gap     string
	differs bool
}

// calls reads each call again, once.
type calls struct {
	from   Source
	drawn  map[string]bool
	most   int
	report *Report
	known  map[string]*reading
}

// via answers with the stored call, once it has been read again. seen is told
// of every call that a cell needs.
func (c *calls) via(modelName string, seen *[]*reading) access.Via {
	return func(ctx context.Context, digest string, send access.Send) (uplift.Call, error) {
		held, found, err := c.from.Call(ctx, digest)
		if err != nil {
			return uplift.Call{}, err
		}
		r := c.known[digest]
		if r == nil {
			if r, err = c.read(ctx, modelName, digest, held, found, send); err != nil {
				return uplift.Call{}, err
			}
			c.known[digest] = r
		}
		*seen = append(*seen, r)
		switch {
		case !found:
			return uplift.Call{}, &missing{noCall}
		case held.Withheld != "":
			return uplift.Call{}, &missing{isWithheld}
		}
		return held, nil
	}
}

func (c *calls) read(ctx context.Context, modelName, digest string, held uplift.Call, found bool, send access.Send) (*reading, error) {
	switch {
	case !found:
		return &reading{gap: noCall}, nil
	case held.Withheld != "":
		return &reading{gap: isWithheld}, nil
	}
	c.report.Calls++
	r := &reading{}
	if c.drawn[cmp.Or(held.Model, modelName)] {
		got, _, err := again(ctx, send)
		return r, c.judge(r, held, got, err)
	}
	attempts, err := c.from.AttemptsOf(ctx, digest)
	if err != nil {
		return nil, err
	}
	if len(attempts) == 0 {
		r.gap = noAttempt
	}
	for i, a := range attempts {
		if err := c.attempt(ctx, r, held, a, i == len(attempts)-1, send); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// attempt reads one attempt again. Only the last one made the call; an earlier
// one that cannot be read leaves no gap.
func (c *calls) attempt(ctx context.Context, r *reading, held uplift.Call, a uplift.Attempt, last bool, send access.Send) error {
	body, gap, err := c.body(ctx, a)
	if err != nil {
		return err
	}
	if gap != "" {
		if last {
			r.gap = gap
		}
		return nil
	}
	c.report.Attempts++
	got, kind, err := again(with(ctx, a, body), send)
	if last {
		return c.judge(r, held, got, err)
	}
	if err != nil {
		return err
	}
	c.differ(r, between(fmt.Sprintf("attempt %s %d", a.Call, a.N), attemptParts(a),
		attemptParts(uplift.Attempt{Kind: string(kind), Err: got.Err, RawHash: got.RawHash})))
	return nil
}

// body finds the body of an attempt, or says why there is none.
func (c *calls) body(ctx context.Context, a uplift.Attempt) (body []byte, gap string, err error) {
	switch {
	case a.Withheld != "":
		return nil, isWithheld, nil
	case a.Status == 0 || a.Kind == string(model.Transport) || a.Kind == string(model.Timeout) && a.Status/100 == 2:
		return nil, noAnswer, nil
	case a.RawHash == "":
		return nil, noBody, nil
	}
	body, found, err := c.from.Raw(ctx, a.RawHash)
	if err == nil && !found {
		gap = noBody
	}
	return body, gap, err
}

// again sends, and makes a failure the call that a run would keep of it.
func again(ctx context.Context, send access.Send) (c uplift.Call, kind model.Kind, err error) {
	c, _, err = send(ctx)
	if e, ok := errors.AsType[*model.Error](err); ok {
		return access.Failure(e), e.Kind, nil
	}
	return c, "", err
}

// judge compares the call that was read again with the stored one.
func (c *calls) judge(r *reading, held, got uplift.Call, err error) error {
	if ctxErr := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded); err != nil && ctxErr {
		return err
	}
	of := "call " + held.Digest
	if err != nil {
		c.differ(r, []Difference{{Of: of, Field: "reply", Stored: string(held.Stop), Replayed: err.Error()}})
		return nil
	}
	c.differ(r, between(of, callParts(held), callParts(got)))
	return nil
}

func (c *calls) differ(r *reading, list []Difference) {
	r.differs = r.differs || len(list) > 0
	c.report.differ(c.most, list)
}
