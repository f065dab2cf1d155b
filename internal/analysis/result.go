package analysis

import uplift "github.com/uplift-eval/uplift"

// Result is everything that `uplift analyze --json` prints. The JSON names are
// a contract: keys may be added, never renamed.
type Result struct {
	Study      string           `json:"study"`
	Digest     string           `json:"digest"` // of the study file's canonical form
	Simulated  bool             `json:"simulated"`
	BroughtIn  bool             `json:"labels_brought_in"` // the responses are simulated, labels of them came by file
	Standing   Standing         `json:"standing"`
	Part       string           `json:"part"`   // what this is the result of: PartHeadline, or the name of an Apart
	Splits     []string         `json:"splits"` // of its responses, in the order of a study
	Marks      []uplift.Warning `json:"marks"`  // those that every number of it carries
	Cluster    Cluster          `json:"cluster"`
	Level      float64          `json:"level"`
	Grader     string           `json:"grader"` // of every endpoint; where they differ "scale: grader, ..."
	Seed       uint64           `json:"seed"`
	Replicates int              `json:"replicates"` // of every bootstrap
	Reference  string           `json:"reference"`
	Blocks     Blocks           `json:"provider_blocks"` // how a provider's blocks are taken: BlockedDefinition; empty: by their labels alone
	Refusal    string           `json:"refusal"`         // when a response counts as a refusal: RefusalDefinition
	Responses  int              `json:"responses"`
	Labels     int              `json:"labels"` // read for the endpoints, by the chosen graders
	Conditions []Condition      `json:"conditions"`
	Contrasts  []Contrast       `json:"contrasts"`
	Frontier   []OperatingPoint `json:"frontier"`
	Steps      []Steps          `json:"steps"`     // where the change of each controller comes from
	Ablations  []Removed        `json:"ablations"` // conditions that lack parts of others
	Warnings   []uplift.Warning `json:"warnings"`  // about the data as a whole
	Apart      []Apart          `json:"apart"`     // what never moves a number above; empty in a part
}

// Cluster says what the independent unit of the statistics is.
type Cluster string

// The clusters.
const (
	ByTask   Cluster = "task"
	ByFamily Cluster = "family"
)

// Condition is one condition of one model by itself.
type Condition struct {
	Model       string                 `json:"model"`
	Condition   string                 `json:"condition"`
	Endpoints   map[string]Mean        `json:"endpoints"` // by endpoint name
	Responses   int                    `json:"responses"`
	RefusalRate Rate                   `json:"refusal_rate"`
	ByTier      map[uplift.Tier]Rate   `json:"refusal_by_tier"`
	Outcomes    map[uplift.Outcome]int `json:"outcomes"`
	Truth       map[string]float64     `json:"truth,omitempty"` // simulated studies: the known mean by endpoint
	Marks       []uplift.Warning       `json:"marks"`           // why these numbers are not the locked plan's
}

// Mean is an endpoint's mean under one condition.
type Mean struct {
	Scale     string          `json:"scale"`
	Grader    string          `json:"grader"`
	Mean      *float64        `json:"mean"`      // nil without a label
	Estimate  uplift.Estimate `json:"estimate"`  // CR2 by the result's clusters
	Responses int             `json:"responses"` // labelled
	Tasks     int             `json:"tasks"`
	Clusters  int             `json:"clusters"`
	Missing   int             `json:"missing"` // responses of the tiers that have no label
	// MissingGraded counts those of Missing that the same grader labelled on the
	// scale of another endpoint: this scale may not apply to them.
	MissingGraded int `json:"missing_graded"`
	// Blocks counts the responses of the tiers that ended in a provider's block,
	// where the study says how to take them. Apart, they are in no other count here;
	// counted, BlocksZero of them are 0 in Responses without a label.
	Blocks     int              `json:"blocks"`
	BlocksZero int              `json:"blocks_zero"`
	Withheld   string           `json:"withheld,omitempty"` // why there is no interval
	Marks      []uplift.Warning `json:"marks"`
}

// Rate is a share with its Wilson interval.
type Rate struct {
	Value *float64 `json:"value"` // nil when N is 0
	Lo    *float64 `json:"lo"`
	Hi    *float64 `json:"hi"`
	Count int      `json:"count"`
	N     int      `json:"n"` // responses whose refusal is known
	// Unknown counts responses of which it is not known; they are in no denominator.
	Unknown int `json:"unknown"`
}

