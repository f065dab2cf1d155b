package report

import "github.com/uplift-eval/uplift/internal/analysis"

// Frontier draws the utility-risk plane for a paper, one panel a model.
// The formats are svg, pdf and png.
func Frontier(res *analysis.Result, format string) ([]byte, error) { return nil, ErrNoResult }

// Forest draws every contrast with its interval, one panel an endpoint.
// The formats are svg, pdf and png.
func Forest(res *analysis.Result, format string) ([]byte, error) { return nil, ErrNoResult }
