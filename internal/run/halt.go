package run

import (
	"errors"
	"fmt"

	"github.com/uplift-eval/uplift/internal/access"
)

// Why says why a run ended before its end. The zero value: it did not.
type Why string

// The reasons.
const (
	StopRequests Why = "max_requests"
	StopCost     Why = "max_cost_usd"
	StopMinutes  Why = "max_minutes"
	StopAsked    Why = "interrupted"
	StopPaused   Why = "paused" // too much of a condition is withheld
	StopModel    Why = "model"  // this model alone
)

// Halt is a reason in words.
type Halt struct {
	Why   Why    `json:"why"`
	Model string `json:"model,omitempty"` // the study's name, when one model stopped
	Text  string `json:"text"`
}

// halted is the error of a cell that stays open because nothing is sent any
// more.
type halted struct {
	reason Why
	model  string
	text   string
}

func (h *halted) Error() string {
	if h.model != "" {
		return fmt.Sprintf("model %s: %s", h.model, h.text)
	}
	return h.text
}

func (h *halted) Unwrap() error { return access.ErrNotSent }

func (h *halted) halt() Halt { return Halt{h.reason, h.model, h.text} }

// spent reports that the reason is a limit of what all runs may spend.
func spent(why error) bool {
	h, ok := errors.AsType[*halted](why)
	return ok && (h.reason == StopRequests || h.reason == StopCost)
}