// Contrast is the paired difference of one endpoint between a condition and
// its reference.
type Contrast struct {
	Model          string            `json:"model"`
	Condition      string            `json:"condition"`
	Reference      string            `json:"reference"`
	Endpoint       string            `json:"endpoint"`
	Scale          string            `json:"scale"`
	Grader         string            `json:"grader"`
	Tiers          []uplift.Tier     `json:"tiers"`
	Better         Direction         `json:"better"` // which way the endpoint is better
	Pairs          int               `json:"pairs"`
	Tasks          int               `json:"tasks"`
	Clusters       int               `json:"clusters"`
	Unmatched      int               `json:"unmatched"`        // labelled responses of either side without a labelled partner
	NonZero        int               `json:"nonzero_clusters"` // clusters with a non-zero difference
	MeanCondition  *float64          `json:"mean_condition"`   // over the pairs
	MeanReference  *float64          `json:"mean_reference"`
	Difference     uplift.Estimate   `json:"difference"` // method "cr2"
	Coverage       *Coverage         `json:"coverage"`   // of the method of Difference
	P              *float64          `json:"p_cr2"`
	PSignFlip      *float64          `json:"p_sign_flip"`
	SignFlipMethod string            `json:"sign_flip_method"` // exact, or Monte Carlo with its draws
	PSignFlipPairs *float64          `json:"p_sign_flip_pairs"`
	Family         *Family           `json:"family"` // whose tests are adjusted together; nil without pairs
	PHolm          *float64          `json:"p_holm"` // of p_sign_flip
	PHolmCR2       *float64          `json:"p_holm_cr2"`
	PMaxT          *float64          `json:"p_max_t"`      // step-down
	MaxTMethod     string            `json:"max_t_method"` // exact, or Monte Carlo with its draws
	Band           *Band             `json:"band"`         // simultaneous over the family
	ICC            *float64          `json:"icc"`
	DesignEffect   *float64          `json:"design_effect"`
	TaskWeighted   *float64          `json:"task_weighted"`
	LeaveOneOut    *Range            `json:"leave_one_out"`
	McNemar        *McNemar          `json:"mcnemar"`
	RefusalChange  *float64          `json:"refusal_change"` // on the same pairs; nil when refusal is not known
	RefusalPairs   int               `json:"refusal_pairs"`  // pairs whose refusal is known on both sides
	Sensitivity    []Sensitivity     `json:"sensitivity"`
	NonInferiority *NonInferiority   `json:"non_inferiority"` // where the study gives a margin
	Equivalence    *Equivalence      `json:"equivalence"`     // the same
	ByRater        []RaterMean       `json:"by_rater"`        // in order of name
	RaterPairs     int               `json:"rater_pairs"`     // pairs of which at least one rater marked both sides
	LeaveRaterOut  *Range            `json:"leave_one_rater_out"`
	RatingNoise    *RatingNoise      `json:"rating_noise"`    // nil where no rater marked both sides of a pair
	Bounds         *Range            `json:"bounds"`          // of the difference, when labels are missing: worst and best
	Groups         []Group           `json:"groups"`          // the clusters, in order of name
	Blocks         *BlockCount       `json:"provider_blocks"` // nil without a provider's block, or where the study does not say how to take them
	Undefined      map[string]string `json:"undefined"`       // null figure of this contrast: reason
	Truth          *float64          `json:"truth,omitempty"`
	Warnings       []uplift.Warning  `json:"warnings"`
	Marks          []uplift.Warning  `json:"marks"`
}

// Group is one cluster of a contrast.
type Group struct {
	Name  string  `json:"name"`
	Pairs int     `json:"pairs"`
	Mean  float64 `json:"mean"` // difference
}

// Range is a closed interval of values, without a level.
type Range struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
	// LoName and HiName name the cluster, or the rater, whose omission gives the value, where one does.
	LoName string `json:"lo_name,omitempty"`
	HiName string `json:"hi_name,omitempty"`
}

// McNemar compares full scores only: value >= 1 against below.
type McNemar struct {
	Gain int     `json:"gain"` // full under the condition only
	Loss int     `json:"loss"` // full under the reference only
	P    float64 `json:"p"`    // exact
}

// Sensitivity is another interval for the same difference.
type Sensitivity struct {
	Method string  `json:"method"` // boot_t, task_percentile, task_expanded, task_bca, wild, pigeonhole, pairs_percentile, pairs_bca, pairs_t, blocks_apart, blocks_counted
	Value  float64 `json:"value"`  // the mean over the pairs; of pigeonhole over the raters' own marks of them
	// Pairs is there where they are not the contrast's: with blocks taken the other way.
	Pairs    int       `json:"pairs,omitempty"`
	Lo       *float64  `json:"lo"`
	Hi       *float64  `json:"hi"`
	Coverage *Coverage `json:"coverage"`
	Assumes  string    `json:"assumes"`
	// Withheld says why there is no interval.
	Withheld string `json:"withheld,omitempty"`
}

