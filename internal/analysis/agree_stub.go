package analysis

import (
	"context"
	"errors"
)

// Agree measures how far raters' own marks agree, by scale and tier.
func Agree(ctx context.Context, src Source, opt AgreeOptions) (*Agreement, error) {
	return nil, errors.New("agreement: not built")
}
