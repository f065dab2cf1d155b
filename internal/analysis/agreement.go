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
	Tiers      []string             // only these, AllTiers among them; empty: every tier with marks, and AllTiers
	Ratio      []string             // scales of amounts with a true zero, for which alpha_ratio has a meaning
	Standing   Standing             // of the study's plan; [Full] gives its own
}

// Agreement is everything that `uplift agreement --json` prints.
type Agreement struct {
	Simulated  bool             `json:"simulated"`           // as Result.Simulated: the raters are simulated too
	BroughtIn  bool             `json:"labels_brought_in"`   // as Result.BroughtIn
	Condition  string           `json:"condition,omitempty"` // empty: all
	Cluster    Cluster          `json:"cluster"`
	Level      float64          `json:"level"`
	Seed       uint64           `json:"seed"`
	Replicates int              `json:"replicates"`
	Scales     []ScaleAgreement `json:"scales"` // by scale, then the known tiers, then all
	Warnings   []uplift.Warning `json:"warnings"`
	Marks      []uplift.Warning `json:"marks"` // those that every figure carries
}

// AllTiers names the entry of a scale over every response, untiered ones
// included.
const AllTiers = "all"

// ScaleAgreement is how far the raters agree on one scale in one tier. A nil
// figure is undefined for the reason in Undefined.
type ScaleAgreement struct {
	Scale           string              `json:"scale"`
	Tier            string              `json:"tier"`          // a tier's name, or AllTiers
	Units           int                 `json:"units"`         // responses with at least one mark
	Shared          int                 `json:"shared"`        // responses with at least two
	Ratings         int                 `json:"ratings"`       // marks
	Raters          int                 `json:"raters"`        // who marked something here
	RaterNames      []string            `json:"rater_names"`   // in order of name
	Clusters        int                 `json:"clusters"`      // of the shared responses
	Categories      []float64           `json:"categories"`    // of the scale, ascending
	Percent         *float64            `json:"percent"`       // agreeing pairs of marks, in [0,1]
	AlphaNominal    *float64            `json:"alpha_nominal"` // Krippendorff's alpha
	AlphaOrdinal    *float64            `json:"alpha_ordinal"`
	AlphaInterval   *float64            `json:"alpha_interval"`
	AlphaRatio      *float64            `json:"alpha_ratio"` // only of a scale in AgreeOptions.Ratio
	Kappa           *float64            `json:"kappa"`       // Cohen; with more than two raters the mean over pairs (Light)
	KappaLinear     *float64            `json:"kappa_linear"`
	KappaQuadratic  *float64            `json:"kappa_quadratic"`
	Fleiss          *float64            `json:"fleiss"`
	BrennanPrediger *float64            `json:"brennan_prediger"`
	AC1             *float64            `json:"ac1"` // Gwet
	AC2Linear       *float64            `json:"ac2_linear"`
	AC2Quadratic    *float64            `json:"ac2_quadratic"`
	AC2Ordinal      *float64            `json:"ac2_ordinal"`  // Gwet's ordinal weights, which are not Krippendorff's distances
	ICCA1           *float64            `json:"icc_a1"`       // of one rater's mark
	ICCAK           *float64            `json:"icc_ak"`       // of the mean of all raters' marks
	CI              map[string]Range    `json:"ci"`           // by figure; clusters drawn again
	Coverage        map[string]Coverage `json:"coverage"`     // of ci, by figure; only of those that were measured
	SE              map[string]float64  `json:"se"`           // by figure; takes every response as independent
	Values          []float64           `json:"values"`       // rows and columns of every table: Categories, and what was marked beside them
	Coincidences    [][]float64         `json:"coincidences"` // Krippendorff's, values x values; symmetric; sums to the marks of shared responses
	ByRater         []RaterMarks        `json:"by_rater"`     // in order of name
	Pairs           []RaterPair         `json:"pairs"`        // who share a response, in order of name
	Patterns        []RaterPattern      `json:"patterns"`     // who marked together, the most frequent first
	Undefined       map[string]string   `json:"undefined"`    // figure, or "ci." or "se." and figure, or "coincidences": reason
	Warnings        []uplift.Warning    `json:"warnings"`
}

// RaterMarks is how one rater marked.
type RaterMarks struct {
	Name       string   `json:"name"`
	Marks      int      `json:"marks"`
	Shared     int      `json:"shared"`     // of them, on responses that someone else marked too
	Mean       float64  `json:"mean"`       // of all marks
	Difference *float64 `json:"difference"` // own mark minus the mean of the others', over the shared; nil without any
	Percent    *float64 `json:"percent"`    // of the others' marks of the same response, those equal, in [0,1]; nil without any
	Counts     []int    `json:"counts"`     // of marks, by ScaleAgreement.Values; nil when there are too many of those
}

// RaterPair is how two raters marked the responses that both marked.
type RaterPair struct {
	A                string            `json:"a"`
	B                string            `json:"b"`
	Shared           int               `json:"shared"`          // responses, at least 1
	Percent          float64           `json:"percent"`         // equal marks, in [0,1]
	MeanDifference   float64           `json:"mean_difference"` // A's mark minus B's
	Kappa            *float64          `json:"kappa"`
	KappaSE          *float64          `json:"kappa_se"` // takes every response as independent
	KappaQuadratic   *float64          `json:"kappa_quadratic"`
	KappaQuadraticSE *float64          `json:"kappa_quadratic_se"`
	Table            [][]int           `json:"table"`     // responses: A's mark by row, B's by column; by ScaleAgreement.Values
	Undefined        map[string]string `json:"undefined"` // figure: reason
}

// RaterPattern is a set of raters who alone marked some responses.
type RaterPattern struct {
	Raters []string `json:"raters"` // in order of name
	Units  int      `json:"units"`  // responses that they and nobody else marked
}
