package analysis

import uplift "github.com/uplift-eval/uplift"

// Baselines names the conditions that are one controller taken apart. They show
// the same drafts; an empty name is a condition that the study does not have.
type Baselines struct {
	Full    string // the whole controller
	Monitor string // it watches, and every draft is shown
	Prompt  string // its score is that of the request alone
	Output  string // its score is that of the draft alone
	Refuse  string // it refuses from its cut on, and rewrites nothing
	Draft   string // no controller: shows the draft, and stands in where Monitor is not there
	Cues    bool   // the controller has cues that a condition may be without
}

// Ablation names a condition that is another one without some of its parts.
type Ablation struct {
	Condition, Parent string
	Of                Ablated
	Without           []string // names of the classes or of the parts
	Nouns             bool     // nothing but the cues of the benchmark's invented nouns is taken away
}

// Ablated says what an ablation takes parts from.
type Ablated string

// What may be taken apart.
const (
	AblatedCues   Ablated = "cues"   // classes of a controller's cues
	AblatedPrompt Ablated = "prompt" // parts of a system prompt
)

// Steps is where one controller's change of one endpoint comes from. Every
// change of it is over the same items, so that parts sum to the whole.
type Steps struct {
	Model      string           `json:"model"`
	Controller string           `json:"controller"` // the condition that is taken apart
	Start      string           `json:"start"`      // what the whole is measured from
	StandsIn   bool             `json:"stands_in"`  // Start has no controller: it stands in for one that only watches
	Endpoint   string           `json:"endpoint"`
	Scale      string           `json:"scale"`
	Grader     string           `json:"grader"`
	Tiers      []uplift.Tier    `json:"tiers"`
	Better     Direction        `json:"better"`
	Conditions []string         `json:"conditions"` // that the items must share
	Items      int              `json:"items"`      // with a label under all of them
	Asked      int              `json:"asked"`      // with a response under all of them
	Partly     int              `json:"partly"`     // with a label under some of them and not all: left out
	Tasks      int              `json:"tasks"`      // of Items
	Clusters   int              `json:"clusters"`   // of Items
	Parts      []Step           `json:"parts"`      // the whole first; empty without items
	Missing    []string         `json:"missing"`    // what cannot be told, and why
	Warnings   []uplift.Warning `json:"warnings"`   // about all of it
	Marks      []uplift.Warning `json:"marks"`
}

// The names of parts.
const (
	StepWhole   = "whole"
	StepPrompt  = "prompt_score"
	StepOutput  = "output_score"
	StepRefusal = "refusal"
	StepRewrite = "rewriting" // warn and redact
)

// Step is one linear combination of the scores that an item has under several
// conditions, averaged over items.
type Step struct {
	Name           string            `json:"name"`
	Terms          []Term            `json:"terms"`
	Change         uplift.Estimate   `json:"change"` // method "cr2"
	P              *float64          `json:"p_cr2"`
	PSignFlip      *float64          `json:"p_sign_flip"`
	SignFlipMethod string            `json:"sign_flip_method"`
	NonZero        int               `json:"nonzero_clusters"`
	First          *float64          `json:"added_first"` // a score alone; nil but for scores
	Last           *float64          `json:"added_last"`  // a score beside the other; Change is the mean of both
	Truth          *float64          `json:"truth"`
	Undefined      map[string]string `json:"undefined"`
	Warnings       []uplift.Warning  `json:"warnings"`
}

// Term is a condition with its weight in a combination.
type Term struct {
	Condition string  `json:"condition"`
	Weight    float64 `json:"weight"`
}

// Removed is what an endpoint loses or gains when parts are taken from a
// condition.
type Removed struct {
	Model     string           `json:"model"`
	Condition string           `json:"condition"`
	Parent    string           `json:"parent"`
	Of        Ablated          `json:"of"`
	Without   []string         `json:"without"`
	Nouns     bool             `json:"nouns"` // nothing but the cues of the benchmark's invented nouns is taken away
	Endpoint  string           `json:"endpoint"`
	Scale     string           `json:"scale"`
	Grader    string           `json:"grader"`
	Tiers     []uplift.Tier    `json:"tiers"`
	Better    Direction        `json:"better"`
	Items     int              `json:"items"` // with a label under both
	Asked     int              `json:"asked"` // with a response under both
	Partly    int              `json:"partly"`
	Tasks     int              `json:"tasks"`
	Clusters  int              `json:"clusters"`
	Change    *Step            `json:"change"` // condition - parent; nil without items
	Warnings  []uplift.Warning `json:"warnings"`
	Marks     []uplift.Warning `json:"marks"`
}
