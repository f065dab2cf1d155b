package power

import uplift "github.com/uplift-eval/uplift"

// Result is everything that `uplift power --json` prints. The JSON names are a
// contract: keys may be added, never renamed. A list by ICC is in the order of
// its answer's ICCs; null stands where a number does not exist.
type Result struct {
	Study      string           `json:"study,omitempty"` // of a pilot
	Digest     string           `json:"digest,omitempty"`
	Simulated  bool             `json:"simulated"`
	Cluster    string           `json:"cluster"`  // task or family
	Least      int              `json:"least"`    // tasks; no answer names fewer, since the analysis finds nothing with them
	LeastBy    string           `json:"least_by"` // what asks for that many: "interval" or "sign_flip"
	Alpha      float64          `json:"alpha"`    // two-sided
	Power      float64          `json:"power"`    // the aim
	Raters     []int            `json:"raters"`
	Double     float64          `json:"double"`
	Noise      float64          `json:"noise"` // as asked; 0: not, and each answer has its own
	Endpoints  int              `json:"endpoints"`
	Conditions int              `json:"conditions"`
	Answers    []Answer         `json:"answers"`
	SignFlip   SignFlip         `json:"sign_flip"` // of a benchmark's tasks by endpoint
	Says       []string         `json:"says"`      // what 18 tasks can and cannot show, in sentences
	Warnings   []uplift.Warning `json:"warnings"`
}

// Answer is what one basis means for the designs of the grids.
type Answer struct {
	Basis   Basis     `json:"basis"`
	Verdict []string  `json:"verdict"` // what the present design finds, or else what a power takes, in sentences
	Delta   *float64  `json:"delta"`   // condition - reference; nil: none was given and the basis has none
	Noise   *float64  `json:"noise"`   // share of the variance of Basis.SD that is rating noise; nil: not known
	ICCs    []float64 `json:"iccs"`
	P       []AtICC   `json:"p_by_icc"` // of a published difference
	Present *Present  `json:"present"`  // nil where the basis has no design
	Tables  []Table   `json:"tables"`   // one a number of raters
	Second  []Second  `json:"second_rater"`
	Shares  []Share   `json:"shares"` // what the tasks of one endpoint show

	NoiseFrom string `json:"noise_from"` // or, of a pilot with raters' own marks, why it is nil

	NonInferiority *NonInferiority  `json:"non_inferiority"` // nil without a margin
	Warnings       []uplift.Warning `json:"warnings"`

	Curves []Curve `json:"-"` // for a picture
}

// AtICC is a p value under an assumed ICC.
type AtICC struct {
	ICC float64 `json:"icc"`
	P   float64 `json:"p"`
}

// Present is the design of the basis itself.
type Present struct {
	Tasks        int        `json:"tasks"`
	PairsPerTask float64    `json:"pairs_per_task"`
	SE           []*float64 `json:"se"` // by ICC, as the next two
	Power        []*float64 `json:"power"`
	Detectable   []*float64 `json:"detectable"` // smallest difference found with the aimed power
	Ratings      int        `json:"ratings"`
}

// Table is power by tasks and pairs a task, and what the aim takes.
type Table struct {
	Raters int       `json:"raters"` // of every response
	Pairs  []float64 `json:"pairs"`  // of the columns
	Rows   []Row     `json:"rows"`
	Needs  []Need    `json:"needs"` // of the aim, and of .90 where the aim is lower
}

// Row is one number of tasks of the endpoint.
type Row struct {
	Tasks int    `json:"tasks"`
	Cells []Cell `json:"cells"` // in the order of the table's pairs
}

// Cell is one design.
type Cell struct {
	Power      []*float64 `json:"power"`      // by ICC; null without a difference to find
	Detectable []*float64 `json:"detectable"` // by ICC
	Price      Price      `json:"price"`
}

// Need is what a power takes.
type Need struct {
	Power float64    `json:"power"`
	Cells []NeedCell `json:"cells"` // in the order of the table's pairs
}

// NeedCell is what a power takes at one number of pairs a task, by ICC.
type NeedCell struct {
	Tasks  []*int   `json:"tasks"` // null: no number of tasks up to 1,000,000
	Prices []*Price `json:"prices"`
	Near   []Near   `json:"near"`
}

