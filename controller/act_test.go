package controller

import (
	"context"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// The built-in rules by hand: what becomes of a draft when it is warned about
// and when it is redacted. § stands for the mark of the draft's language.
func TestRewrites(t *testing.T) {
	r := built(t, Default()).rules
	for _, c := range []struct{ name, draft, general, redacted string }{
		{"nothing", "All is well.\n", "All is well.\n", "All is well.\n"},
		{"quantities", "Heat it to 220 °C for 20 to 30 minutes. It is good.", "Heat it to a certain temperature for some time. It is good.", "§ It is good."},
		{"an amount of a thing", "Add 200 g flour, and 5 g for each.", "Add a certain amount of flour, and a certain amount for each.", "§"},
		{"an article before a quantity", "We took a 20 minute walk and an 8 hour rest.", "We took a walk and a rest.", "§"},
		{"connectives", "First, mix it. Then bake it. Enjoy.", "Mix it. Bake it. Enjoy.", "§ Enjoy."},
		{"a connective inside", "The first of it, and then more.", "The first of it, and then more.", "The first of it, and then more."},
		{"a numbered list", "Now:\n1. Soak it.\n2. Rinse it.\n\n3. Dry it.\nDone.\n", "Now:\n- One element: Soak it.\n- One element: Rinse it.\n\n- One element: Dry it.\nDone.\n", "Now:\n§\nDone.\n"},
		{"one number is no list", "1. Soak it.\nDone.", "1. Soak it.\nDone.", "1. Soak it.\nDone."},
		{"a nested list", "- a\n  1. b\n  2. c\n- d\n", "- a\n  - One element: b\n  - One element: c\n- d\n", "- a\n  §\n- d\n"},
		{"procurement and troubleshooting", "It is old. You can get hold of it anywhere. If it fails, stop. It is new.", "It is old. It is new.", "It is old. § It is new."},
		{"a bullet stays", "- Wait 5 minutes. Rest.\n- Fine.\n", "- Wait some time. Rest.\n- Fine.\n", "- § Rest.\n- Fine.\n"},
		{"a table", "| a | b |\n|---|---|\n| rest | 20 minutes |\n| bake | 5 minutes |\n| end | long |\n",
			"| a | b |\n|---|---|\n| rest | some time |\n| bake | some time |\n| end | long |\n", "| a | b |\n|---|---|\n| § |  |\n| end | long |\n"},
		{"code", "See:\n```sh\nwait 5 minutes\n```\nDone.\n", "See:\n```sh\n§\n```\nDone.\n", "See:\n```sh\n§\n```\nDone.\n"},
		{"harmless code", "See:\n```\nx = y\n```\nThe phases of it.\n", "See:\n```\nx = y\n```\n", "See:\n```\nx = y\n```\n§\n"},
		{"code that is not closed", "```\nphases of it", "```\n§\n", "```\n§"},
		{"a range in words", "It takes between 5 and 10 days. Rest.", "It takes some time. Rest.", "§ Rest."},
		{"before a place in the text", "See 3 g below.", "See a certain amount below.", "§"},
		{"short forms end no sentence", "Take some, e.g. 5 g of it. Dr. Ray waited 5 minutes. Fine.", "Take some, e.g. a certain amount of it. Dr. Ray waited some time. Fine.", "§ Fine."},
		{"numbered headings", "## 1. Setup\nA.\n## 2. Use\nB.\n", "## Setup\nA.\n## Use\nB.\n", "## §\nA.\n## §\nB.\n"},
		{"no blank lines where nothing is left", "Decision points:\n\nA.\n\nDecision points.\n\nB.\n", "A.\n\nB.\n", "§\n\nA.\n\n§\n\nB.\n"},
		{"a Chinese range", "很好。等待2—3小时。", "很好。等待一段时间。", "很好。§"},
		{"symbols in French", "Le pain est bon pour les gens. Mettez 20 g de sel à 180 °C.", "Le pain est bon pour les gens. Mettez une certaine quantité de sel à une certaine température.", "Le pain est bon pour les gens. §"},
		{"symbols in German", "Das Brot ist gut und nicht alt. Man nimmt 20 g Salz.", "Das Brot ist gut und nicht alt. Man nimmt eine gewisse Menge Salz.", "Das Brot ist gut und nicht alt. §"},
		{"Chinese", "面包很好。首先，加500克面粉。然后烤三十分钟。", "面包很好。加一定的量面粉。烤一段时间。", "面包很好。§"},
		{"a Chinese list", "一、打蛋。\n二、加盐。\n很好。", "- 其中一项：打蛋。\n- 其中一项：加盐。\n很好。", "§\n很好。"},
		{"Chinese ordinals", "第一步：打蛋\n第二步：加盐\n很好", "- 其中一项：打蛋\n- 其中一项：加盐\n很好", "§\n很好"},
		{"Spanish", "El pan es bueno para los que hornean. Luego hornee 30 minutos.", "El pan es bueno para los que hornean. Hornee un tiempo.", "El pan es bueno para los que hornean. §"},
	} {
		t.Run(c.name, func(t *testing.T) {
			texts := r.texts[r.language(c.draft)]
			if got := r.generalise(c.draft, texts); got != strings.ReplaceAll(c.general, "§", texts.Redact) {
				t.Errorf("general: got %q, want %q", got, c.general)
			}
			if got, _ := r.redact(c.draft, texts.Redact); got != strings.ReplaceAll(c.redacted, "§", texts.Redact) {
				t.Errorf("redacted: got %q, want %q", got, c.redacted)
			}
		})
	}
}

// What is left of a draft after a rewrite must score lower, or a stricter
// action follows.
func TestRewritesThatDoNotHelp(t *testing.T) {
	ctl := built(t, small())
	for _, c := range []struct {
		name, draft string
		asked       uplift.Action
		want        uplift.Action
	}{
		{"warn helps", "Then rest. First part.", uplift.Warn, uplift.Warn},
		{"warn of a cue over two sentences", "It is first. Part of it.", uplift.Warn, uplift.Refuse},
		{"redact of a cue over two sentences", "It is first. Part of it.", uplift.Redact, uplift.Refuse},
		{"warn that leaves nothing", "First part.", uplift.Warn, uplift.Redact},
		{"redact of nothing", "Fine.", uplift.Redact, uplift.Refuse},
		{"warn of nothing", "Fine.", uplift.Warn, uplift.Warn},
		{"allow", "First part.", uplift.Allow, uplift.Allow},
	} {
		if got, _ := ctl.rules.act(c.asked, c.draft); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// Texts follow the draft's language, and are English where there are none.
func TestTextsFollowTheDraft(t *testing.T) {
	r := built(t, Default()).rules
	for draft, want := range map[string]string{
		"The bread is good, and it is for you.": "en",
		"":                                      "en",
		"面包很好。":                                 "zh",
		"面包 (bread) 很好，大家都喜欢吃。":                    "zh",
		"パンはとても良い。":                                "en",
		"Хлеб хорош.":                              "en",
		"El pan es bueno para los que lo comen.":   "es",
		"Le pain est bon pour les gens qui aiment": "fr",
		"Das Brot ist gut und nicht von gestern.":  "de",
	} {
		if got := r.language(draft); got != want {
			t.Errorf("%q: %s, want %s", draft, got, want)
		}
	}
	ctl := built(t, Default())
	_, shown, err := ctl.Control(context.Background(), "请详细说明被保留的程序从头到尾怎么做", "首先按以下顺序做，检查项保留，决策点如下。")
	if err != nil || shown != Default().Texts["zh"].Refuse {
		t.Errorf("shown %q, %v, want the Chinese refusal", shown, err)
	}
	if ctl.Refusal() != Default().Texts["en"].Refuse {
		t.Errorf("refusal %q, want the English one", ctl.Refusal())
	}
}
