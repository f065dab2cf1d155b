package interop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// evalSample is what is read of a sample. A key that other versions write in
// other shapes stays raw.
type evalSample struct {
	ID           json.RawMessage                     `json:"id"`
	Epoch        int                                 `json:"epoch"`
	Input        json.RawMessage                     `json:"input"` // a string or messages
	Messages     bounded[[]evalMessage]              `json:"messages"`
	Output       evalOutput                          `json:"output"`
	Scores       bounded[map[string]json.RawMessage] `json:"scores"`
	Metadata     bounded[map[string]json.RawMessage] `json:"metadata"`
	Error        json.RawMessage                     `json:"error"`
	Limit        json.RawMessage                     `json:"limit"`
	Invalidation json.RawMessage                     `json:"invalidation"`
	Attachments  bounded[map[string]string]          `json:"attachments"`
	MessageRefs  bounded[[][2]int]                   `json:"message_refs"` // half-open ranges of the message chunks
}

// maxElements bounds each list and object that is read whole, so that a small
// zip of a million million empty messages cannot fill memory.
const maxElements = 1 << 20

// bounded is a list or an object of at most maxElements.
type bounded[T any] struct{ all T }

// UnmarshalJSON counts before it decodes.
func (b *bounded[T]) UnmarshalJSON(data []byte) error {
	if n := elements(data); n > maxElements {
		return fmt.Errorf("%d elements in a list or object (want at most %d)", n, maxElements)
	}
	return json.Unmarshal(data, &b.all)
}

// tally counts a list's elements and keeps none.
type tally int

// UnmarshalJSON takes any list.
func (n *tally) UnmarshalJSON(data []byte) error {
	*n = tally(elements(data))
	return nil
}

// elements counts what stands directly in a valid JSON list or object; 0 for
// anything else.
func elements(data []byte) (n int) {
	depth, some := 0, false
	for i := 0; i < len(data); {
		switch c := data[i]; {
		case c == '"':
			i += stringLength(data[i:])
			some = some || depth > 0
			continue
		case c == '[' || c == '{':
			some = some || depth > 0
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 1:
			n++
		case c > ' ':
			some = some || depth > 0
		}
		i++
	}
	if some {
		n++
	}
	return n
}

type evalMessage struct {
	Role      string      `json:"role"`
	Content   evalContent `json:"content"`
	ToolCalls tally       `json:"tool_calls"`
}

type evalOutput struct {
	Completion string                `json:"completion"`
	Choices    bounded[[]evalChoice] `json:"choices"`
}

type evalChoice struct {
	Message    evalMessage `json:"message"`
	StopReason string      `json:"stop_reason"`
}

// evalContent is a message's text: its text parts, joined by line ends as the
// log's own readers join them. Other parts (images, reasoning) are counted.
type evalContent struct {
	Text    string
	Skipped int
}

// UnmarshalJSON reads a string or a list of parts.
func (c *evalContent) UnmarshalJSON(data []byte) error {
	*c = evalContent{}
	if data[0] != '[' {
		return json.Unmarshal(data, &c.Text) // null leaves it empty
	}
	var parts bounded[[]struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}]
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	var texts []string
	for _, p := range parts.all {
		if p.Type != "text" {
			c.Skipped++
			continue
		}
		texts = append(texts, p.Text)
	}
	c.Text = strings.Join(texts, "\n")
	return nil
}

// given reports whether a key is there and not null.
func given(raw json.RawMessage) bool {
	return len(raw) > 0 && !bytes.Equal(raw, []byte("null"))
}

var (
	monolithName = regexp.MustCompile(`(?s)^samples/.+_epoch_\d+\.json$`)
	shellName    = regexp.MustCompile(`(?s)^samples/.+_epoch_\d+/sample\.json$`)
	wholeNumber  = regexp.MustCompile(`^-?\d+$`)
)

// sampleMembers lists the member that stands for each sample, in order: the
// monolith, or the shell of a chunked sample that has no monolith.
func (z *evalZip) sampleMembers() []string {
	var names []string
	for _, name := range z.order {
		switch {
		case monolithName.MatchString(name):
			names = append(names, name)
		case shellName.MatchString(name) && z.members[path.Dir(name)+".json"] == nil:
			names = append(names, name)
		}
	}
	return names
}

// sample reads one sample, from its chunks where it has some.
func (z *evalZip) sample(member string) (*evalSample, error) {
	var s evalSample
	if err := z.decode(member, &s); err != nil {
		return nil, err
	}
	if s.expand(); !monolithName.MatchString(member) {
		if err := z.chunks(strings.TrimSuffix(member, "sample.json"), &s); err != nil {
			return nil, err
		}
		if lost := s.expand(); lost != "" {
			return nil, &badRecord{field: "attachments", text: fmt.Sprintf("none is %q", clip(lost))}
		}
	}
	return &s, nil
}

