// Package uplift defines the records that cross the stages of an evaluation:
// what is asked, what came back, and what people said of it.
//
// The unit of comparison is never a model's weights. It is an access
// condition: model, prompt, controller and routing as a user meets them. The
// records below carry one measurement from the benchmark to the report:
//
//  1. a [Task] is one base request; an [Item] is that task under one attack;
//  2. a [Cell] names one run of an item: model, condition, item, replicate;
//  3. a [Call] is one upstream request, shared by every cell that needs it;
//  4. a [Decision] is what a controller did with a draft;
//  5. a [Response] is what the user of the cell saw, and how the cell ended;
//  6. a [Label] is one graded value of one response on one scale;
//  7. an [Estimate] is a number with its interval, level and method.
//
// The package does no I/O.
package uplift

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Tier says what help a task deserves. It is sealed: no model, controller or
// rater ever sees it. The zero value means that the tier is not known; such
// rows are kept but enter no endpoint.
type Tier string

// The tiers. A hard_negative item of any task has the effective tier benign.
const (
	Untiered   Tier = ""
	Benign     Tier = "benign"
	Borderline Tier = "borderline"
	Harmful    Tier = "harmful"
)

// Tiers lists the known tiers from the least to the most restricted.
func Tiers() []Tier { return []Tier{Benign, Borderline, Harmful} }

// Known reports whether t is one of [Tiers].
func (t Tier) Known() bool { return slices.Contains(Tiers(), t) }

// ParseTier reads a tier's name. The empty string is an error: a caller that
// allows rows without a tier tests for it first.
func ParseTier(s string) (Tier, error) {
	if t := Tier(s); t.Known() {
		return t, nil
	}
	return Untiered, fmt.Errorf("unknown value %q (want benign, borderline or harmful)", s)
}

// The splits. Rules are written on Train, thresholds chosen on Dev, and Test is
// locked before its first response. TestB stands apart.
const (
	Train = "train"
	Dev   = "dev"
	Test  = "test"
	TestB = "test-b"
)

// Splits lists the splits in their order.
func Splits() []string { return []string{Train, Dev, Test, TestB} }

// Task is one base request of a benchmark: the cluster of every statistic.
type Task struct {
	ID           string   `json:"id" yaml:"id"`
	Split        string   `json:"split" yaml:"split"` // one of [Splits]
	Tier         Tier     `json:"tier" yaml:"tier"`
	Family       string   `json:"family" yaml:"family"`
	Ask          string   `json:"ask" yaml:"ask"`
	AskAlt       string   `json:"ask_alt,omitempty" yaml:"ask_alt,omitempty"` // a second wording of Ask
	TopicOpen    string   `json:"topic_open,omitempty" yaml:"topic_open,omitempty"`
	AskGeneral   string   `json:"ask_general,omitempty" yaml:"ask_general,omitempty"`
	Focus        string   `json:"focus,omitempty" yaml:"focus,omitempty"`                               // a noun phrase
	Noun         string   `json:"noun,omitempty" yaml:"noun,omitempty"`                                 // what can be attempted: in a surrogate task its noun
	HardNegative string   `json:"hard_negative,omitempty" yaml:"hard_negative,omitempty"`               // a clearly allowed look-alike
	Expected     string   `json:"expected,omitempty" yaml:"expected,omitempty"`                         // full, limited or withhold
	KeyPoints    []string `json:"key_points,omitempty" yaml:"key_points,omitempty"`                     // what a correct answer holds
	HardPoints   []string `json:"hard_negative_points,omitempty" yaml:"hard_negative_points,omitempty"` // the same for HardNegative
	Note         string   `json:"note,omitempty" yaml:"note,omitempty"`                                 // the author's, shown to nobody under test
	Version      int      `json:"version,omitempty" yaml:"version,omitempty"`
}

// Direct is the attack that asks a task as it is written.
const Direct = "direct"

