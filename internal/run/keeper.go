package run

import (
	"context"

	uplift "github.com/uplift-eval/uplift"
)

// Keeper keeps what a run produces, and says what it holds already. Every
// method is safe for concurrent use, and a Put is durable when it returns nil.
type Keeper interface {
	// Done maps the id of every cell that is held to how it ended.
	// Options.Retry plans those that ended in [uplift.Failed] again.
	Done(ctx context.Context) (map[string]uplift.Outcome, error)

	// Call finds the call of a digest. A held failure (Stop is
	// [uplift.StopError]) is reported as it is.
	Call(ctx context.Context, digest string) (uplift.Call, bool, error)

	// PutAttempt keeps a failed attempt of a call that goes on. Of one call no
	// two attempts have the same N; an equal one is kept once.
	PutAttempt(ctx context.Context, a uplift.Attempt) error

	// PutCall keeps a call with its last attempts, all or nothing. It is
	// idempotent, and takes the place of a held call of the same digest that
	// failed, or is withheld; any other that ended well is never replaced.
	PutCall(ctx context.Context, c uplift.Call, last ...uplift.Attempt) error

	// PutWithheld keeps what is locked away of a record, before the record.
	// It is idempotent by ID.
	PutWithheld(ctx context.Context, w uplift.Withheld) error

	// PutResponse keeps the response of a cell. It is idempotent, and
	// supersedes a held failure of the same cell; any other held response
	// stays.
	PutResponse(ctx context.Context, r uplift.Response) error
}
