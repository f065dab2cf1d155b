package study

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/strictyaml"
)

// rules checks what no schema says. A field that could not be read is not
// judged again: its own problem is already on the list.
func (ps *problems) rules(p *Plan, known Names) {
	if p.Conditions.Imported {
		ps.imported()
	} else {
		ps.planned(p)
	}
	ps.benchmark(p.Benchmark, known)
	ps.hazard(p)
	names := ps.models(p.Models, p.Rewriters)
	ps.conditions(p, known, names)
	ps.paces(p)
	ps.reference(p)
	ps.endpoints(p.Endpoints)
	if q := p.Quarantine; q != nil && q.A != "" && q.A == q.B {
		ps.field("quarantine.b", "is the same key as a (want two reviewers)")
	}
}

// has reports whether the file holds the field, read well or not.
func (ps *problems) has(field string) bool {
	_, ok := ps.places[field]
	return ok
}

// read reports whether the file holds the field and nothing is wrong with it.
func (ps *problems) read(field string) bool {
	return ps.has(field) && !ps.Flawed(field)
}

// imported rejects what only a run could use.
func (ps *problems) imported() {
	for _, key := range []string{"benchmark", "models", "rewriters", "reference", "limits", "raw", "replicates", "hazard", "authorisation"} {
		if ps.has(key) {
			hint := ""
			if key == "reference" {
				hint = "; uplift analyze --reference names it"
			}
			ps.field(key, "means nothing when conditions are imported (leave it out%s)", hint)
		}
	}
	if !ps.has("endpoints") {
		ps.field("endpoints", "is missing (want utility and risk with the scale that the labels bring)")
	}
}

// planned wants what a run cannot do without.
func (ps *problems) planned(p *Plan) {
	if !ps.read("conditions") {
		return
	}
	if !ps.has("benchmark") {
		ps.field("benchmark", "is missing (want {set: NAME} or {file: path})")
	}
	if !ps.has("models") {
		ps.field("models", "is missing (want a list of models, or conditions: imported)")
	}
}

// known checks a name against those that the program carries.
func (ps *problems) known(field, name string, names []string) {
	if name == "" || names == nil || slices.Contains(names, name) {
		return
	}
	ps.field(field, "unknown value %s (want %s)", quote(name), strictyaml.Or(names))
}

// models checks those under test and those that rewrite. It returns the names of
// all of them; nil when some could not be read.
func (ps *problems) models(models, rewriters []Model) []string {
	taken := make(map[string]string)
	var names []string
	whole := true
	for _, l := range []struct {
		key  string
		list []Model
	}{{"models", models}, {"rewriters", rewriters}} {
		for i, m := range l.list {
			field := fmt.Sprintf("%s[%d]", l.key, i)
			if by, twice := taken[m.Name]; twice && m.Name != "" {
				ps.field(field+".name", "%s is taken by %s", quote(m.Name), by)
			} else {
				taken[m.Name] = field
				names = append(names, m.Name)
			}
			whole = whole && m.Name != ""
			ps.model(field, m)
		}
	}
	if !whole {
		return nil
	}
	return names
}

func (ps *problems) model(field string, m Model) {
	ps.url(field+".base_url", m.BaseURL, m.Provider == OpenAI)
	switch {
	case m.Provider == "":
	case m.Provider == Sim:
		for _, key := range []string{"base_url", "key_env"} {
			if ps.has(field + "." + key) {
				ps.field(field+"."+key, "means nothing for the provider sim (leave it out)")
			}
		}
	case !ps.has(field + ".model"):
		ps.field(field+".model", "is missing (want the name that %s gives the model)", m.Provider)
	}
	if m.Provider != "" && m.Provider != OpenAI && m.API != "" {
		ps.field(field+".api", "means nothing for the provider %s (leave it out)", m.Provider)
	}
	if m.Provider != "" && m.Provider != Gemini && m.Safety != "" {
		ps.field(field+".safety", "means nothing for the provider %s (leave it out)", m.Provider)
	}
	if t := m.Sampling.Temperature; m.Provider == Anthropic && t != nil && *t > 1 {
		ps.field(field+".sampling.temperature", "is %v (want from 0 to 1 for the provider anthropic)", *t)
	}
}