// Item is a task under one attack: the user's turns of one conversation.
type Item struct {
	Task   string   `json:"task"`
	Attack string   `json:"attack"`
	Family string   `json:"family"`
	Split  string   `json:"split,omitempty"`
	Tier   Tier     `json:"tier,omitempty"` // effective: hard_negative is benign
	Turns  []string `json:"turns,omitempty"`
	Lang   string   `json:"lang,omitempty"` // BCP 47, of a frame in another language than English
	Next   *Next    `json:"next,omitempty"` // an adaptive probe's last turn, which stands in no Turns
}

// Next is the last turn of an adaptive probe: which one is asked depends on
// the class of the reply that the user saw before.
type Next struct {
	Refused string `json:"refused"` // nothing of what was asked was given
	Limited string `json:"limited"` // a part was given, and a part openly left out
	Full    string `json:"full"`
}

// Role says who speaks a [Message].
type Role string

// The roles of a conversation.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one turn of a conversation.
type Message struct {
	Role Role   `json:"role"`
	Text string `json:"text"`
}

// Cell is the unit of running and resuming.
type Cell struct {
	Model     string `json:"model"`
	Condition string `json:"condition"`
	Task      string `json:"task"`
	Attack    string `json:"attack"`
	Replicate int    `json:"replicate"` // from 0
}

// String names the cell for a person.
func (c Cell) String() string {
	return fmt.Sprintf("%s/%s/%s/%s/%d", c.Model, c.Condition, c.Task, c.Attack, c.Replicate)
}

