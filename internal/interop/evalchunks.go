package interop

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// chunks completes the shell of a chunked sample: its metadata, messages and
// attachments, whose ids are their places in the sequence.
func (z *evalZip) chunks(prefix string, s *evalSample, refs [][2]int, metadata *metadataReader) error {
	if s.metadata == nil && z.members[prefix+"metadata.json"] != nil {
		raw, err := z.json(prefix + "metadata.json")
		if err == nil {
			s.metadata, err = metadata.values(raw)
		}
		if err != nil {
			return inside("metadata.json", err)
		}
	}
	if s.messages == nil {
		if err := z.messages(prefix, s, refs); err != nil {
			return err
		}
	}
	if s.asked() {
		s.turns = nil
	}
	return z.attachments(prefix, s)
}

// messages reads those of a chunked sample's messages that its conversation
// refers to, or all of them when it does not say.
func (z *evalZip) messages(prefix string, s *evalSample, refs [][2]int) error {
	keep, err := kept(refs)
	if err != nil {
		return inside("message_refs", err)
	}
	var pool []evalMessage
	left := budget(maxTranscript)
	err = z.sequence(prefix, "messages", func(raw []byte) (int, error) {
		start := len(pool)
		chunk, err := messageList(raw, &left, func(at int) bool { return keep == nil || start+at < len(keep) && keep[start+at] })
		if len(pool)+len(chunk) > maxElements {
			return 0, foreign("more than %d messages (want fewer)", maxElements)
		}
		pool = append(pool, chunk...)
		return len(chunk), err
	})
	if err != nil || refs == nil {
		s.messages = pool
		return err
	}
	for _, ref := range refs {
		if ref[1] > len(pool) {
			return &badRecord{field: "message_refs", text: fmt.Sprintf("[%d,%d) of %d messages", ref[0], ref[1], len(pool))}
		}
		s.messages = append(s.messages, pool[ref[0]:ref[1]]...)
	}
	return nil
}

// kept says which places of the pool the ranges hold; nil means all.
func kept(refs [][2]int) ([]bool, error) {
	if refs == nil {
		return nil, nil
	}
	end, n := 0, 0
	for _, ref := range refs {
		if n += min(ref[1]-ref[0], maxElements+1); n > maxElements {
			return nil, foreign("more than %d messages (want fewer)", maxElements)
		}
		end = max(end, ref[1])
	}
	keep := make([]bool, min(end, maxElements))
	for _, ref := range refs {
		for i := ref[0]; i < min(ref[1], len(keep)); i++ {
			keep[i] = true
		}
	}
	return keep, nil
}

// messageRefs reads half-open ranges of the message chunks; nil when the key
// is absent.
func messageRefs(raw []byte) ([][2]int, error) {
	if raw == nil {
		return nil, nil
	}
	if !isList(raw) {
		return nil, unlike(raw, "a list of ranges such as [0,3]")
	}
	refs := [][2]int{}
	return refs, walkList(raw, func(at int, item []byte) error {
		if at == maxElements {
			return foreign("more than %d ranges (want fewer)", maxElements)
		}
		ref, ok := rangeOf(item)
		if !ok {
			return foreign("%s (want a range such as [0,3])", clip(string(item[:min(len(item), 100)])))
		}
		refs = append(refs, ref)
		return nil
	})
}

// rangeOf reads a half-open range of two whole numbers from 0.
func rangeOf(raw []byte) (ref [2]int, ok bool) {
	if !isList(raw) {
		return ref, false
	}
	n := 0
	err := walkList(raw, func(at int, item []byte) (err error) {
		if n++; at < 2 {
			ref[at], err = strconv.Atoi(string(item[:min(len(item), 20)]))
		}
		return err
	})
	return ref, err == nil && n == 2 && ref[0] >= 0 && ref[0] <= ref[1]
}

// sequence hands over the chunks of a chunked sample, each named by the place
// of its first item. They must follow each other without a gap. each returns
// how many items a chunk has.
func (z *evalZip) sequence(prefix, name string, each func(raw []byte) (int, error)) error {
	starts := z.chunkStarts[prefix+name]
	slices.Sort(starts)
	next := 0
	for _, start := range starts {
		member := fmt.Sprintf("%s/%d.json", name, start)
		if start != next {
			return &badRecord{field: member, text: fmt.Sprintf("begins at %d (want %d: a chunk is missing)", start, next)}
		}
		raw, err := z.json(prefix + member)
		n := 0
		if err == nil {
			n, err = each(raw)
		}
		if err != nil {
			return inside(member, err)
		}
		next += n
	}
	return nil
}

const attachment = "attachment://"

// references are the texts that stand for an attachment, by its id.
func (s *evalSample) references() map[string][]*string {
	refs := map[string][]*string{}
	note := func(text *string) {
		if id, ok := strings.CutPrefix(*text, attachment); ok {
			refs[id] = append(refs[id], text)
		}
	}
	note(&s.completion)
	note(&s.choice.text)
	for i := range s.messages {
		note(&s.messages[i].text)
	}
	for i := range s.turns {
		note(&s.turns[i])
	}
	return refs
}

// put puts an attachment in the place of what refers to it.
func put(refs []*string, raw []byte) error {
	text, err := textOf(raw)
	for _, ref := range refs {
		*ref = text
	}
	return err
}

// attach puts a sample's own attachments back into its texts. Only those that
// are referred to are read.
func (s *evalSample) attach(raw []byte) error {
	refs := s.references()
	if raw == nil || len(refs) == 0 {
		return nil
	}
	if !isObject(raw) {
		return unlike(raw, "an object")
	}
	return walkObject(raw, func(key, value []byte) error {
		if to := refs[string(key)]; to != nil {
			return inside(clip(string(key)), put(to, value))
		}
		return nil
	})
}

// attachments does the same for a chunked sample, whose attachments have
// chunks of their own. One that is missing is an error.
func (z *evalZip) attachments(prefix string, s *evalSample) error {
	refs := s.references()
	if len(refs) == 0 {
		return nil
	}
	start := 0
	err := z.sequence(prefix, "attachments", func(raw []byte) (n int, err error) {
		if !isList(raw) {
			return 0, unlike(raw, "a list of strings")
		}
		err = walkList(raw, func(at int, item []byte) error {
			n++
			id := strconv.Itoa(start + at)
			if to := refs[id]; to != nil {
				delete(refs, id)
				return put(to, item)
			}
			return nil
		})
		start += n
		return n, err
	})
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(refs)) {
		if wholeNumber.MatchString(id) {
			return &badRecord{field: "attachments", text: fmt.Sprintf("none is %q", clip(attachment+id))}
		}
	}
	return nil
}
