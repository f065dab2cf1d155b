package lint

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/controller"
)

// Cues is what the words of a controller's policy are worth in what is asked:
// each class of prompt cues is replaced by a neutral phrase, and the prompt is
// scored again, without a draft.
type Cues struct {
	Policy    string     `json:"policy"` // its name
	Items     int        `json:"items"`
	Stability float64    `json:"stability"` // 1 less the share of items whose action changes with any class
	Classes   []CueClass `json:"classes"`
}

// CueClass is one class of cues.
type CueClass struct {
	Class     string  `json:"class"`
	Items     int     `json:"items"`     // that hold a cue of it
	Change    float64 `json:"change"`    // of the prompt score, mean over these items; 0 when there are none
	Actions   int     `json:"actions"`   // items whose action changes
	Stability float64 `json:"stability"` // 1 less their share of all items
}

// neutral stands in place of a cue. It holds none itself.
const neutral = "this"

// cueRule is L8. It reports and has no limit.
func cueRule(in Input) (Rule, *Cues) {
	r := Rule{ID: "L8", Title: "controller cues taken out", Limit: "reported"}
	if in.Policy == nil || len(in.Items) == 0 {
		return notRun(r, "no policy or no items"), nil
	}
	c, err := controller.New(*in.Policy)
	if err != nil {
		r.Offenders = []Offender{{Field: "policy", Text: err.Error()}}
		return r, nil
	}
	out := &Cues{Policy: in.Policy.Name, Items: len(in.Items)}
	changed := make([]bool, len(in.Items))
	before := make([]uplift.Decision, len(in.Items))
	texts := make([]string, len(in.Items))
	for i, item := range in.Items {
		texts[i] = strings.Join(item.Turns, "\n\x1f\n")
		before[i], _ = c.Score(texts[i], "") // longer than a controller reads: the zero decision, twice
	}
	for _, class := range slices.Sorted(slices.Values(in.Policy.Classes("prompt"))) {
		k := CueClass{Class: class}
		pattern := cuePattern(in.Policy.Words("prompt", class))
		for i := range in.Items {
			text := pattern.ReplaceAllString(texts[i], neutral)
			if text == texts[i] {
				continue
			}
			after, _ := c.Score(text, "")
			k.Items++
			k.Change += after.PromptScore - before[i].PromptScore
			if after.Action != before[i].Action {
				k.Actions++
				changed[i] = true
			}
		}
		if k.Items > 0 {
			k.Change /= float64(k.Items)
		}
		k.Stability = 1 - float64(k.Actions)/float64(len(in.Items))
		out.Classes = append(out.Classes, k)
	}
	lost := 0
	for _, b := range changed {
		lost += int(one(b))
	}
	out.Stability = 1 - float64(lost)/float64(len(in.Items))
	r.Figure = fmt.Sprintf("cue stability %.3f over %d items", out.Stability, out.Items)
	r.Values = []Value{{"stability", out.Stability}, {"items", float64(out.Items)}, {"largest_change", largest(out.Classes)}}
	r.Pass = true
	return r, out
}

func largest(list []CueClass) float64 {
	out := 0.0
	for _, c := range list {
		out = max(out, math.Abs(c.Change))
	}
	return out
}

// cuePattern finds phrases as the controller reads them, whatever stands
// between their words; the longest first. Scripts that are written without
// spaces have no bounds of words.
func cuePattern(list []string) *regexp.Regexp {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	for i, words := range list {
		text, open := strings.CutSuffix(strings.TrimSpace(words), "*")
		parts := strings.FieldsFunc(text, func(r rune) bool { return !wordRune(r) })
		for k := range parts {
			parts[k] = regexp.QuoteMeta(parts[k])
		}
		list[i] = strings.Join(parts, `[^\pL\pN\x1f]+`)
		if open {
			list[i] += `[\pL\pN]*`
		}
		if text != "" && text[0] < utf8.RuneSelf {
			list[i] = `\b` + list[i]
		}
		if text != "" && text[len(text)-1] < utf8.RuneSelf {
			list[i] += `\b`
		}
	}
	return regexp.MustCompile(`(?i)(` + strings.Join(list, "|") + `)`)
}
