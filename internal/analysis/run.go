package analysis

import (
	"context"
	"errors"
	"iter"
)

var errUnbuilt = errors.New("analysis: not built")

// Run analyses everything that src holds.
func Run(ctx context.Context, src Source, opt Options) (*Result, error) { return nil, errUnbuilt }

// Pairs gives the matched pairs behind every contrast of [Run], in the order
// of the contrasts and then by task, attack and replicate. All reading is done
// when it returns.
func Pairs(ctx context.Context, src Source, opt Options) (iter.Seq[Pair], error) {
	return nil, errUnbuilt
}

// Agree measures how far raters' own marks agree, by scale and tier.
func Agree(ctx context.Context, src Source, opt AgreeOptions) (*Agreement, error) {
	return nil, errUnbuilt
}
