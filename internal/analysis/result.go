package analysis

import uplift "github.com/uplift-eval/uplift"

// Result is everything that `uplift analyze --json` prints. The JSON names are
// a contract: keys may be added, never renamed.
type Result struct {
	Study      string           `json:"study"`
	Digest     string           `json:"digest"` // of the study file's canonical form
	Simulated  bool             `json:"simulated"`
	Cluster    Cluster          `json:"cluster"`
	Level      float64          `json:"level"`
	Grader     string           `json:"grader"` // of every endpoint; where they differ "scale: grader, ..."
	Seed       uint64           `json:"seed"`
	Replicates int              `json:"replicates"` // of every bootstrap
	Reference  string           `json:"reference"`
	Refusal    string           `json:"refusal"` // when a response counts as a refusal: RefusalDefinition
	Responses  int              `json:"responses"`
	Labels     int              `json:"labels"` // read for the endpoints, by the chosen graders
	Conditions []Condition      `json:"conditions"`
	Contrasts  []Contrast       `json:"contrasts"`
	Frontier   []OperatingPoint `json:"frontier"`
	Warnings   []uplift.Warning `json:"warnings"` // about the data as a whole
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
	MissingGraded int    `json:"missing_graded"`
	Withheld      string `json:"withheld,omitempty"` // why there is no interval
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
	Pairs          int               `json:"pairs"`
	Tasks          int               `json:"tasks"`
	Clusters       int               `json:"clusters"`
	Unmatched      int               `json:"unmatched"`        // labelled responses of either side without a labelled partner
	NonZero        int               `json:"nonzero_clusters"` // clusters with a non-zero difference
	MeanCondition  *float64          `json:"mean_condition"`   // over the pairs
	MeanReference  *float64          `json:"mean_reference"`
	Difference     uplift.Estimate   `json:"difference"` // method "cr2"
	P              *float64          `json:"p_cr2"`
	PSignFlip      *float64          `json:"p_sign_flip"`
	SignFlipMethod string            `json:"sign_flip_method"` // exact, or Monte Carlo with its draws
	PSignFlipPairs *float64          `json:"p_sign_flip_pairs"`
	PHolm          *float64          `json:"p_holm"`
	ICC            *float64          `json:"icc"`
	DesignEffect   *float64          `json:"design_effect"`
	TaskWeighted   *float64          `json:"task_weighted"`
	LeaveOneOut    *Range            `json:"leave_one_out"`
	McNemar        *McNemar          `json:"mcnemar"`
	RefusalChange  *float64          `json:"refusal_change"` // on the same pairs; nil when refusal is not known
	RefusalPairs   int               `json:"refusal_pairs"`  // pairs whose refusal is known on both sides
	Sensitivity    []Sensitivity     `json:"sensitivity"`
	NonInferiority *NonInferiority   `json:"non_inferiority"`
	Bounds         *Range            `json:"bounds"`    // of the difference, when labels are missing: worst and best
	Groups         []Group           `json:"groups"`    // the clusters, in order of name
	Undefined      map[string]string `json:"undefined"` // null figure of this contrast: reason
	Truth          *float64          `json:"truth,omitempty"`
	Warnings       []uplift.Warning  `json:"warnings"`
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
	// LoName and HiName name the cluster whose omission gives the value, where one does.
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
	Method  string   `json:"method"` // boot_t, task_percentile, task_bca, wild, pairs_percentile, pairs_bca, pigeonhole, sign_flip
	Value   float64  `json:"value"`
	Lo      *float64 `json:"lo"`
	Hi      *float64 `json:"hi"`
	Assumes string   `json:"assumes"`
	// Withheld says why there is no interval.
	Withheld string `json:"withheld,omitempty"`
}

// NonInferiority tests H0: the endpoint is worse by Margin or more.
type NonInferiority struct {
	Margin float64 `json:"margin"`
	P      float64 `json:"p"`
	Lower  float64 `json:"lower"`
}

// OperatingPoint is a condition's place in the utility-risk plane.
type OperatingPoint struct {
	Model      string   `json:"model"`
	Condition  string   `json:"condition"`
	Utility    *float64 `json:"utility"`
	Risk       *float64 `json:"risk"`
	Dominated  bool     `json:"dominated"`
	By         []string `json:"dominated_by,omitempty"`
	PDominated *float64 `json:"p_dominated"`        // share of joint cluster resamples; nil where guards withhold it
	Region     *Region  `json:"region"`             // joint region at the result's level
	Withheld   string   `json:"withheld,omitempty"` // why there is no p_dominated or no region
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
