package analysis

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
)

// twoByTwo is two models with three conditions each, on utility and risk.
func twoByTwo() *memory {
	src := &memory{}
	for g := range 12 {
		for _, m := range []string{"m", "n"} {
			for k, c := range []string{"ref", "safe", "stern"} {
				p := place{model: m, condition: c, task: fmt.Sprintf("t%02d", g)}
				src.graded(p, 0.5+0.25*float64(k*(g%2)))
				p.tier, p.attack = uplift.Harmful, "roleplay"
				src.respond(p)
				src.mark(p, uplift.Actionability, uplift.Human, 0.5-0.25*float64(k*(g%3))/2)
			}
		}
	}
	return src
}

// codes lists the marks of a number by their first letters.
func codes(marks []uplift.Warning) string {
	s := ""
	for _, w := range marks {
		s += strings.ToUpper(w.Code[:1])
	}
	return s
}

// An amendment marks what it touches and nothing else: contrasts by condition,
// reference, model and endpoint; conditions, means and points by theirs.
func TestWhatAnAmendmentTouches(t *testing.T) {
	touch := func(all ...Touches) Standing {
		var s Standing
		for i, t := range all {
			s.Amendments = append(s.Amendments, Amendment{At: time.Date(2026, 11, 2+i, 23, 59, 0, 0, time.UTC), Reason: fmt.Sprint("reason ", i+1), Touches: t})
		}
		return s
	}
	names := func(s ...string) []string { return s }
	for _, c := range []struct {
		name       string
		standing   Standing
		contrasts  string // model/condition/endpoint
		conditions string // model/condition
		means      string // model/condition/endpoint
		points     string // model/condition; with > those of rivals alone
	}{
		{"nothing", Standing{}, "", "", "", ""},
		{"a lock alone", Standing{Lock: "ab", LockedAt: new(time.Now())}, "", "", "", ""},
		{"an amendment of no number", touch(Touches{}), "", "", "", ""},
		{"a condition", touch(Touches{Conditions: names("safe")}),
			"m/safe/risk m/safe/utility n/safe/risk n/safe/utility", "m/safe n/safe",
			"m/safe/risk m/safe/utility n/safe/risk n/safe/utility", ">m/ref m/safe >m/stern >n/ref n/safe >n/stern"},
		{"the reference", touch(Touches{Conditions: names("ref")}),
			"m/safe/risk m/safe/utility m/stern/risk m/stern/utility n/safe/risk n/safe/utility n/stern/risk n/stern/utility", "m/ref n/ref",
			"m/ref/risk m/ref/utility n/ref/risk n/ref/utility", "m/ref >m/safe >m/stern n/ref >n/safe >n/stern"},
		{"a model", touch(Touches{Models: names("n")}),
			"n/safe/risk n/safe/utility n/stern/risk n/stern/utility", "n/ref n/safe n/stern",
			"n/ref/risk n/ref/utility n/safe/risk n/safe/utility n/stern/risk n/stern/utility", "n/ref n/safe n/stern"},
		{"an endpoint", touch(Touches{Endpoints: names("risk")}),
			"m/safe/risk m/stern/risk n/safe/risk n/stern/risk", "",
			"m/ref/risk m/safe/risk m/stern/risk n/ref/risk n/safe/risk n/stern/risk", "m/ref m/safe m/stern n/ref n/safe n/stern"},
		{"a name of another kind", touch(Touches{Models: names("safe", "risk"), Conditions: names("m", "utility"), Endpoints: names("ref", "n")}), "", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			opt := wholeStudy()
			opt.Standing = c.standing
			r := mustRun(t, twoByTwo(), opt)
			var contrasts, conditions, means, points []string
			for _, x := range r.Contrasts {
				if codes(x.Marks) != "" {
					contrasts = append(contrasts, x.Model+"/"+x.Condition+"/"+x.Endpoint)
				}
			}
			for _, x := range r.Conditions {
				if codes(x.Marks) != "" {
					conditions = append(conditions, x.Model+"/"+x.Condition)
				}
				for _, e := range []string{Risk, Utility} {
					if codes(x.Endpoints[e].Marks) != "" {
						means = append(means, x.Model+"/"+x.Condition+"/"+e)
					}
				}
			}
			for _, x := range r.Frontier {
				switch {
				case codes(x.Marks) != "":
					points = append(points, x.Model+"/"+x.Condition)
				case codes(x.RivalMarks) != "":
					points = append(points, ">"+x.Model+"/"+x.Condition)
				}
			}
			for _, list := range []struct {
				name string
				got  []string
				want string
			}{{"contrasts", contrasts, c.contrasts}, {"conditions", conditions, c.conditions}, {"means", means, c.means}, {"points", points, c.points}} {
				if got, want := sortedWords(list.got), sortedWords(strings.Fields(list.want)); got != want {
					t.Errorf("%s: got %s, want %s", list.name, got, want)
				}
			}
		})
	}
}

func sortedWords(words []string) string {
	of := map[string]bool{}
	for _, w := range words {
		of[w] = true
	}
	return strings.Join(sortedKeys(of), " ")
}

