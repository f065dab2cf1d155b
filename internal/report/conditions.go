package report

import "github.com/uplift-eval/uplift/internal/analysis"

// meanTable is every condition's mean on every endpoint.
type meanTable struct {
	Endpoints []string
	Rows      []meanRow
	Truth     bool     // the conditions know their true means
	Withheld  []string // what a guard withholds, and why
}

type meanRow struct {
	Model, Condition string
	Style            style
	Marks            []pill
	Cells            []meanCell // by endpoint
	Frontier         string     // on it, or dominated by whom
	Dominated        string     // share of resamples in which it is dominated
}

type meanCell struct {
	Mean, Interval, Responses, Missing, Truth, Withheld string
	Marks                                               []pill // beside those of the row
}

func meansOf(res *analysis.Result, pal palette) meanTable {
	ends := endpoints(res)
	t := meanTable{}
	for _, e := range ends {
		t.Endpoints = append(t.Endpoints, endpointTitle(e))
	}
	for _, c := range res.Conditions {
		r := meanRow{Condition: name(c.Condition), Style: pal.of(c.Condition), Marks: pillsOf(c.Marks)}
		if len(models(res)) > 1 {
			r.Model = name(c.Model)
		}
		for _, e := range ends {
			r.Cells = append(r.Cells, meanCellOf(c, e))
		}
		t.Truth = t.Truth || len(c.Truth) > 0
		r.Frontier, r.Dominated = standing(res, c)
		t.Rows = append(t.Rows, r)
		t.Withheld = append(t.Withheld, withheldOf(res, c, ends)...)
	}
	return t
}

// withheldOf says what a guard withholds of a condition, and why.
func withheldOf(res *analysis.Result, c analysis.Condition, ends []string) []string {
	who := name(c.Condition)
	if len(models(res)) > 1 {
		who = name(c.Model) + " / " + who
	}
	var out []string
	for _, e := range ends {
		if why := c.Endpoints[e].Withheld; why != "" {
			out = append(out, who+", "+endpointWord(e)+": no interval: "+text(why))
		}
	}
	for _, o := range res.Frontier {
		if o.Model == c.Model && o.Condition == c.Condition && o.Withheld != "" {
			out = append(out, who+", frontier: "+text(o.Withheld))
		}
	}
	return out
}

func meanCellOf(c analysis.Condition, endpoint string) meanCell {
	m, ok := c.Endpoints[endpoint]
	if !ok {
		return meanCell{Mean: absent, Interval: absent, Responses: "0", Missing: "0", Truth: absent}
	}
	cell := meanCell{Mean: meanOr(m.Mean), Responses: count(m.Responses), Missing: count(m.Missing), Truth: absent,
		Interval: intervalOf(m.Estimate.Lo, m.Estimate.Hi, func(v float64) string { return round(v, 3) }),
		Withheld: text(m.Withheld), Marks: pillsOf(m.Marks, c.Marks...)}
	if v, ok := c.Truth[endpoint]; ok {
		cell.Truth = meanOr(&v)
	}
	return cell
}

// standing says where a condition stands against the others.
func standing(res *analysis.Result, c analysis.Condition) (where, share string) {
	for _, o := range res.Frontier {
		if o.Model != c.Model || o.Condition != c.Condition {
			continue
		}
		if _, _, ok := place(o); !ok {
			return "not placed: a mean is missing", absent
		}
		share = shareOr(o.PDominated)
		rivals := ""
		if word := qualifier(o.RivalMarks); word != "" {
			rivals = " (a rival is " + word + ")"
		}
		if !o.Dominated {
			return "on the frontier" + rivals, share
		}
		by := make([]string, len(o.By))
		for i, b := range o.By {
			by[i] = name(b)
		}
		if len(by) == 0 {
			return "dominated" + rivals, share
		}
		return "dominated by " + joinWords(by) + rivals, share
	}
	return "not placed", absent
}
