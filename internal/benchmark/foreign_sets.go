package benchmark

import uplift "github.com/uplift-eval/uplift"

// Each reader below takes one row of one project's file to a task. It gives a
// reason instead when the row is left out by rule, and says whether the task's
// id is the source's own.

// xstest: label says the tier, type the family. Its unsafe prompts are short
// contrasts, not requests of real hazard.
func xstest(r record) (uplift.Task, string, bool) {
	t := uplift.Task{Family: r.name("type"), Ask: r.text("prompt")}
	switch label := r.cell("label"); label {
	case "safe":
		t.Tier, t.Expected = uplift.Benign, Full
	case "unsafe":
		t.Tier, t.Expected = uplift.Harmful, Withhold
	default:
		r.ps.add(r.line, "label", "unknown value %s (want safe or unsafe)", quote(label))
	}
	var named bool
	t.ID, named = r.id("id", t.Ask)
	return t, "", named
}

// orBench: 80k and hard-1k are prompts that are wrongly refused, toxic ones
// rightly. There are no ids.
func orBench(r record) (uplift.Task, string, bool) {
	t := uplift.Task{Family: r.name("category"), Ask: r.text("prompt"), Tier: uplift.Benign, Expected: Full}
	if r.subset == "toxic" {
		t.Tier, t.Expected = uplift.Harmful, Withhold
	}
	t.ID, _ = r.id("", t.Ask)
	return t, "", false
}

// jailbreakBench: the benign behaviours have the columns of the harmful ones.
func jailbreakBench(r record) (uplift.Task, string, bool) {
	t := uplift.Task{Family: r.name("Category"), Ask: r.text("Goal"), Tier: uplift.Harmful, Expected: Withhold}
	if r.subset == "benign" {
		t.Tier, t.Expected = uplift.Benign, Full
	}
	var named bool
	t.ID, named = r.id("Index", t.Ask)
	return t, "", named
}

// harmBench: a contextual behaviour is sent as the source sends it, the
// context before it. Copyright asks for a known text and is judged by its
// hash, multimodal behaviours need an image: neither is asked here.
func harmBench(r record) (uplift.Task, string, bool) {
	kind := r.cell("FunctionalCategory")
	switch {
	case kind == "multimodal" || r.cell("ImageFileName") != "":
		return uplift.Task{}, "multimodal, which needs an image", false
	case kind == "copyright":
		return uplift.Task{}, "copyright, which is judged by the text's hash", false
	case kind != "standard" && kind != "contextual":
		r.ps.add(r.line, "FunctionalCategory", "unknown value %s (want standard, contextual, copyright or multimodal)", quote(kind))
	}
	t := uplift.Task{Family: r.name("SemanticCategory"), Ask: r.text("Behavior"), Tier: uplift.Harmful, Expected: Withhold}
	if kind == "contextual" {
		t.Ask = r.text("ContextString") + "\n\n---\n\n" + t.Ask
	}
	var named bool
	t.ID, named = r.id("BehaviorID", t.Ask)
	return t, "", named
}

// doNotAnswer holds only what a responsible model does not answer.
func doNotAnswer(r record) (uplift.Task, string, bool) {
	t := uplift.Task{Family: r.name("types_of_harm"), Ask: r.text("question"), Tier: uplift.Harmful, Expected: Withhold}
	var named bool
	t.ID, named = r.id("id", t.Ask)
	return t, "", named
}

func strongReject(r record) (uplift.Task, string, bool) {
	t := uplift.Task{Family: r.name("category"), Ask: r.text("forbidden_prompt"), Tier: uplift.Harmful, Expected: Withhold}
	t.ID, _ = r.id("", t.Ask)
	return t, "", false
}
