package fakeprovider

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	anthropicsdk "github.com/anthropics/anthropic-sdk-go/v2"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	openairesponses "github.com/openai/openai-go/v3/responses"
	"go.uber.org/goleak"
	"google.golang.org/genai"
)

// The genai client brings a worker that never ends.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start"))
}

// said is what a real client made of a reply.
type said struct {
	text   string
	stop   string // the API's word, of a refusal channel or a block its kind
	tokens int64  // of the reply
	status int    // of an error that the client understood
	err    error
}

// client asks once, whole or streamed.
type client struct {
	name string
	ask  func(ctx context.Context, hc *http.Client, base string, stream bool) said
}

const (
	question = "How is a meeting planned?"
	operator = "Answer in short."
	secret   = "not-a-key"
)

var clients = []client{{"anthropic", askAnthropic}, {"gemini", askGemini}, {"chat", askChat}, {"azure", askAzure}, {"responses", askResponses}}

func askAnthropic(ctx context.Context, hc *http.Client, base string, stream bool) said {
	c := anthropicsdk.NewClient(anthropicoption.WithoutEnvironmentDefaults(), anthropicoption.WithBaseURL(base), anthropicoption.WithAPIKey(secret),
		anthropicoption.WithMaxRetries(0), anthropicoption.WithHTTPClient(hc))
	params := anthropicsdk.MessageNewParams{Model: "m", MaxTokens: 4096, System: []anthropicsdk.TextBlockParam{{Text: operator}},
		Messages: []anthropicsdk.MessageParam{anthropicsdk.NewUserMessage(anthropicsdk.NewTextBlock(question))}}
	msg := new(anthropicsdk.Message)
	var err error
	if stream {
		s := c.Messages.NewStreaming(ctx, params)
		for s.Next() {
			if err = msg.Accumulate(s.Current()); err != nil {
				break
			}
		}
		err = errors.Join(err, s.Err(), s.Close())
	} else {
		msg, err = c.Messages.New(ctx, params)
	}
	if err != nil {
		e, ok := errors.AsType[*anthropicsdk.Error](err)
		if !ok {
			return said{err: err}
		}
		return said{err: err, status: e.StatusCode}
	}
	got := said{stop: string(msg.StopReason), tokens: msg.Usage.OutputTokens}
	for _, b := range msg.Content {
		got.text += b.Text
	}
	return got
}

func askGemini(ctx context.Context, hc *http.Client, base string, stream bool) said {
	c, err := genai.NewClient(ctx, &genai.ClientConfig{APIKey: secret, Backend: genai.BackendGeminiAPI, HTTPClient: hc, HTTPOptions: genai.HTTPOptions{BaseURL: base}})
	if err != nil {
		return said{err: err}
	}
	config := &genai.GenerateContentConfig{SystemInstruction: genai.NewContentFromText(operator, genai.RoleUser), MaxOutputTokens: 4096}
	contents := []*genai.Content{genai.NewContentFromText(question, genai.RoleUser)}
	var got said
	add := func(r *genai.GenerateContentResponse) {
		if f := r.PromptFeedback; f != nil {
			got.stop = string(f.BlockReason)
		}
		for _, cand := range r.Candidates {
			if cand.FinishReason != "" {
				got.stop = string(cand.FinishReason)
			}
			if cand.Content != nil {
				for _, p := range cand.Content.Parts {
					got.text += p.Text
				}
			}
		}
		if u := r.UsageMetadata; u != nil {
			got.tokens = int64(u.CandidatesTokenCount)
		}
	}
	if stream {
		for r, e := range c.Models.GenerateContentStream(ctx, "m", contents, config) {
			if err = e; e != nil {
				break
			}
			add(r)
		}
	} else {
		var r *genai.GenerateContentResponse
		if r, err = c.Models.GenerateContent(ctx, "m", contents, config); err == nil {
			add(r)
		}
	}
	if err != nil {
		e, _ := errors.AsType[genai.APIError](err)
		return said{err: err, status: e.Code}
	}
	return got
}