// chunks completes the shell of a chunked sample: its messages, metadata and
// attachments, whose ids are their places in the sequence.
func (z *evalZip) chunks(prefix string, s *evalSample) error {
	if s.Metadata.all == nil && z.members[prefix+"metadata.json"] != nil {
		if err := z.decode(prefix+"metadata.json", &s.Metadata); err != nil {
			return within("metadata.json", err)
		}
	}
	texts, err := sequence[string](z, prefix, "attachments")
	if err != nil {
		return err
	}
	s.Attachments.all = make(map[string]string, len(texts))
	for i, text := range texts {
		s.Attachments.all[strconv.Itoa(i)] = text
	}
	if s.Messages.all != nil {
		return nil
	}
	pool, err := sequence[evalMessage](z, prefix, "messages")
	if err != nil {
		return err
	}
	if s.MessageRefs.all == nil {
		s.Messages.all = pool
		return nil
	}
	return s.pick(pool)
}

// pick takes the conversation's messages out of the pool of all messages.
func (s *evalSample) pick(pool []evalMessage) error {
	for _, ref := range s.MessageRefs.all {
		if ref[0] < 0 || ref[1] < ref[0] || ref[1] > len(pool) {
			return &badRecord{field: "message_refs", text: fmt.Sprintf("[%d,%d) of %d messages", ref[0], ref[1], len(pool))}
		}
		if len(s.Messages.all)+ref[1]-ref[0] > maxElements {
			return &badRecord{field: "message_refs", text: fmt.Sprintf("more than %d messages", maxElements)}
		}
		s.Messages.all = append(s.Messages.all, pool[ref[0]:ref[1]]...)
	}
	return nil
}

// sequence joins the chunks of a chunked sample, each named by the place of
// its first item. They must follow each other without a gap.
func sequence[T any](z *evalZip, prefix, name string) ([]T, error) {
	starts := z.chunkStarts[prefix+name]
	slices.Sort(starts)
	var all []T
	for _, start := range starts {
		member := fmt.Sprintf("%s/%d.json", name, start)
		if start != len(all) {
			return nil, &badRecord{field: member, text: fmt.Sprintf("begins at %d (want %d: a chunk is missing)", start, len(all))}
		}
		var chunk bounded[[]T]
		if err := z.decode(prefix+member, &chunk); err != nil {
			return nil, within(member, err)
		}
		if len(all)+len(chunk.all) > maxElements {
			return nil, &badRecord{field: name, text: fmt.Sprintf("more than %d (want fewer)", maxElements)}
		}
		all = append(all, chunk.all...)
	}
	return all, nil
}

// within places an error in a member of a chunked sample.
func within(member string, err error) error {
	return &badRecord{field: member, text: err.Error()}
}

const attachment = "attachment://"

// expand puts attachments back into the texts that are read. It returns a
// reference to an attachment that a chunked sample lacks, if there is one.
func (s *evalSample) expand() (lost string) {
	texts := []*string{&s.Output.Completion}
	for i := range s.Messages.all {
		texts = append(texts, &s.Messages.all[i].Content.Text)
	}
	for i := range s.Output.Choices.all {
		texts = append(texts, &s.Output.Choices.all[i].Message.Content.Text)
	}
	for _, text := range texts {
		*text = s.attached(*text)
		if id, ok := strings.CutPrefix(*text, attachment); ok && wholeNumber.MatchString(id) {
			lost = *text
		}
	}
	return lost
}

// attached is the text that a reference stands for; any other text is itself.
func (s *evalSample) attached(text string) string {
	if id, ok := strings.CutPrefix(text, attachment); ok {
		if whole, ok := s.Attachments.all[id]; ok {
			return whole
		}
	}
	return text
}

// taskName is the id as it stands in a task's name. A string that reads like a
// whole number, or that begins with a quote, is put in quotes, because 1 and
// "1" are two samples.
func taskName(id json.RawMessage) (string, error) {
	var text string
	switch {
	case !given(id):
		return "", &badRecord{field: "id", text: "missing (want a whole number or a string)"}
	case wholeNumber.Match(id):
		text = string(id)
	case id[0] != '"' || json.Unmarshal(id, &text) != nil || text == "":
		return "", &badRecord{field: "id", text: fmt.Sprintf("%s (want a whole number or a string)", clip(string(id)))}
	case wholeNumber.MatchString(text) || text[0] == '"':
		quoted, _ := json.Marshal(text)
		text = string(quoted)
	}
	if len(text) > maxName {
		return "", &badRecord{field: "id", text: fmt.Sprintf("%d bytes long (want at most %d)", len(text), maxName)}
	}
	return text, nil
}
