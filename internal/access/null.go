package access

import (
	uplift "github.com/uplift-eval/uplift"
)

// NullText is what the null anchor answers, whatever was asked: a reply that
// grants nothing, refuses nothing and says nothing of the request. Raters see it
// as any other reply; on every scale of help it is worth nothing, so that the
// other conditions are seen from there.
const NullText = "Thank you for your message."

// null answers without a model.
func null(res *Result) {
	res.Text, res.Outcome = NullText, uplift.NullAnchor
}
