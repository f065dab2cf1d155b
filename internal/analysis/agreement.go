package analysis

import (
	"errors"

	uplift "github.com/uplift-eval/uplift"
)

// ErrNoMarks means that agreement cannot be asked of this study: it holds no
// rater's own marks, only labels.
var ErrNoMarks = errors.New("no rater's own marks")

// AgreeOptions says whose agreement is asked for. The zero value asks for
// every scale over all conditions, raters only.
type AgreeOptions struct {
	Condition  string               // only this condition; empty: all
	Scales     []string             // only these, in this order; empty: every scale with raters' marks
	Judges     []string             // graders, such as a judge model, that count as one more rater
	Cluster    Cluster              // what the bootstrap resamples; empty: ByTask
	Level      float64              // 0: 0.95
	Seed       uint64               //
	Replicates int                  // 0: 1,000; negative: no intervals
	Categories map[string][]float64 // the values a scale can take; default: those of the rubric, else the observed ones
}

// Agreement is everything that `uplift agreement --json` prints.
type Agreement struct {
	Simulated  bool             `json:"simulated"`           // as Result.Simulated: the raters are simulated too
	Condition  string           `json:"condition,omitempty"` // empty: all
	Cluster    Cluster          `json:"cluster"`
	Level      float64          `json:"level"`
	Seed       uint64           `json:"seed"`
	Replicates int              `json:"replicates"`
	Scales     []ScaleAgreement `json:"scales"` // by scale, then the known tiers, then all
	Warnings   []uplift.Warning `json:"warnings"`
}

// AllTiers names the entry of a scale over every response, untiered ones
// included.
const AllTiers = "all"

// ScaleAgreement is how far the raters agree on one scale in one tier. A nil
// figure is undefined for the reason in Undefined.
type ScaleAgreement struct {
	Scale          string            `json:"scale"`
	Tier           string            `json:"tier"`        // a tier's name, or AllTiers
	Units          int               `json:"units"`       // responses with at least one mark
	Shared         int               `json:"shared"`      // responses with at least two
	Ratings        int               `json:"ratings"`     // marks
	Raters         int               `json:"raters"`      // who marked something here
	RaterNames     []string          `json:"rater_names"` // in order of name
	Clusters       int               `json:"clusters"`    // of the shared responses
	Categories     []float64         `json:"categories"`  // of the scale, ascending
	Percent        *float64          `json:"percent"`     // agreeing pairs of marks, in [0,1]
	AlphaNominal   *float64          `json:"alpha_nominal"`
	AlphaOrdinal   *float64          `json:"alpha_ordinal"`
	AlphaInterval  *float64          `json:"alpha_interval"`
	Kappa          *float64          `json:"kappa"` // with more than two raters the mean over pairs (Light)
	KappaLinear    *float64          `json:"kappa_linear"`
	KappaQuadratic *float64          `json:"kappa_quadratic"`
	AC1            *float64          `json:"ac1"`
	AC2Quadratic   *float64          `json:"ac2_quadratic"`
	ICCA1          *float64          `json:"icc_a1"`
	CI             map[string]Range  `json:"ci"`        // by figure: alpha_ordinal, kappa_quadratic, ac1
	Undefined      map[string]string `json:"undefined"` // figure, or "ci." and figure: reason
	Warnings       []uplift.Warning  `json:"warnings"`
}
