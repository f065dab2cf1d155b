package interop

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// evalSample is what is read of a sample. Nothing in it is part of the member
// that it was read from.
type evalSample struct {
	id          string // as it stands in the task's name
	epoch       int
	invalidated bool // then nothing below is read
	messages    []evalMessage
	turns       []string // the user's texts of the input
	completion  string
	choice      evalMessage // the output's first
	stop        string      // why the model stopped
	scores      []scoreValue
	metadata    map[string]metaValue // of the keys that are asked for
	failed      bool
	failure     string // what the error says
	limited     bool
}

// sampleKeys are the values of a sample as they stand in its member.
type sampleKeys struct {
	id, epoch, input, messages, output, scores, metadata,
	failure, limit, invalidation, attachments, refs []byte
}

// keysOf finds the keys of a sample that are read, without building anything.
func keysOf(raw []byte) (k sampleKeys, err error) {
	if !isObject(raw) {
		return k, unlike(raw, "a sample: an object")
	}
	places := map[string]*[]byte{"id": &k.id, "epoch": &k.epoch, "input": &k.input, "messages": &k.messages,
		"output": &k.output, "scores": &k.scores, "metadata": &k.metadata, "error": &k.failure, "limit": &k.limit,
		"invalidation": &k.invalidation, "attachments": &k.attachments, "message_refs": &k.refs}
	return k, walkObject(raw, func(key, value []byte) error {
		if place := places[string(key)]; place != nil && given(value) {
			*place = value
		}
		return nil
	})
}

// wholeNumber is what an id of digits looks like, and a place in a sequence.
var wholeNumber = regexp.MustCompile(`^-?\d+$`)

// sample reads one sample, from its chunks where it has some.
func (z *evalZip) sample(member string, metadata *metadataReader) (*evalSample, error) {
	if z.members[member] == nil {
		return nil, foreign("missing (want it: other parts of the sample are there)")
	}
	raw, err := z.json(member)
	if err != nil {
		return nil, err
	}
	k, err := keysOf(raw)
	if err != nil {
		return nil, err
	}
	s := &evalSample{invalidated: k.invalidation != nil}
	if s.id, err = taskName(k.id); err != nil {
		return nil, err
	}
	if s.epoch, err = epochOf(k.epoch); err != nil || s.invalidated {
		return s, err
	}
	if err := s.read(k, metadata); err != nil || !isShell(member) {
		return s, err
	}
	refs, err := messageRefs(k.refs)
	if err != nil {
		return nil, inside("message_refs", err)
	}
	return s, z.chunks(strings.TrimSuffix(member, "sample.json"), s, refs, metadata)
}

// read reads all but id and epoch.
func (s *evalSample) read(k sampleKeys, metadata *metadataReader) (err error) {
	left := budget(maxTranscript)
	if k.messages != nil {
		if s.messages, err = messageList(k.messages, &left, nil); err != nil {
			return inside("messages", err)
		}
	}
	if s.turns, err = inputTurns(k.input); err != nil {
		return inside("input", err)
	}
	if s.asked() {
		s.turns = nil // the messages have them
	}
	if err := s.output(k.output); err != nil {
		return inside("output", err)
	}
	if s.failed = k.failure != nil; s.failed {
		if s.failure, err = errorText(k.failure); err != nil {
			return inside("error", err)
		}
	}
	s.limited = k.limit != nil
	if s.metadata, err = metadata.values(k.metadata); err != nil {
		return inside("metadata", err)
	}
	if s.scores, err = scoreValues(k.scores); err != nil {
		return inside("scores", err)
	}
	return inside("attachments", s.attach(k.attachments))
}

// asked reports whether a user's text is among the messages.
func (s *evalSample) asked() bool {
	for i := range s.messages {
		if s.messages[i].role == "user" && s.messages[i].text != "" {
			return true
		}
	}
	return false
}

