package interop

import (
	"strings"

	"github.com/uplift-eval/uplift"
)

// evalMessage is what is read of a message. The text is that of users and
// assistants alone: its text parts, joined by line ends as the log's own
// readers join them. Other parts (images, reasoning) are counted.
type evalMessage struct {
	role      string // user, assistant, system, tool, other, or "" for none
	text      string
	skipped   int // parts that are no text
	toolCalls int
}

// spoken reports whether the message is part of a transcript.
func (m *evalMessage) spoken() bool {
	return m.role == string(uplift.User) || m.role == string(uplift.Assistant)
}

// messageList reads a list of messages. keep, unless nil, says which of them
// are read; the others stay empty.
func messageList(raw []byte, left *budget, keep func(at int) bool) ([]evalMessage, error) {
	if !isList(raw) {
		return nil, unlike(raw, "a list of messages")
	}
	n := elements(raw)
	if n > maxElements {
		return nil, foreign("%d messages (want at most %d)", n, maxElements)
	}
	messages := make([]evalMessage, n)
	err := walkList(raw, func(at int, item []byte) (err error) {
		if keep == nil || keep(at) {
			messages[at], err = message(item, left)
		}
		return err
	})
	return messages, together(err)
}

// message reads one message.
func message(raw []byte, left *budget) (m evalMessage, err error) {
	switch {
	case !given(raw):
		return m, nil
	case !isObject(raw):
		return m, unlike(raw, "a message: an object with role and content")
	}
	var role, content, calls []byte
	walkObject(raw, func(key, value []byte) error {
		switch string(key) {
		case "role":
			role = value
		case "content":
			content = value
		case "tool_calls":
			calls = value
		}
		return nil
	})
	if given(role) && !isString(role) {
		return m, inside("role", unlike(role, "a string"))
	}
	name, _ := nameOf(role)
	m.role = roleName(name)
	if isList(calls) {
		m.toolCalls = elements(calls)
	}
	if m.spoken() || m.role == "" { // the output's message may leave its role out
		m.text, m.skipped, err = contentText(content)
		if err == nil {
			err = left.take(m.text)
		}
		return m, inside("content", err)
	}
	m.skipped = otherParts(content)
	return m, nil
}

// roleName is one of the four usual roles, "" for none, or else other.
func roleName(s string) string {
	for _, role := range []string{string(uplift.User), string(uplift.Assistant), "system", "tool", ""} {
		if s == role {
			return role
		}
	}
	return "other"
}

// contentText joins the text parts of a message's content.
func contentText(raw []byte) (text string, skipped int, err error) {
	switch {
	case !given(raw), isString(raw):
		text, err = textOf(raw)
		return text, 0, err
	case !isList(raw):
		return "", 0, unlike(raw, "a string or a list of parts")
	}
	var joined strings.Builder
	joined.Grow(min(textSize(raw), maxText))
	first := true
	err = walkList(raw, func(_ int, part []byte) error {
		kind, body, err := partOf(part)
		if err != nil || kind != "text" {
			skipped++
			return err
		}
		one, err := textOf(body)
		if err != nil {
			return inside("text", err)
		}
		if !first && joined.Len() <= maxText {
			joined.WriteByte('\n')
		}
		if first = false; joined.Len() <= maxText {
			joined.WriteString(one)
		}
		return nil
	})
	if err == nil && joined.Len() > maxText {
		err = errText
	}
	return joined.String(), skipped, err
}

// textSize is how many bytes the text parts of a content take as they are
// written, line ends between them included.
func textSize(raw []byte) (n int) {
	walkList(raw, func(_ int, part []byte) error {
		if kind, body, _ := partOf(part); kind == "text" {
			n += len(body)
		}
		return nil
	})
	return n
}

// partOf is the type of a part, and its text as it stands.
func partOf(part []byte) (kind string, body []byte, err error) {
	if !given(part) {
		return "", nil, nil
	}
	if !isObject(part) {
		return "", nil, unlike(part, "a part: an object with type and text")
	}
	walkObject(part, func(key, value []byte) error {
		switch string(key) {
		case "type":
			kind = kindOfPart(value)
		case "text":
			body = value
		}
		return nil
	})
	return kind, body, nil
}

// kindOfPart tells text from all else, without a copy.
func kindOfPart(raw []byte) string {
	if string(raw) == `"text"` {
		return "text"
	}
	name, _ := nameOf(raw)
	return name
}

// otherParts counts the parts of a content that are no text.
func otherParts(raw []byte) (n int) {
	if !isList(raw) {
		return 0
	}
	walkList(raw, func(_ int, part []byte) error {
		if kind, _, _ := partOf(part); kind != "text" {
			n++
		}
		return nil
	})
	return n
}
