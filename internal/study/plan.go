package study

import (
	uplift "github.com/uplift-eval/uplift"
)

// File is the name of a study's file inside its directory.
const File = "study.yaml"

// SchemaFile is the name under which a study's JSON Schema is written.
const SchemaFile = "study.schema.json"

// Plan is what a study says, with every default filled in. Its tags are the
// one source of the JSON Schema, the reader's rules and the canonical form.
type Plan struct {
	Name           string         `json:"name" jsonschema:"required,pattern=^[A-Za-z0-9_][A-Za-z0-9._-]*$,maxLength=64" jsonschema_description:"The study's name: letters, digits, dot, underscore and hyphen."`
	Benchmark      *Benchmark     `json:"benchmark,omitempty" jsonschema_description:"Which tasks are asked, and in which forms. Left out when conditions are imported."`
	Models         []Model        `json:"models,omitempty" jsonschema:"minItems=1" jsonschema_description:"The fixed base models under test. Left out when conditions are imported."`
	Rewriters      []Model        `json:"rewriters,omitempty" jsonschema:"minItems=1" jsonschema_description:"Models that are not under test: they only rewrite, where a controller names one of them."`
	Conditions     Conditions     `json:"conditions" jsonschema:"required" jsonschema_description:"The access conditions that are compared, or the word imported when labels of finished conditions are brought in."`
	Reference      string         `json:"reference,omitempty" jsonschema_description:"The condition that every other one is compared with. Needed from two conditions on; left out when conditions are imported."`
	Endpoints      Endpoints      `json:"endpoints,omitempty" jsonschema_description:"What is measured, by name. utility and risk span the frontier. Without this key: correctness on benign and actionability on harmful tasks."`
	Audit          Audit          `json:"audit,omitzero" jsonschema_description:"The sample that people rate."`
	Limits         Limits         `json:"limits,omitzero" jsonschema_description:"Where a run stops before its next call. Left out when conditions are imported."`
	Hazard         string         `json:"hazard,omitempty" jsonschema:"enum=real" jsonschema_description:"real: the tasks are real hazardous requests. Drafts are kept encrypted, no text leaves the study, and somebody answers for it: authorisation and quarantine are needed."`
	Authorisation  string         `json:"authorisation,omitempty" jsonschema:"minLength=1" jsonschema_description:"Who allowed the study of real hazardous requests, when, and for what. Part of the plan and its digest."`
	Quarantine     *Quarantine    `json:"quarantine,omitempty" jsonschema_description:"Who may open a withheld text, both together. Without this key such a text is not stored at all."`
	ProviderBlocks ProviderBlocks `json:"provider_blocks,omitempty" jsonschema:"enum=count,enum=apart" jsonschema_description:"count: a provider's block without a label counts as 0 on every endpoint. apart: it is in no endpoint. The other choice is a sensitivity row. Default: count; with imported conditions neither, and a block counts by its labels alone."`
	Raw            string         `json:"raw,omitempty" jsonschema:"enum=keep,enum=hash,default=keep" jsonschema_description:"keep: the bodies that providers send are stored, so that every response can be made again from them. hash: their SHA-256 alone is."`
	Replicates     int            `json:"replicates,omitempty" jsonschema:"minimum=1,maximum=1000,default=1" jsonschema_description:"How often each item is asked of each model under each condition."`
	Seed           uint64         `json:"seed" jsonschema:"minimum=0,maximum=9007199254740991,default=1" jsonschema_description:"The seed of everything that is drawn, from 0 to 2^53-1."`
}

// Contrasts is how many contrasts each endpoint has, over models and conditions;
// 0 where conditions are imported, which plan none.
func (p Plan) Contrasts() int { return max(len(p.Conditions.List)-1, 0) * len(p.Models) }