// inputTurns are the user's texts of an input: a string or messages. Anything
// else has none.
func inputTurns(raw []byte) ([]string, error) {
	if !isList(raw) {
		if !isString(raw) {
			return nil, nil
		}
		text, err := textOf(raw)
		if text == "" {
			return nil, err
		}
		return []string{text}, err
	}
	left := budget(maxTranscript)
	messages, err := messageList(raw, &left, nil)
	var turns []string
	for _, m := range messages {
		if m.role == "user" && m.text != "" {
			turns = append(turns, m.text)
		}
	}
	return turns, err
}

// output reads the reply and why it ended.
func (s *evalSample) output(raw []byte) (err error) {
	if raw == nil {
		return nil
	}
	if !isObject(raw) {
		return unlike(raw, "an object")
	}
	var completion, choices []byte
	walkObject(raw, func(key, value []byte) error {
		switch string(key) {
		case "completion":
			completion = value
		case "choices":
			choices = value
		}
		return nil
	})
	if s.completion, err = textOf(completion); err != nil {
		return inside("completion", err)
	}
	if given(choices) && !isList(choices) {
		return inside("choices", unlike(choices, "a list of choices"))
	}
	if given(choices) {
		if i := nextByte(choices, 1); choices[i] != ']' {
			return inside("choices[0]", s.firstChoice(choices[i:i+valueLength(choices[i:])]))
		}
	}
	return nil
}

func (s *evalSample) firstChoice(raw []byte) error {
	if !given(raw) {
		return nil
	}
	if !isObject(raw) {
		return unlike(raw, "a choice: an object with message and stop_reason")
	}
	var said []byte
	walkObject(raw, func(key, value []byte) error {
		switch string(key) {
		case "message":
			said = value
		case "stop_reason":
			s.stop, _ = nameOf(value)
		}
		return nil
	})
	left := budget(maxTranscript)
	choice, err := message(said, &left)
	s.choice = choice
	return inside("message", err)
}

// errorText is an error's message; some logs write the message alone.
func errorText(raw []byte) (text string, err error) {
	if isString(raw) {
		return textOf(raw)
	}
	if isObject(raw) {
		err = walkObject(raw, func(key, value []byte) (err error) {
			if string(key) == "message" && isString(value) {
				text, err = textOf(value)
			}
			return inside("message", err)
		})
	}
	if text == "" {
		text = "the log gives no message"
	}
	return text, err
}

// epochOf reads the number of a repetition, from 1.
func epochOf(raw []byte) (int, error) {
	want := fmt.Sprintf("want a whole number from 1 to %d", math.MaxInt32)
	if !given(raw) {
		return 0, &badRecord{field: "epoch", text: "missing (" + want + ")"}
	}
	n, err := strconv.ParseInt(string(raw[:min(len(raw), 20)]), 10, 64)
	if err != nil || n < 1 || n > math.MaxInt32 {
		return 0, &badRecord{field: "epoch", text: fmt.Sprintf("%s (%s)", clip(string(raw[:min(len(raw), 100)])), want)}
	}
	return int(n), nil
}

// taskName is the id as it stands in a task's name. A string that reads like a
// whole number, or that begins with a quote, is put in quotes, because 1 and
// "1" are two samples.
func taskName(id []byte) (string, error) {
	text := ""
	switch {
	case !given(id):
		return "", &badRecord{field: "id", text: "missing (want a whole number or a string)"}
	case isString(id) && len(id) > 6*maxName:
		return "", tooLong(len(id) - 2)
	case isString(id):
		if text = unquoted(id); wholeNumber.MatchString(text) || strings.HasPrefix(text, `"`) {
			quoted, _ := json.Marshal(text)
			text = string(quoted)
		}
	case wholeNumber.Match(id):
		text = string(id)
	}
	if text == "" {
		return "", &badRecord{field: "id", text: fmt.Sprintf("%s (want a whole number or a string)", clip(string(id[:min(len(id), 100)])))}
	}
	if len(text) > maxName {
		return "", tooLong(len(text))
	}
	return text, nil
}

func tooLong(n int) error {
	return &badRecord{field: "id", text: fmt.Sprintf("%d bytes long (want at most %d)", n, maxName)}
}
