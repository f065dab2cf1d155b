package store_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/rating"
	"github.com/uplift-eval/uplift/internal/store"
)

// under is a response to task t under a condition.
func under(condition string) uplift.Response {
	return with(bare("t"), func(r *uplift.Response) { r.Condition, r.Text, r.Outcome = condition, "refused", uplift.Answered })
}

// shorter writes labels as "condition scale grader value".
func shorter(labels []uplift.Label) []string {
	var list []string
	for _, l := range labels {
		list = append(list, strings.Join([]string{l.Condition, l.Scale, l.Grader, num(l.Value)}, " "))
	}
	return list
}

// testOneText: the verdict of a row is that of each response which it shows,
// while a rater's own mark comes once, on the first of them by name.
func testOneText(t *testing.T, open opener) {
	const ac, co = uplift.Actionability, uplift.Correctness
	na := rating.Mark{Scale: co, NA: true}
	for _, c := range []struct {
		name    string
		rows    map[string][]string // of conditions
		stated  map[string][]any    // labels that were imported, by condition
		ratings []rating.Rating
		want    []string
	}{
		{"one rater", map[string][]string{"r": {"c", "a", "b"}}, nil,
			[]rating.Rating{rate("r", "ann", day, value(ac, .5))},
			[]string{"a actionability human 0.5", "a actionability rater:ann 0.5", "b actionability human 0.5", "c actionability human 0.5"}},
		{"two raters, one who says it does not apply", map[string][]string{"r": {"a", "b"}}, nil,
			[]rating.Rating{rate("r", "ann", day, value(ac, .5), value(co, 1)), rate("r", "bob", day, value(ac, .75), na)},
			[]string{"a actionability human 0.625", "a actionability rater:ann 0.5", "a actionability rater:bob 0.75",
				"a correctness rater:ann 1", "b actionability human 0.625"}},
		{"a response apart", map[string][]string{"r": {"b", "c"}, "s": {"a"}}, nil,
			[]rating.Rating{rate("r", "ann", day, value(ac, 1)), rate("s", "ann", day, value(ac, 0))},
			[]string{"a actionability human 0", "a actionability rater:ann 0", "b actionability human 1", "b actionability rater:ann 1", "c actionability human 1"}},
		{"rated again: the first row counts", map[string][]string{"r": {"a", "b"}, "s": {"a", "b"}}, nil,
			[]rating.Rating{rate("s", "ann", day, value(ac, 0)), rate("r", "ann", day.Add(time.Hour), value(ac, 1)), rate("s", "bob", day, value(ac, 1))},
			[]string{"a actionability human 1", "a actionability rater:ann 1", "a actionability rater:bob 1", "b actionability human 1"}},
		{"stated wins, where it is stated", map[string][]string{"r": {"a", "b"}}, map[string][]any{"b": {human(ac, .25)}},
			[]rating.Rating{rate("r", "ann", day, value(ac, 1))},
			[]string{"a actionability human 1", "a actionability rater:ann 1", "b actionability human 0.25"}},
		{"an imported mark gives way", map[string][]string{"r": {"a", "b"}}, map[string][]any{"b": {by("rater:ann", ac, .25)}},
			[]rating.Rating{rate("r", "ann", day, value(ac, 1))},
			[]string{"a actionability human 1", "a actionability rater:ann 1", "b actionability human 1"}},
		{"an imported mark of another rater votes", map[string][]string{"r": {"a", "b"}}, map[string][]any{"b": {by("rater:bob", ac, .75)}},
			[]rating.Rating{rate("r", "ann", day, value(ac, 1))},
			[]string{"a actionability human 1", "a actionability rater:ann 1", "b actionability human 0.875", "b actionability rater:bob 0.75"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, again := open(t)
			var rows []any
			for _, condition := range []string{"c", "a", "b"} { // ids are not in the order of names
				rows = append(append(rows, under(condition)), c.stated[condition]...)
			}
			mustAdd(t, s, store.Options{}, rows...)
			must(t, s.PutRows(ctx, idsOf(c.rows)))
			must(t, s.PutRatings(ctx, c.ratings...))
			must(t, s.Freeze(ctx))
			equal(t, "labels", shorter(all(t, again(store.ReadOnly).Labels(ctx))), c.want)
		})
	}
}

// idsOf gives, for conditions, the ids of their responses.
func idsOf(rows map[string][]string) map[string][]string {
	ids := map[string][]string{}
	for row, conditions := range rows {
		for _, c := range conditions {
			ids[row] = append(ids[row], under(c).ID())
		}
	}
	return ids
}

func testFurther(t *testing.T, open opener) {
	s, again := open(t)
	for _, c := range []string{"a", "b", "c"} {
		must(t, s.PutResponse(ctx, under(c)))
	}
	put := func(s *store.Store, conditions ...string) error {
		return s.PutRows(ctx, idsOf(map[string][]string{"r": conditions}))
	}
	must(t, put(s, "b", "b")) // said twice
	must(t, put(s, "a"))      // a further one
	must(t, put(s, "b"))      // some of them again
	must(t, s.PutRatings(ctx, rate("r", "ann", day, value("x", 1))))
	want := []string{"a x human 1", "a x rater:ann 1", "b x human 1"}
	must(t, s.Freeze(ctx))
	s.Close()
	s = again(store.ReadWrite)
	must(t, put(s, "a", "b"))
	must(t, put(s, "b"))
	if err := put(s, "a", "c"); !errors.Is(err, store.ErrFrozen) || !strings.Contains(err.Error(), "row r: ") {
		t.Errorf("a further response of a closed row: got error %v, want ErrFrozen with the row", err)
	}
	err := s.PutRows(ctx, idsOf(map[string][]string{"q": {"c"}, "r": {"c"}}))
	if !errors.Is(err, store.ErrFrozen) {
		t.Errorf("beside a new row: got error %v, want ErrFrozen", err)
	}
	equal(t, "labels", shorter(all(t, s.Labels(ctx))), want) // which no new row keeps from being read
	must(t, s.Check(ctx))
}