func openAIClient(hc *http.Client, base string) openai.Client {
	return openai.NewClient(option.WithBaseURL(base), option.WithAPIKey(secret), option.WithMaxRetries(0), option.WithHTTPClient(hc))
}

func openAIFailure(err error) said {
	e, ok := errors.AsType[*openai.Error](err)
	if !ok {
		return said{err: err}
	}
	return said{err: err, status: e.StatusCode}
}

func askChat(ctx context.Context, hc *http.Client, base string, stream bool) said {
	return chatOf(ctx, openAIClient(hc, base+"/v1"), stream)
}

func askAzure(ctx context.Context, hc *http.Client, base string, stream bool) said {
	c := openAIClient(hc, base+"/openai/deployments/m")
	c.Options = append(c.Options, option.WithQuery("api-version", "2024-10-21"))
	return chatOf(ctx, openai.Client{Options: c.Options, Chat: openai.NewChatService(c.Options...)}, stream)
}

func chatOf(ctx context.Context, c openai.Client, stream bool) said {
	params := openai.ChatCompletionNewParams{Model: "m", MaxCompletionTokens: openai.Int(4096),
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(operator), openai.UserMessage(question)}}
	var got said
	if !stream {
		r, err := c.Chat.Completions.New(ctx, params)
		if err != nil {
			return openAIFailure(err)
		}
		got.tokens = r.Usage.CompletionTokens
		for _, choice := range r.Choices {
			got.text, got.stop = choice.Message.Content, choice.FinishReason
			if choice.Message.Refusal != "" {
				got.text, got.stop = choice.Message.Refusal, "refusal"
			}
		}
		return got
	}
	params.StreamOptions.IncludeUsage = openai.Bool(true)
	s := c.Chat.Completions.NewStreaming(ctx, params)
	refused := false
	for s.Next() {
		if u := s.Current().Usage; u.CompletionTokens > 0 {
			got.tokens = u.CompletionTokens
		}
		for _, choice := range s.Current().Choices {
			got.text += choice.Delta.Content + choice.Delta.Refusal
			refused = refused || choice.Delta.Refusal != ""
			if choice.FinishReason != "" {
				got.stop = choice.FinishReason
			}
		}
	}
	if err := errors.Join(s.Err(), s.Close()); err != nil {
		return openAIFailure(err)
	}
	if refused {
		got.stop = "refusal"
	}
	return got
}

func askResponses(ctx context.Context, hc *http.Client, base string, stream bool) said {
	c := openAIClient(hc, base+"/v1")
	params := openairesponses.ResponseNewParams{Model: "m", Instructions: openai.String(operator), MaxOutputTokens: openai.Int(4096),
		Input: openairesponses.ResponseNewParamsInputUnion{OfInputItemList: openairesponses.ResponseInputParam{
			openairesponses.ResponseInputItemParamOfMessage(question, openairesponses.EasyInputMessageRoleUser)}}}
	var r openairesponses.Response
	if stream {
		s := c.Responses.NewStreaming(ctx, params)
		deltas := ""
		for s.Next() {
			e := s.Current()
			switch e.Type {
			case "response.output_text.delta", "response.refusal.delta":
				deltas += e.Delta
			case "response.completed", "response.incomplete", "response.failed":
				r = e.Response
			case "error":
				return said{err: errors.New(e.Message)}
			}
		}
		if err := errors.Join(s.Err(), s.Close()); err != nil {
			return openAIFailure(err)
		}
		if got := responseSaid(r); got.text != deltas {
			return said{err: errors.New("the pieces are not the text")}
		}
		return responseSaid(r)
	}
	whole, err := c.Responses.New(ctx, params)
	if err != nil {
		return openAIFailure(err)
	}
	return responseSaid(*whole)
}