// Benchmark says which tasks are asked. Exactly one of Set and File is set.
type Benchmark struct {
	Set     string   `json:"set,omitempty" jsonschema:"pattern=^[A-Za-z0-9_][A-Za-z0-9._-]*$,maxLength=64" jsonschema_description:"A set of tasks that the program carries, such as builtin."`
	File    string   `json:"file,omitempty" jsonschema:"minLength=1" jsonschema_description:"A file of tasks inside the study's directory: JSON Lines, YAML or CSV by its name, or another project's CSV with format."`
	Format  string   `json:"format,omitempty" jsonschema:"enum=xstest,enum=or-bench,enum=jailbreakbench,enum=harmbench,enum=do-not-answer,enum=strongreject" jsonschema_description:"Whose file it is, as that project publishes it. Without this key: a task file of our own schema."`
	Subset  string   `json:"subset,omitempty" jsonschema:"enum=80k,enum=hard-1k,enum=toxic,enum=harmful,enum=benign" jsonschema_description:"Which part of a format whose columns do not say it: 80k, hard-1k or toxic of or-bench, harmful or benign of jailbreakbench."`
	Split   string   `json:"split,omitempty" jsonschema:"enum=train,enum=dev,enum=test,enum=test-b" jsonschema_description:"The split that every row of another project's file belongs to. Default with format: train."`
	Include []string `json:"include,omitempty" jsonschema:"minItems=1,uniqueItems=true,enum=biology,enum=chemistry" jsonschema_description:"The fields whose hazardous rows are asked as well. Without this key: neither biology nor chemistry."`
	SHA256  string   `json:"sha256,omitempty" jsonschema:"pattern=^[0-9a-f]{64}$" jsonschema_description:"The SHA-256 of file; when stated it must match."`
	Splits  []string `json:"splits,omitempty" jsonschema:"minItems=1,uniqueItems=true,enum=train,enum=dev,enum=test,enum=test-b" jsonschema_description:"Which splits are asked. Without this key: every split there is."`
	Attacks Attacks  `json:"attacks,omitzero" jsonschema_description:"standard for the twelve standard forms, adaptive for the five probes, or a list of forms, in which standard and adaptive stand for theirs. Without this key: standard for a set, [direct] for a file."`
}

// Attacks says in which forms a task is asked: a named set of forms, or a list.
type Attacks struct {
	Set   string   // standard or adaptive; empty when Names are given
	Names []string // in the order of the file, without repetition
}

// Provider says who answers for a model.
type Provider string

// The providers.
const (
	Sim       Provider = "sim" // simulated: no network, everything is marked SIMULATED
	Anthropic Provider = "anthropic"
	Gemini    Provider = "gemini"
	OpenAI    Provider = "openai" // also any server that speaks its form
)

// Model is one fixed base model with its pinned sampling settings. Keys come
// from the environment, never from here.
type Model struct {
	Name     string   `json:"name" jsonschema:"required,pattern=^[A-Za-z0-9_][A-Za-z0-9._-]*$,maxLength=64" jsonschema_description:"The model's short name in every table."`
	Provider Provider `json:"provider" jsonschema:"required,enum=sim,enum=anthropic,enum=gemini,enum=openai" jsonschema_description:"Who answers. openai also stands for any server that speaks its form; sim needs no network."`
	Model    string   `json:"model,omitempty" jsonschema:"pattern=^[!-~]+$,maxLength=200" jsonschema_description:"The provider's own name of the model. Needed but for sim."`
	BaseURL  string   `json:"base_url,omitempty" jsonschema:"minLength=1" jsonschema_description:"Where the provider is reached, when not at its usual place: http or https, without credentials. With openai it may end with ?api-version=VERSION, which older deployments want."`
	KeyEnv   string   `json:"key_env,omitempty" jsonschema:"pattern=^[A-Za-z_][A-Za-z0-9_]*$,maxLength=128" jsonschema_description:"The environment variable that holds the key for base_url. Without this key no key is sent there; the provider's usual place gets its usual variable."`
	API      string   `json:"api,omitempty" jsonschema:"enum=chat,enum=responses" jsonschema_description:"Which form of the openai provider. Default: chat."`
	Safety   string   `json:"safety,omitempty" jsonschema:"enum=off,enum=block_none,enum=block_only_high,enum=block_medium_and_above,enum=block_low_and_above" jsonschema_description:"The threshold of the adjustable filters of the gemini provider, in its words. Default there: off, the base model with as little guard as the provider allows."`
	Sampling Sampling `json:"sampling,omitzero" jsonschema_description:"The pinned sampling settings."`
}

// Sampling is what is pinned of a model's sampling. A nil setting is not sent,
// so the provider's own default holds.
type Sampling struct {
	Temperature *float64 `json:"temperature,omitempty" jsonschema:"minimum=0,maximum=2" jsonschema_description:"From 0 to 2 (anthropic: to 1). Not sent when left out."`
	TopP        *float64 `json:"top_p,omitempty" jsonschema:"exclusiveMinimum=0,maximum=1" jsonschema_description:"From 0 to 1. Not sent when left out."`
	MaxTokens   int      `json:"max_tokens,omitempty" jsonschema:"minimum=1,maximum=1000000,default=1024" jsonschema_description:"The longest reply, in tokens."`
}

