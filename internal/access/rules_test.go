package access

import (
	"testing"

	"github.com/uplift-eval/uplift/controller"
)

// Rules refuse in the words of their policy; without any, the usual words serve.
func TestRulesRefuseInTheirWords(t *testing.T) {
	p := controller.Default()
	p.Texts["en"] = controller.Texts{Warn: "Note.", Redact: "[cut]", Refuse: "Not here."}
	r, err := NewRules(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		rules *Rules
		want  string
	}{{"of a policy", r, "Not here."}, {"none", nil, Refusal}} {
		if got := c.rules.refusal(); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