// Coverage is how often nominal 95 % intervals of a method held the truth in
// simulations: Lo to Hi, shares in [0,1], over several ways in which the data
// may arise, each with the given number of clusters.
type Coverage struct {
	Lo       float64 `json:"lo"`
	Hi       float64 `json:"hi"`
	Clusters int     `json:"clusters"` // of the simulations: the nearest there are
}

// Family is a set of contrasts whose tests are adjusted together: those of one
// endpoint, over conditions and models.
type Family struct {
	Name string `json:"name"` // the endpoint's
	Size int    `json:"size"` // its contrasts with pairs
	// Planned counts those that the study plans, with pairs or without; 0 where no
	// plan says.
	Planned int `json:"planned"`
	// Tested counts those of them with an interval: max-t and the band run over these.
	Tested int `json:"tested"`
}

// K is the number of p that Holm adjusts for. A planned contrast without pairs
// counts with p = 1: what is left unlabelled makes no family smaller.
func (f Family) K() int { return max(f.Size, f.Planned) }

// Band is the part of a simultaneous band that belongs to one contrast: all
// bands of a family hold their true differences at once, at the result's level.
type Band struct {
	Lo       float64 `json:"lo"`
	Hi       float64 `json:"hi"`
	Critical float64 `json:"critical"` // |t| that takes the place of the t quantile
	Method   string  `json:"method"`
	// Coverage is how often the bands of a family of three held all its truths at
	// once; nil as elsewhere.
	Coverage *Coverage `json:"coverage"`
}

// NonInferiority tests H0: the endpoint is worse by Margin or more.
type NonInferiority struct {
	Margin float64   `json:"margin"` // in the scale's unit
	Alpha  float64   `json:"alpha"`  // one-sided
	Better Direction `json:"better"`
	P      float64   `json:"p"`
	// Lower is the one-sided 1-Alpha confidence bound on the side that is worse: a
	// lower bound where higher is better, an upper one where lower is.
	Lower float64 `json:"lower"`
	Shown bool    `json:"shown"` // P is at most Alpha
}

// Equivalence tests H0: the endpoints differ by Margin or more, either way, by
// two one-sided tests. [Lo, Hi] is the 1-2*Alpha interval.
type Equivalence struct {
	Margin float64 `json:"margin"` // in the scale's unit
	Alpha  float64 `json:"alpha"`  // of each of the two tests
	P      float64 `json:"p"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
	Shown  bool    `json:"shown"` // P is at most Alpha
}

// RaterMean is the mean difference as one rater saw it.
type RaterMean struct {
	Rater string  `json:"rater"` // without "rater:"
	Pairs int     `json:"pairs"` // of which the rater marked both sides
	Mean  float64 `json:"mean"`
}

// OperatingPoint is a condition's place in the utility-risk plane.
type OperatingPoint struct {
	Model      string           `json:"model"`
	Condition  string           `json:"condition"`
	Utility    *float64         `json:"utility"`
	Risk       *float64         `json:"risk"`
	Dominated  bool             `json:"dominated"`
	By         []string         `json:"dominated_by,omitempty"`
	PDominated *float64         `json:"p_dominated"`        // share of joint cluster resamples; nil where guards withhold it
	Region     *Region          `json:"region"`             // joint region at the result's level
	Withheld   string           `json:"withheld,omitempty"` // why there is no p_dominated or no region
	Marks      []uplift.Warning `json:"marks"`
	// RivalMarks are those of the other points of its model alone, which dominated
	// and p_dominated compare it with.
	RivalMarks []uplift.Warning `json:"rival_marks"`
}

// Region is an ellipse in the utility-risk plane: the points x with
// (x-centre)' V^-1 (x-centre) <= Scale, V the covariance of the two means.
type Region struct {
	VarUtility float64 `json:"var_utility"`
	VarRisk    float64 `json:"var_risk"`
	Cov        float64 `json:"cov"`
	Scale      float64 `json:"scale"` // 2 (df+1)/df F(level; 2, df), Hotelling's with df+1
	DF         float64 `json:"df"`    // of the F: the smaller Satterthwaite df of the two means, less 1
	Method     string  `json:"method"`
}