// Conditions is the word imported, or the list of access conditions in the
// order of the file.
type Conditions struct {
	Imported bool
	List     []Condition // empty when Imported
}

// Condition is how the model reaches a user.
type Condition struct {
	Name       string      `json:"name" jsonschema:"required,pattern=^[A-Za-z0-9_][A-Za-z0-9._-]*$,maxLength=64" jsonschema_description:"The condition's name in every table."`
	System     *Text       `json:"system,omitempty" jsonschema_description:"The system prompt: a text, or {file: path} inside the study's directory. Without this key there is none."`
	Draft      string      `json:"draft,omitempty" jsonschema_description:"The condition whose drafts the controller acts on, so that both are compared on the same draft."`
	Controller *Controller `json:"controller,omitempty" jsonschema_description:"What acts on the draft before the user sees it."`
	BaseURL    string      `json:"base_url,omitempty" jsonschema:"minLength=1" jsonschema_description:"A server that guards the same base model by itself."`
	Model      string      `json:"model,omitempty" jsonschema:"pattern=^[!-~]+$,maxLength=200" jsonschema_description:"The model's name at base_url."`
	Headers    Headers     `json:"headers,omitempty" jsonschema_description:"Headers that every request of this condition carries, such as one that turns a provider's guard on. No key or token: those come from the environment."`
	KeyEnv     string      `json:"key_env,omitempty" jsonschema:"pattern=^[A-Za-z_][A-Za-z0-9_]*$,maxLength=128" jsonschema_description:"The environment variable that holds the key for base_url. Without this key none is sent there."`
	SameBase   string      `json:"same_base,omitempty" jsonschema:"minLength=1" jsonschema_description:"Whose word it is that the base model is the same. Needed with base_url, model, headers or key_env."`
	Null       bool        `json:"null,omitempty" jsonschema_description:"true: the null anchor. No model is asked; every request gets the same short reply, which helps with nothing."`
	Client     *Client     `json:"client,omitempty" jsonschema_description:"What a client of the gateway may set itself. Without this key: nothing."`
}

// Headers are HTTP headers by name.
type Headers map[string]string

// Text is a text of the study: written in place, or the content of a file.
type Text struct {
	Value   string   // the text itself, after reading File and taking the parts of Without away
	File    string   // where it came from; empty when written in place
	Without []string // the parts of File that were left out, in the order of the study
}

// Controller scores prompt and draft and acts. Exactly one of Policy and HTTP is set.
type Controller struct {
	Policy         *Policy   `json:"policy,omitempty" jsonschema_description:"A policy that the program carries, by name, or {file: path} of a policy in JSON."`
	HTTP           string    `json:"http,omitempty" jsonschema:"minLength=1" jsonschema_description:"An outside controller: it gets prompt and draft and returns scores or an action."`
	Cuts           *Cuts     `json:"cuts,omitempty" jsonschema_description:"The thresholds on the score. Without this key the policy's own hold."`
	OnError        OnError   `json:"on_error,omitempty" jsonschema:"enum=refuse,enum=allow,default=refuse" jsonschema_description:"What the user sees when the controller fails: refuse is the safe choice."`
	Scores         string    `json:"scores,omitempty" jsonschema:"enum=both,enum=prompt,enum=output,default=both" jsonschema_description:"both: the score weighs prompt and draft. prompt, output: it is that of one of them alone, as a baseline."`
	Actions        string    `json:"actions,omitempty" jsonschema:"enum=all,enum=refuse,enum=none,default=all" jsonschema_description:"all: each cut has its action. refuse: from the cut refuse on the draft is refused, else shown as it is. none: the controller only watches."`
	Ablate         []string  `json:"ablate,omitempty" jsonschema:"minItems=1,uniqueItems=true,pattern=^[A-Za-z0-9_][A-Za-z0-9._-]*$,maxLength=64" jsonschema_description:"Classes of the policy that count for nothing, as a baseline."`
	Scan           *Scan     `json:"scan,omitempty" jsonschema_description:"What beside the draft is judged. Without this key: what the user wrote in all turns. The system prompt never is."`
	Rewriter       *Rewriter `json:"rewriter,omitempty" jsonschema_description:"Who writes the safer text of warn and redact. Without this key: fixed rules."`
	TimeoutSeconds float64   `json:"timeout_seconds,omitempty" jsonschema:"exclusiveMinimum=0,maximum=600,default=10" jsonschema_description:"How long an outside controller (http) may take, in seconds."`
}