// paces checks that limits are those of models that are asked.
func (ps *problems) paces(p *Plan) {
	var names []string
	for _, m := range slices.Concat(p.Models, p.Rewriters) {
		if m.Name == "" {
			return
		}
		names = append(names, m.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Limits.Models)) {
		if len(names) > 0 && !slices.Contains(names, name) {
			ps.field("limits.models."+name, "is no model (want %s)", strictyaml.Or(names))
		}
	}
}

// unique adds a problem when an earlier element has the name.
func (ps *problems) unique(first map[string]int, i int, name, list, field string) {
	if name == "" {
		return
	}
	if j, twice := first[name]; twice {
		ps.field(field+".name", "%s is taken by %s[%d]", quote(name), list, j)
		return
	}
	first[name] = i
}

// url wants an absolute address that holds no secret. A versioned one, of the openai
// form, may end
// with the version that its server wants to be asked for.
func (ps *problems) url(field, s string, versioned bool) {
	if s == "" {
		return
	}
	u, err := url.Parse(s)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "", u.Opaque != "":
		ps.field(field, "%s is no address (want http://HOST/PATH or https://HOST/PATH)", quote(s))
	case u.User != nil:
		ps.field(field, "holds credentials (want them in the environment)")
	case versioned && apiVersion.MatchString(u.RawQuery) && !secretValue(u.RawQuery) && !strings.Contains(s, "#"):
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(s, "#"):
		also := ""
		if versioned {
			also = ", or also ?api-version=VERSION"
		}
		ps.field(field, "%s has a query or a fragment (want scheme, host and path alone%s)", quote(s), also)
	}
}

// apiVersion is the one query that an address may have: older deployments of the
// openai form are asked for a version in it.
var apiVersion = regexp.MustCompile(`^api-version=[0-9A-Za-z.-]{1,32}$`)

func (ps *problems) reference(p *Plan) {
	conds := p.Conditions.List
	if p.Conditions.Imported || len(conds) == 0 {
		return
	}
	names, whole := conditionNames(conds)
	switch {
	case !ps.has("reference"):
		if len(conds) > 1 {
			ps.field("reference", "is missing (want %s)", strictyaml.Or(names))
		}
	case whole && p.Reference != "" && !slices.Contains(names, p.Reference):
		ps.field("reference", "%s is no condition (want %s)", quote(p.Reference), strictyaml.Or(names))
	case p.Reference == "":
		ps.field("reference", "is empty (want %s)", strictyaml.Or(names))
	}
}

// conditionNames lists the names in order; whole is false when some could not
// be read, so that an unknown name may be one of those.
func conditionNames(conds []Condition) (names []string, whole bool) {
	whole = true
	for _, c := range conds {
		if c.Name == "" {
			whole = false
		} else if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names, whole
}

func (ps *problems) endpoints(ends Endpoints) {
	for _, e := range ends {
		field := "endpoints." + e.Name
		if e.Scale == uplift.Caution {
			ps.field(field+".scale", "caution is a diagnostic, never an endpoint (want correctness or actionability)")
		}
		if want := usual(e.Name); (e.Name == "utility" || e.Name == "risk") && e.Better != "" && e.Better != want {
			ps.field(field+".better", "is %s, and the frontier takes %s as better %s (want an endpoint of another name)", e.Better, e.Name, want)
		}
		if !slices.Contains([]string{uplift.Correctness, uplift.Actionability, uplift.Compliance}, e.Scale) {
			continue // an imported scale may have another range
		}
		for name, v := range map[string]*float64{"margin": e.Margin, "budget": e.Budget} {
			if v != nil && *v > 1 {
				ps.field(field+"."+name, "is %v (want from 0 to 1, the range of %s)", *v, e.Scale)
			}
		}
	}
}