func responseSaid(r openairesponses.Response) said {
	got := said{stop: string(r.Status), tokens: r.Usage.OutputTokens}
	if r.Status == "incomplete" {
		got.stop = string(r.IncompleteDetails.Reason)
	}
	if r.Error.Code != "" {
		got.stop = string(r.Error.Code)
	}
	for _, item := range r.Output {
		for _, p := range item.Content {
			got.text += p.Text
			if p.Type == "refusal" {
				got.text, got.stop = p.Refusal, "refusal"
			}
		}
	}
	return got
}

// serve starts a provider for a test and a client of its own.
func serve(t testing.TB, o Options) (*Provider, *httptest.Server, *http.Client) {
	t.Helper()
	p := New(o)
	s := httptest.NewServer(p)
	transport := &http.Transport{Proxy: nil, MaxIdleConnsPerHost: 64}
	t.Cleanup(func() { transport.CloseIdleConnections(); s.Close() })
	return p, s, &http.Client{Transport: transport}
}

// The words of each API for each end, as its documents write them.
func TestRealClientsUnderstandEveryEnd(t *testing.T) {
	for _, c := range []struct {
		fault Fault
		stops [5]string // anthropic, gemini, chat, azure, responses; a number is the status of an error
		bare  bool      // no text
	}{
		{"", [5]string{"end_turn", "STOP", "stop", "stop", "completed"}, false},
		{Trickle, [5]string{"end_turn", "STOP", "stop", "stop", "completed"}, false},
		{Huge, [5]string{"end_turn", "STOP", "stop", "stop", "completed"}, false},
		{TokenLimit, [5]string{"max_tokens", "MAX_TOKENS", "length", "length", "max_output_tokens"}, false},
		{OutputFilter, [5]string{"refusal", "SAFETY", "content_filter", "content_filter", "content_filter"}, false},
		{Refusal, [5]string{"refusal", "STOP", "refusal", "refusal", "refusal"}, false},
		{PromptBlock, [5]string{"refusal", "PROHIBITED_CONTENT", "400", "400", "invalid_prompt"}, true},
		{NoChoices, [5]string{"end_turn", "", "", "", "completed"}, true},
		{Unknown, [5]string{"a_reason_of_tomorrow", "A_REASON_OF_TOMORROW", "a_reason_of_tomorrow", "a_reason_of_tomorrow", "a_reason_of_tomorrow"}, false},
		{RateLimit, [5]string{"429", "429", "429", "429", "429"}, true},
		{RateLimitAnthropic, [5]string{"429", "429", "429", "429", "429"}, true},
		{RateLimitOpenAI, [5]string{"429", "429", "429", "429", "429"}, true},
		{RateLimitGemini, [5]string{"429", "429", "429", "429", "429"}, true},
		{RateLimitWords, [5]string{"429", "429", "429", "429", "429"}, true},
		{RateLimitRetryAfter, [5]string{"429", "429", "429", "429", "429"}, true},
		{RateLimitBare, [5]string{"429", "429", "429", "429", "429"}, true},
		{NoQuota, [5]string{"402", "429", "429", "429", "429"}, true},
		{Internal, [5]string{"500", "500", "500", "500", "500"}, true},
		{BadGateway, [5]string{"502", "502", "502", "502", "502"}, true},
		{Unavailable, [5]string{"503", "503", "503", "503", "503"}, true},
		{Overloaded, [5]string{"529", "529", "529", "529", "529"}, true},
		{Reset, [5]string{"0", "0", "0", "0", "0"}, true},
		{ResetBody, [5]string{"0", "0", "0", "0", "0"}, true},
		{Cut, [5]string{"0", "0", "0", "0", "0"}, true},
		{Malformed, [5]string{"0", "0", "0", "0", "0"}, true},
	} {
		for i, client := range clients {
			for _, stream := range []bool{false, true} {
				name := string(c.fault) + "/" + client.name + "/" + map[bool]string{false: "whole", true: "stream"}[stream]
				t.Run(name, func(t *testing.T) {
					faults := map[Fault]float64{c.fault: 1}
					p, s, hc := serve(t, Options{Faults: faults, Wait: 250 * time.Millisecond, Pause: time.Microsecond, Huge: 100_000})
					got := client.ask(t.Context(), hc, s.URL, stream)
					want := c.stops[i]
					if status, err := strconv.Atoi(want); err == nil {
						if got.err == nil || got.status != status {
							t.Errorf("got %+v, want an error with status %d", got, status)
						}
						return
					}
					bare := c.bare || client.name == "anthropic" && c.fault == Refusal || client.name == "gemini" && c.fault == OutputFilter && !stream
					if got.err != nil || got.stop != want || (got.text == "") != bare {
						t.Errorf("got %+v, want stop %q", got, want)
					}
					if want := int64(tokens(len(got.text))); !bare && got.tokens != want {
						t.Errorf("%d tokens of %d bytes, want %d", got.tokens, len(got.text), want)
					}
					if c.fault == Huge && len(got.text) != 100_000 {
						t.Errorf("%d bytes, want 100,000", len(got.text))
					}
					if st := await(p, 1); st.Requests != 1 || (c.fault.well() && st.Delivered != 1) {
						t.Errorf("counts %+v, want one request", st)
					}
				})
			}
		}
	}
}