// Scan says what beside the draft a controller judges.
type Scan struct {
	Roles     []string `json:"roles,omitempty" jsonschema:"minItems=1,uniqueItems=true,enum=user,enum=assistant" jsonschema_description:"Whose turns: user, or what the assistant said before as well. Without this key: [user]."`
	Turns     string   `json:"turns,omitempty" jsonschema:"enum=all,enum=last,default=all" jsonschema_description:"all: every turn. last: the user's last one, with the assistant's before it where roles names it."`
	Reasoning bool     `json:"reasoning,omitempty" jsonschema_description:"true: what the model thought aloud is judged like the draft, and the stricter action holds."`
}

// Rewriter names the model that rewrites.
type Rewriter struct {
	Model string `json:"model" jsonschema:"required,pattern=^[A-Za-z0-9_][A-Za-z0-9._-]*$,maxLength=64" jsonschema_description:"One of models or rewriters. It is asked with a fixed prompt, and its text is scored again."`
}

// Policy names a policy, or the file that holds one. Exactly one of Name and
// File is set.
type Policy struct {
	Name    string `json:"name,omitempty" jsonschema:"pattern=^[A-Za-z0-9_][A-Za-z0-9._-]*$,maxLength=64" jsonschema_description:"A policy that the program carries."`
	File    string `json:"file,omitempty" jsonschema:"minLength=1" jsonschema_description:"A policy in JSON inside the study's directory."`
	SHA256  string `json:"sha256,omitempty" jsonschema:"pattern=^[0-9a-f]{64}$" jsonschema_description:"The SHA-256 of file; when stated it must match."`
	Content []byte `json:"-"` // the bytes of File
}

// Cuts are thresholds on a score in [0,1], warn <= redact <= refuse: an answer
// whose score reaches a cut is acted on accordingly.
type Cuts struct {
	Warn   float64 `json:"warn" jsonschema:"required,minimum=0,maximum=1" jsonschema_description:"From this score on the answer is rewritten into a safer form."`
	Redact float64 `json:"redact" jsonschema:"required,minimum=0,maximum=1" jsonschema_description:"From this score on procedural detail is removed."`
	Refuse float64 `json:"refuse" jsonschema:"required,minimum=0,maximum=1" jsonschema_description:"From this score on a fixed safe reply takes the answer's place."`
}

// OnError says what the user sees when a controller fails.
type OnError string

// The choices. An empty OnError never leaves this package.
const (
	RefuseOnError OnError = "refuse"
	AllowOnError  OnError = "allow"
)

// Client says what a client of the gateway may set itself.
type Client struct {
	System   string `json:"system,omitempty" jsonschema:"enum=append,enum=ignore" jsonschema_description:"What becomes of a client's own system message. Without this key: an error."`
	Sampling string `json:"sampling,omitempty" jsonschema:"enum=ignore" jsonschema_description:"What becomes of a client's differing sampling. Without this key: an error."`
}

// Endpoints are sorted: utility, risk, then the others by name. The file's
// order means nothing, as for every mapping.
type Endpoints []Endpoint

// Endpoint is a scale averaged over effective tiers.
type Endpoint struct {
	Name   string        `json:"-"`
	Scale  string        `json:"scale" jsonschema:"required,pattern=^[A-Za-z0-9_][A-Za-z0-9._-]*$,maxLength=64" jsonschema_description:"correctness, actionability, or a scale that imported labels bring."`
	Tiers  []uplift.Tier `json:"tiers" jsonschema:"required,minItems=1,uniqueItems=true,enum=benign,enum=borderline,enum=harmful" jsonschema_description:"The effective tiers that are averaged."`
	Better Better        `json:"better,omitempty" jsonschema:"enum=higher,enum=lower" jsonschema_description:"Which way the endpoint is better. Without this key: lower for risk and for names that begin with risk_, else higher."`
	Margin *float64      `json:"margin,omitempty" jsonschema:"exclusiveMinimum=0" jsonschema_description:"The loss that would still be called no worse, in the scale's own unit: non-inferiority and equivalence are tested at it. No default: only the study knows."`
	Budget *float64      `json:"budget,omitempty" jsonschema:"minimum=0" jsonschema_description:"The cap under which thresholds are chosen."`
}

