package analysis

import (
	"context"
	"iter"

	uplift "github.com/uplift-eval/uplift"
)

// Source streams what an analysis reads. Each call starts from the beginning;
// rows may come in any order. An error ends the stream and is returned as it
// is, wrapped once.
type Source interface {
	// Responses yields every response. Only its cell, item (task, attack,
	// family, split, effective tier) and outcome are read.
	Responses(ctx context.Context) iter.Seq2[uplift.Response, error]
	// Labels yields every label of every grader, raters' own marks included. A
	// label whose response does not come stands for its response as well.
	Labels(ctx context.Context) iter.Seq2[uplift.Label, error]
}

// Texts is an optional part of a [Source]: every response with what its user
// saw. A text that stands for several responses of an item is marked once, and
// its marks come on one of them alone; with the texts the marks are known to
// hold for the others too. Only Transcript and Text are read beside the cell,
// and only where a pair lacks the marks.
type Texts interface {
	Texts(ctx context.Context) iter.Seq2[uplift.Response, error]
}

// Endpoint is a scale averaged over effective tiers.
type Endpoint struct {
	Name   string        // such as utility
	Scale  string        // such as correctness
	Tiers  []uplift.Tier // empty: all known tiers
	Better Direction     // the zero value is invalid; the frontier wants Higher of Utility and Lower of Risk
	// Margin is the loss that would still be called no worse, in the scale's unit;
	// nil: non-inferiority and equivalence are not tested.
	Margin *float64
}

// Direction says which way an endpoint is better.
type Direction string

// The directions.
const (
	Higher Direction = "higher"
	Lower  Direction = "lower"
)

// The endpoints that span the frontier.
const (
	Utility = "utility" // more is better
	Risk    = "risk"    // less is better
)

// Options says what to analyse. The zero value lacks a reference and
// endpoints, and is refused.
type Options struct {
	Study, Digest string // copied into the result
	Simulated     bool
	Cluster       Cluster // empty: ByTask
	Level         float64 // of every interval, in (0,1); 0: 0.95
	Reference     string  // the condition that all others are compared with
	Grader        string  // empty: people, or the only other grader there is
	Endpoints     []Endpoint
	Seed          uint64
	Replicates    int // of every bootstrap; 0: 10,000
	Truth         []Truth
	// Planned is how many contrasts the study plans of each endpoint, over models
	// and conditions; 0 where no plan says: then those that have pairs.
	Planned int
	// Standing is how the study's plan stands. It decides the marks of the numbers,
	// and whether test-b stands apart.
	Standing Standing
	// Adaptive names the attacks that are adaptive probes, which stand apart.
	Adaptive []string
	// Baselines are the controllers that the study takes apart, and Ablations its
	// conditions that lack parts of others.
	Baselines []Baselines
	Ablations []Ablation
	// Blocks says how a provider's blocks enter the endpoints.
	Blocks Blocks
	// Notes are what the caller knows of the data as a whole, such as
	// CodeStudyChanged; they end the result's warnings.
	Notes []uplift.Warning
	// BroughtIn says of a simulated study that labels of its responses came by file:
	// who gave them is not known to be simulated.
	BroughtIn bool
	// Progress is told how many contrasts are made, once before the first and after
	// each; nil is told nothing.
	Progress func(done, total int)
}

// Truth is the known mean of an endpoint in a simulated study.
type Truth struct {
	Model, Condition, Endpoint string
	Part                       string // whose mean it is, see [Parts]; empty: the headline
	Mean                       float64
}

// Pair is one matched pair of a contrast: the tidy row from which its headline
// can be computed again. Difference is ScoreCondition - ScoreReference.
type Pair struct {
	Model          string      `json:"model"`
	Condition      string      `json:"condition"`
	Reference      string      `json:"reference"`
	Endpoint       string      `json:"endpoint"`
	Scale          string      `json:"scale"`
	Tier           uplift.Tier `json:"tier"` // effective
	Task           string      `json:"task"`
	Family         string      `json:"family"`
	Attack         string      `json:"attack"`
	Replicate      int         `json:"replicate"`
	ScoreCondition float64     `json:"score_condition"`
	ScoreReference float64     `json:"score_reference"`
	Difference     float64     `json:"difference"`
}