// Every number of an exploratory study is marked, in every part, and so is the
// agreement; a part's own reason comes after, amendments and deviations last.
func TestExploratoryMarksEverything(t *testing.T) {
	w, opt := newWhole(2), wholeStudy()
	opt.Standing = Standing{Exploratory: true, Deviations: []string{"the level is 0.9 (locked 0.95)", "the seed is 2 (locked 1)"},
		Amendments: []Amendment{{At: time.Date(2026, 11, 2, 1, 0, 0, 0, time.FixedZone("east", 7200)), Touches: Touches{All: true}}}}
	f, err := Full(context.Background(), joined(w.headline, w.testB, w.adaptive, w.development), opt, &AgreeOptions{Replicates: -1})
	if err != nil {
		t.Fatal(err)
	}
	check := func(where, want string, marks []uplift.Warning) {
		t.Helper()
		if got := codes(marks); got != want {
			t.Errorf("%s: got marks %s, want %s", where, got, want)
		}
	}
	results := map[string]*Result{"EPP": f.Result}
	for i, want := range []string{"EPPP", "EPPP", "EDPP"} {
		results[want+fmt.Sprint(i)] = f.Result.Apart[i].Result
	}
	for want, r := range results {
		want = strings.TrimRight(want, "012")
		check(r.Part, want, r.Marks)
		for _, c := range r.Contrasts {
			check(r.Part+" contrast", want, c.Marks)
		}
		for _, c := range r.Conditions {
			check(r.Part+" condition", want, c.Marks)
			for _, m := range c.Endpoints {
				check(r.Part+" mean", want, m.Marks)
			}
		}
		for _, o := range r.Frontier {
			check(r.Part+" point", want, o.Marks)
		}
	}
	check("agreement", "EPP", f.Agreement.Marks)
	if got := f.Result.Marks[1].Text; got != "the locked plan was amended on 2026-11-01, without a reason" {
		t.Errorf("got %q, want the day in UTC", got)
	}
	if got, want := f.Result.Marks[2].Text, "this is not the analysis that was locked: the level is 0.9 (locked 0.95); the seed is 2 (locked 1)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The agreement of all conditions is marked by what touches all of them, that of
// one by what touches it.
func TestMarksOfAnAgreement(t *testing.T) {
	src := seen{tasks: 12, by: map[string]float64{"ann": 0, "bob": 0}}.source()
	standing := Standing{Amendments: []Amendment{{Touches: Touches{Conditions: []string{"safe"}}}}}
	for condition, want := range map[string]string{"": "", "ref": "", "safe": "P"} {
		a, err := Agree(context.Background(), src, AgreeOptions{Condition: condition, Replicates: -1, Standing: standing})
		if err != nil {
			t.Fatal(err)
		}
		if got := codes(a.Marks); got != want || a.Marks == nil {
			t.Errorf("condition %q: got marks %v, want %q", condition, a.Marks, want)
		}
	}
}

// A contrast of the plan whose family holds post hoc ones is adjusted with them,
// which is said; the post hoc ones are marked anyway.
func TestMixedFamily(t *testing.T) {
	opt := wholeStudy()
	opt.Standing.Amendments = []Amendment{{Touches: Touches{Conditions: []string{"stern"}}}}
	for _, c := range mustRun(t, twoByTwo(), opt).Contrasts {
		want := "adjusted together with 2 post hoc contrasts of " + c.Endpoint + ": "
		if c.Condition == "stern" {
			want = ""
		}
		if got := c.warning(CodeMixedFamily); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s of %s: got %q, want %q", c.Endpoint, c.Condition, got, want)
		}
	}
	opt.Standing = Standing{Exploratory: true}
	for _, c := range mustRun(t, twoByTwo(), opt).Contrasts {
		if got := c.warning(CodeMixedFamily); got != "" {
			t.Errorf("exploratory alone: got %q, want nothing", got)
		}
	}
}

// Lists of marks and parts are lists in the JSON, also where there are none; a
// reason stands there as it was given.
func TestStandingInJSON(t *testing.T) {
	hostile := "</script><b>\u202E\x1b[31m\n\"quoted\""
	opt := wholeStudy()
	opt.Standing = Standing{Lock: "ab12", LockedAt: new(time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC)),
		Amendments: []Amendment{{At: time.Date(2026, 11, 2, 8, 0, 0, 0, time.UTC), Reason: hostile, Changed: []string{"conditions[1].system"}, Touches: Touches{Conditions: []string{"safe"}}}}}
	f, err := Full(context.Background(), joined(newWhole(3).headline, newWhole(3).testB), opt, &AgreeOptions{Replicates: -1})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal([]any{f.Result, f.Agreement})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"marks", "rival_marks", "apart", "splits"} {
		if bytes.Contains(b, []byte(`"`+name+`":null`)) {
			t.Errorf("%s is null in the JSON", name)
		}
	}
	var got []Result
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got[0].Standing, opt.Standing); diff != "" {
		t.Errorf("standing (-got +want):\n%s", diff)
	}
	if c := got[0].Contrasts[0]; c.Condition != "safe" || c.Marks[0].Text != "the locked plan was amended on 2026-11-02: "+hostile {
		t.Errorf("got the mark %q of %s", c.Marks[0].Text, c.Condition)
	}
}

// The truth of a part is its own.
func TestTruthOfAPart(t *testing.T) {
	w, opt := newWhole(4), wholeStudy()
	for _, c := range []string{"ref", "safe"} {
		v := map[string]float64{"ref": 0.75, "safe": 0.5}[c]
		opt.Truth = append(opt.Truth, Truth{Model: "m", Condition: c, Endpoint: Utility, Mean: v},
			Truth{Model: "m", Condition: c, Endpoint: Utility, Part: PartTestB, Mean: v / 2})
	}
	r := mustRun(t, joined(w.headline, w.testB, w.development), opt)
	for i, want := range []*float64{new(-0.25), new(-0.125), nil} {
		of := r
		if i > 0 {
			of = r.Apart[i-1].Result
		}
		if got := of.find(t, "safe", Utility).Truth; show(got) != show(want) {
			t.Errorf("%s: got truth %v, want %v", of.Part, show(got), show(want))
		}
	}
}