// await is the counts once n requests have ended, which is after the client
// has read an answer.
func await(p *Provider, n int) Stats {
	for {
		if s := p.Stats(); s.Requests >= n && s.InFlight == 0 {
			return s
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// What an empty body and an error inside a stream are to a client differs: none
// takes either for a reply.
func TestRealClientsTakeNothingForNoReply(t *testing.T) {
	for _, f := range []Fault{Empty, ErrorMidway} {
		for _, client := range clients {
			for _, stream := range []bool{false, true} {
				_, s, hc := serve(t, Options{Faults: map[Fault]float64{f: 1}})
				got := client.ask(t.Context(), hc, s.URL, stream)
				if got.err == nil && got.stop != "" {
					t.Errorf("%s, %s, stream %v: got %+v, want no reply", f, client.name, stream, got)
				}
			}
		}
	}
}

func TestStallEndsWithTheClient(t *testing.T) {
	for _, client := range clients {
		p, s, hc := serve(t, Options{Faults: map[Fault]float64{Stall: 1}})
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		if got := client.ask(ctx, hc, s.URL, false); !errors.Is(got.err, context.DeadlineExceeded) {
			t.Errorf("%s: got %+v, want the client's deadline", client.name, got)
		}
		cancel()
		if st := await(p, 1); st.Completed != 0 || st.Delivered != 0 {
			t.Errorf("%s: counts %+v, want nothing delivered", client.name, st)
		}
	}
}

// One text, however it is asked for: streamed or not, and with every form's own
// way to write a conversation.
func TestOneTextInEveryForm(t *testing.T) {
	_, s, hc := serve(t, Options{})
	want := ""
	for _, client := range clients {
		for _, stream := range []bool{false, true} {
			got := client.ask(t.Context(), hc, s.URL, stream)
			if want == "" {
				want = got.text
			}
			if got.err != nil || got.text != want {
				t.Errorf("%s, stream %v: got %+v, want %q", client.name, stream, got, want)
			}
		}
	}
}

func TestKeyIsAskedFor(t *testing.T) {
	for _, client := range clients {
		_, s, hc := serve(t, Options{Keys: []string{"another"}})
		if got := client.ask(t.Context(), hc, s.URL, false); got.status != http.StatusUnauthorized {
			t.Errorf("%s: got %+v, want 401", client.name, got)
		}
		_, s, hc = serve(t, Options{Keys: []string{"another", secret}})
		if got := client.ask(t.Context(), hc, s.URL, false); got.err != nil || got.text == "" {
			t.Errorf("%s: got %+v, want a reply", client.name, got)
		}
	}
}

func TestModelsAreListed(t *testing.T) {
	_, s, hc := serve(t, Options{Models: []string{"one", "two"}})
	c := openAIClient(hc, s.URL+"/v1")
	page, err := c.Models.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range page.Data {
		names = append(names, m.ID)
	}
	if got := strings.Join(names, " "); got != "one two" {
		t.Errorf("got %q, want one two", got)
	}
}