// Better says which way an endpoint is better.
type Better string

// The ways. An empty Better never leaves this package.
const (
	Higher Better = "higher"
	Lower  Better = "lower"
)

// Audit is the sample that people rate.
type Audit struct {
	Preset string  `json:"preset,omitempty" jsonschema:"enum=paper,enum=powered,default=powered" jsonschema_description:"paper locks the test split alone; powered locks test and test-b together."`
	Rows   int     `json:"rows,omitempty" jsonschema:"minimum=1,maximum=1000000,default=600" jsonschema_description:"Rows to rate."`
	Mode   string  `json:"mode,omitempty" jsonschema:"enum=blocks,enum=rows,default=blocks" jsonschema_description:"blocks draws an item under every condition, so that pairs are whole; rows draws single rows."`
	Double float64 `json:"double" jsonschema:"minimum=0,maximum=1,default=0.25" jsonschema_description:"The share of rows that two people rate."`
}

// Limits stop a run before its next call. A zero limit is none.
type Limits struct {
	Concurrency       int     `json:"concurrency,omitempty" jsonschema:"minimum=1,maximum=10000,default=16" jsonschema_description:"Calls of each model under way at once."`
	MaxCostUSD        float64 `json:"max_cost_usd,omitempty" jsonschema:"exclusiveMinimum=0,maximum=1000000000" jsonschema_description:"The most that a run may cost, in US dollars. Without this key: no limit."`
	MaxRequests       int     `json:"max_requests,omitempty" jsonschema:"minimum=1,maximum=1000000000" jsonschema_description:"The most requests that a run may send. Without this key: no limit."`
	MaxMinutes        float64 `json:"max_minutes,omitempty" jsonschema:"exclusiveMinimum=0,maximum=1000000000" jsonschema_description:"The longest that a run may take, in minutes. Without this key: no limit."`
	RequestsPerMinute int     `json:"requests_per_minute,omitempty" jsonschema:"minimum=1,maximum=1000000000" jsonschema_description:"Requests that are sent to one model in a minute. Without this key: as many as its provider takes."`
	TokensPerMinute   int     `json:"tokens_per_minute,omitempty" jsonschema:"minimum=1,maximum=1000000000" jsonschema_description:"Tokens, read and written, of one model in a minute. Without this key: as many as its provider takes."`
	Models            Paces   `json:"models,omitempty" jsonschema_description:"Limits of single models, by name. What is left out holds as above."`
}

// Paces are the limits of single models by their names.
type Paces map[string]Pace

// Pace is how fast one model may be asked. A zero limit is that of [Limits].
type Pace struct {
	Concurrency       int `json:"concurrency,omitempty" jsonschema:"minimum=1,maximum=10000" jsonschema_description:"Calls of this model under way at once."`
	RequestsPerMinute int `json:"requests_per_minute,omitempty" jsonschema:"minimum=1,maximum=1000000000" jsonschema_description:"Requests to this model in a minute."`
	TokensPerMinute   int `json:"tokens_per_minute,omitempty" jsonschema:"minimum=1,maximum=1000000000" jsonschema_description:"Tokens of this model in a minute."`
}

// Quarantine holds the public keys (age recipients) of the two reviewers
// who can open a withheld text together.
type Quarantine struct {
	A string `json:"a" jsonschema:"required,pattern=^age1[0-9a-z]+$" jsonschema_description:"The first reviewer's public key, age1..."`
	B string `json:"b" jsonschema:"required,pattern=^age1[0-9a-z]+$" jsonschema_description:"The second reviewer's public key, age1..."`
}

// The words that say the usual thing are put away when a study is read, so that
// a study that spells them out is the same one: [Plan.Raw], [Controller.Scores],
// [Controller.Actions] and [Scan.Turns] are empty then.
const (
	KeepRaw = "keep"
	HashRaw = "hash" // a plan's Raw: bodies are not stored

	ScoresBoth   = "both"
	ScoresPrompt = "prompt"
	ScoresOutput = "output"

	ActionsAll    = "all"
	ActionsRefuse = "refuse"
	ActionsNone   = "none"

	TurnsAll  = "all"
	TurnsLast = "last"
)

// ProviderBlocks says how a provider's block enters an endpoint.
type ProviderBlocks string

// The choices.
const (
	CountBlocks ProviderBlocks = "count" // utility 0, risk 0
	BlocksApart ProviderBlocks = "apart"
)