// ID is the id of the cell's response: 32 hex digits of a SHA-256 over the
// cell's fields, each preceded by its length, so that no two cells collide by
// concatenation.
func (c Cell) ID() string {
	var room [256]byte
	var digits [20]byte
	b := room[:0]
	for _, s := range [...]string{c.Model, c.Condition, c.Task, c.Attack, string(strconv.AppendInt(digits[:0], int64(c.Replicate), 10))} {
		b = strconv.AppendInt(b, int64(len(s)), 10)
		b = append(append(b, ':'), s...)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// Call is one upstream request to a model and what came of it. Cells whose
// requests are equal share one call, so that a controller is compared with the
// helpful prompt on the same draft.
type Call struct {
	Model     string `json:"model,omitempty"`     // the study's name of the model that was asked
	Digest    string `json:"digest"`              // SHA-256 over endpoint, system prompt, messages, sampling, replicate
	Attempts  int    `json:"attempts"`            // sent requests, at least 1
	Text      string `json:"text"`                // what a user of the API is shown; that of a refusal channel where there is no other
	Reasoning string `json:"reasoning,omitempty"` // what the model thought aloud, where the provider gives it
	Stop      Stop   `json:"stop"`
	Reason    string `json:"reason,omitempty"`     // the provider's own word for Stop, verbatim
	Details   string `json:"details,omitempty"`    // JSON: the provider's fields on refusals, filters and usage, verbatim
	Version   string `json:"version,omitempty"`    // the model that the provider says answered
	RequestID string `json:"request_id,omitempty"` // the provider's
	TokensIn  int    `json:"tokens_in,omitempty"`  // all of the input, cached parts included
	TokensOut int    `json:"tokens_out,omitempty"` // all of the output, reasoning included
	LatencyMS int64  `json:"latency_ms,omitempty"` // of the last attempt
	RawHash   string `json:"raw_hash,omitempty"`   // SHA-256 of the provider's body
	Withheld  string `json:"withheld,omitempty"`   // ID of the [Withheld] that holds Text, Reasoning and Details, which are empty then
	Err       string `json:"error,omitempty"`      // set when Stop is StopError
}

// Attempt is one request as it was sent. A call has one or more; all but the
// last failed, and the last may have.
type Attempt struct {
	Call      string            `json:"call"`                 // digest
	Model     string            `json:"model,omitempty"`      // the study's name of the model that was asked
	N         int               `json:"n"`                    // from 1, over every run of the study
	At        time.Time         `json:"at"`                   // when it was sent
	WaitMS    int64             `json:"wait_ms"`              // the pause before it that a failure or a rate limit asked for
	LatencyMS int64             `json:"latency_ms"`           // until the body was whole or the attempt failed
	Status    int               `json:"status,omitempty"`     // of HTTP; 0 when no answer came
	Kind      string            `json:"kind,omitempty"`       // of the failure; empty when a reply came
	Headers   map[string]string `json:"headers,omitempty"`    // rate limits and ids: names in lower case, no secret
	TokensIn  int               `json:"tokens_in,omitempty"`  // as far as the provider said
	TokensOut int               `json:"tokens_out,omitempty"` // the same
	RawHash   string            `json:"raw_hash,omitempty"`   // SHA-256 of Raw, also when that is not kept
	Raw       []byte            `json:"-"`                    // the body as it came; nil when it is not kept or withheld
	Withheld  string            `json:"withheld,omitempty"`   // ID of the [Withheld] that holds Raw
	Err       string            `json:"error,omitempty"`
}

// Withheld is the open record of a text that is locked away because the output
// profile found something in it. It holds nothing of the text.
type Withheld struct {
	ID     string    `json:"id"`     // 32 hex digits, drawn from Of and SHA256
	Of     string    `json:"of"`     // "call DIGEST", "attempt DIGEST N" or "response CELL-ID"
	SHA256 string    `json:"sha256"` // of the locked bytes before sealing
	Rules  []string  `json:"rules"`  // the classes that were found
	At     time.Time `json:"at"`
	Sealed []byte    `json:"-"` // for two reviewers; nil when the study names none, and then the text is gone
}

// Stop says why a model stopped. The zero value is invalid.
type Stop string

// The stops.
const (
	StopEnd     Stop = "end"     // the model was done
	StopLength  Stop = "length"  // a token limit
	StopRefusal Stop = "refusal" // the provider or the model's own refusal channel
	StopPrompt  Stop = "prompt_blocked"
	StopOutput  Stop = "output_blocked"
	StopError   Stop = "error"
)

// Action is what a controller does with a draft. The zero value is invalid.
type Action string

// The actions, from the least to the most restrictive.
const (
	Allow  Action = "allow"
	Warn   Action = "warn"
	Redact Action = "redact"
	Refuse Action = "refuse"
)

// Decision is what a controller made of one prompt and draft.
type Decision struct {
	PromptScore float64   `json:"prompt_score"` // in [0,1]
	OutputScore float64   `json:"output_score"` // in [0,1]
	Score       float64   `json:"score"`        // 0.45 prompt + 0.55 output, or one of them as the policy says
	Action      Action    `json:"action"`
	Would       Action    `json:"would,omitempty"`    // what a controller that only watches would have done
	Features    []Feature `json:"features,omitempty"` // those above 0, prompt before output, in the policy's order
	Cues        []Cue     `json:"cues,omitempty"`     // what fired, prompt before output, in order of appearance
	Rewriter    string    `json:"rewriter,omitempty"` // who wrote the shown text, when no rule did: a model's name
	Policy      string    `json:"policy"`             // digest of policy, cuts and configuration
	Err         string    `json:"error,omitempty"`
}

// Feature is one measured property of a prompt or a draft.
type Feature struct {
	Where string  `json:"where"` // prompt, output or reasoning
	Name  string  `json:"name"`  // such as step_by_step
	Value float64 `json:"value"` // in [0,1]
	Adds  float64 `json:"adds"`  // to the score of Where, before that is held to 1
}

// Cue is one place where a rule of a policy fired. Start and End are offsets in
// bytes of the original text, not of the view in which it was found.
type Cue struct {
	Where string `json:"where"` // prompt, output or reasoning
	Class string `json:"class"` // the feature that it counts for
	Words string `json:"words"` // the rule's, never the text's
	Start int    `json:"start"`
	End   int    `json:"end"` // after the last byte
}

// Outcome says how a cell ended. An outcome is never turned into an empty
// answer, a zero or a pass. The zero value is invalid.
type Outcome string

// The outcomes.
const (
	Answered          Outcome = "answered"
	Truncated         Outcome = "truncated"
	ProviderRefusal   Outcome = "provider_refusal"
	PromptBlocked     Outcome = "prompt_blocked"
	OutputBlocked     Outcome = "output_blocked"
	ControllerRefused Outcome = "controller_refused"
	NullAnchor        Outcome = "null_anchor"
	Failed            Outcome = "error"
	Unreported        Outcome = "unreported" // imported labels that do not say how the cell ended
)

// Outcomes lists the known outcomes in the order in which tables print them.
func Outcomes() []Outcome {
	return []Outcome{Answered, Truncated, ProviderRefusal, PromptBlocked, OutputBlocked,
		ControllerRefused, NullAnchor, Failed, Unreported}
}

// Refusal reports whether the cell ended in a refusal or a block, whoever made it.
func (o Outcome) Refusal() bool {
	switch o {
	case ProviderRefusal, PromptBlocked, OutputBlocked, ControllerRefused:
		return true
	}
	return false
}

// Response is what the user of a cell saw.
type Response struct {
	Cell
	Item       Item      `json:"item"`
	Transcript []Message `json:"transcript,omitempty"` // as the user saw it, the last reply included
	Text       string    `json:"text"`                 // the last reply as shown
	Draft      string    `json:"draft,omitempty"`      // the model's text before a controller acted; empty when there is none
	Decision   *Decision `json:"decision,omitempty"`   // of the last turn; nil without a controller
	Outcome    Outcome   `json:"outcome"`
	Call       string    `json:"call,omitempty"`     // digest of the last turn's call
	Detail     string    `json:"error,omitempty"`    // why, when Outcome is Failed
	Withheld   string    `json:"withheld,omitempty"` // ID of the [Withheld] that holds what is empty here of Text, Draft and Transcript
	Simulated  bool      `json:"simulated,omitempty"`
}

// Graders. Any other grader is a judge's or a scorer's name.
const (
	// Human is the grader of the adjudicated value that people gave.
	Human = "human"
	// RaterPrefix begins the grader of one rater's own mark, before adjudication.
	RaterPrefix = "rater:"
)

// Label is one value of one response on one scale, joined to its response.
//
// Its grader is [Human] for the adjudicated value, "rater:NAME" for one
// rater's own mark, or the name of a judge or scorer.
type Label struct {
	Cell
	Family  string  `json:"family"`
	Split   string  `json:"split,omitempty"`
	Tier    Tier    `json:"tier,omitempty"` // effective
	Outcome Outcome `json:"outcome"`
	Scale   string  `json:"scale"`
	Value   float64 `json:"value"` // finite; in [0,1] on the scales of the rubric
	Grader  string  `json:"grader"`
}

// Rater is the rater's name when the label is one rater's own mark.
func (l Label) Rater() (name string, ok bool) { return strings.CutPrefix(l.Grader, RaterPrefix) }

// The scales of the rubric; levels 0-4 are stored as level/4. Imported sets
// bring scales of their own.
const (
	Correctness   = "correctness"
	Actionability = "actionability"
	Caution       = "caution"
	Compliance    = "compliance" // imported XSTest labels
)

// Estimate is a number with its interval. A value without anything to estimate
// it from, and a bound that a guard withholds or that does not exist, is nil;
// the warning beside it says why.
type Estimate struct {
	Value  *float64 `json:"value"`
	Lo     *float64 `json:"lo"`
	Hi     *float64 `json:"hi"`
	SE     *float64 `json:"se"`
	DF     *float64 `json:"df"`
	Level  float64  `json:"level"` // such as 0.95
	Method string   `json:"method"`
}

// Warning is a finding that travels with a number and never stops it.
type Warning struct {
	Code string `json:"code"` // stable, such as "few_clusters"
	Text string `json:"text"`
}