// Near is a number of tasks, one below the needed and not below the least, that
// falls short of the power by less than .0005.
type Near struct {
	ICC   float64 `json:"icc"`
	Tasks int     `json:"tasks"`
	Power float64 `json:"power"`
}

// Price is what a study of the design takes for all its endpoints: every task
// of every endpoint, under every condition and the reference that they share.
type Price struct {
	Responses int      `json:"responses"`
	Ratings   int      `json:"ratings"`
	Hours     *float64 `json:"hours"`
	Money     *float64 `json:"money"`
}

// Second is what one more rater of every response saves, at one share of rating
// noise.
type Second struct {
	Noise  float64    `json:"noise"`
	Raters int        `json:"raters"`
	Pairs  float64    `json:"pairs"`
	Tasks  []*int     `json:"tasks"` // for the aim, by ICC
	Saved  []*float64 `json:"saved"` // share of the tasks
}

// Share is a benchmark of which a part of the tasks carries an endpoint.
type Share struct {
	Plan         string     `json:"plan"`  // builtin or present
	Total        int        `json:"total"` // tasks of the benchmark
	Tasks        int        `json:"tasks"` // of them for one endpoint
	PairsPerTask float64    `json:"pairs_per_task"`
	Power        []*float64 `json:"power"` // by ICC, as the next two
	Detectable   []*float64 `json:"detectable"`
	NonInferior  []*float64 `json:"non_inferiority"` // null without a margin
}

// NonInferiority is the power to show "not worse by the margin or more".
type NonInferiority struct {
	Margin float64    `json:"margin"`
	Truth  float64    `json:"truth"`  // condition - reference
	Better Better     `json:"better"` // empty: not said, and of no matter where the truth is 0
	Alpha  float64    `json:"alpha"`  // one-sided
	Rows   []NIRow    `json:"rows"`   // the tables, with the first number of raters
	Least  int        `json:"least"`  // tasks; as that of the result, for this test
	Needs  [][]*int   `json:"needs"`  // tasks for the aim, by pairs and then by ICC
	Now    []*float64 `json:"present"`
}

// NIRow is one number of tasks.
type NIRow struct {
	Tasks int          `json:"tasks"`
	Cells [][]*float64 `json:"cells"` // power by pairs, then by ICC
}

// SignFlip is what the exact test can show at best with the tasks of one
// endpoint.
type SignFlip struct {
	Tasks  int     `json:"tasks"`
	Floor  float64 `json:"floor"`  // smallest p
	Family int     `json:"family"` // contrasts under Holm
	Wants  float64 `json:"wants"`  // alpha/family: what the smallest p of the family must reach
	Needs  int     `json:"needs"`  // tasks for it
}

// Curve is power by tasks.
type Curve struct {
	Raters int
	Pairs  float64
	ICC    float64
	Points []Point
}

// Point is one number of tasks.
type Point struct {
	Tasks int
	Power float64
}

// The codes of warnings.
const (
	CodeLowShare    = "power_low_endpoint" // so do the tasks of one endpoint, of a benchmark that divides
	CodeLow         = "power_low"          // a design finds the difference in under half of all studies
	CodeICCNegative = "icc_negative"       // taken as 0
	CodeICCWide     = "icc_uncertain"      // a pilot's ICC is a guess
	CodeOwnDelta    = "delta_from_pilot"   // the difference that a pilot happened to show
	CodeNoDelta     = "no_delta"           // nothing to find
	CodeFar         = "delta_outside"      // a difference that the pilot's own interval does not hold
	CodeStill       = "pilot_hardly_moved" // few of the pilot's tasks differ at all
	CodeFew         = "too_few_tasks"      // a design that the analysis finds nothing with
	CodeScale       = "beyond_scale"       // percentages, it seems
	CodeAlone       = "interval_assumed"   // a published interval is all there is
	CodeNoise       = "noise_unknown"      // more raters, and no share of noise
	CodeNoiseFew    = "noise_not_told"     // a pilot's double ratings are too few to tell the noise
	CodeNoiseWide   = "noise_uncertain"    // a pilot's share of noise is a guess
	CodeNoiseJoined = "labels_joined"      // a pilot's labels join several ratings
	CodeNoiseLeft   = "noise_and_icc"      // noise and ICC exceed the variance
	CodeLeftOut     = "contrast_left_out"  // a contrast tells nothing of its variance
)
