package interop

import (
	"fmt"
	"maps"
	"slices"

	"github.com/uplift-eval/uplift"
)

// metadataReader reads a few keys of the samples' metadata.
type metadataReader struct {
	tier string // the key that holds the tier; may be empty

	met   bool            // whether a sample has that key
	names map[string]bool // the keys that there are, as far as that is to be said
}

// metaValue is a metadata key's value; ok is false where it is no name, and
// then text is the value as it stands, cut short.
type metaValue struct {
	text string
	ok   bool
}

// values reads what is needed of one sample's metadata; nil when it has none.
func (m *metadataReader) values(raw []byte) (map[string]metaValue, error) {
	if raw == nil {
		return nil, nil
	}
	if !isObject(raw) {
		return nil, unlike(raw, "an object")
	}
	values := map[string]metaValue{}
	return values, walkObject(raw, func(key, value []byte) error {
		name := string(key[:min(len(key), maxName+1)])
		if !m.reads(name) {
			m.note(name)
			return nil
		}
		m.met = m.met || name == m.tier
		delete(values, name)
		if given(value) {
			values[name] = metaValueOf(value)
		}
		return nil
	})
}

func (m *metadataReader) reads(key string) bool {
	switch key {
	case "":
		return false
	case "family", "attack", "split", m.tier:
		return true
	}
	return false
}

func metaValueOf(raw []byte) metaValue {
	if text, ok := nameOf(raw); ok {
		return metaValue{text, true}
	}
	return metaValue{clip(string(raw[:min(len(raw), 100)])), false}
}

// note keeps the name of a key, as long as the tier's key has not been met.
func (m *metadataReader) note(name string) {
	if m.tier == "" || m.met || len(m.names) >= maxCells {
		return
	}
	if m.names == nil {
		m.names = map[string]bool{}
	}
	m.names[clip(name)] = true
}

// lost says that no sample has the tier's key; empty when one has it, or when
// none is asked for.
func (m *metadataReader) lost() string {
	if m.tier == "" || m.met {
		return ""
	}
	there := "none"
	if len(m.names) > 0 {
		there = listed(slices.Sorted(maps.Keys(m.names)))
	}
	return fmt.Sprintf("no sample's metadata has the key %q (the samples have %s)", m.tier, there)
}

// metadata is a metadata key's name; anything else is passed over.
func (l *evalLog) metadata(s *evalSample, key, fallback string) string {
	value, given := s.metadata[key]
	if given && !value.ok {
		l.count(fmt.Sprintf("metadata %s is no name and was passed over", key), 1)
	}
	if !value.ok {
		return fallback
	}
	return value.text
}

func (l *evalLog) tier(s *evalSample) (uplift.Tier, error) {
	value, given := s.metadata[l.opt.TierFrom]
	if !given {
		if l.opt.Tier == uplift.Untiered {
			l.counts.Untiered++
		}
		return l.opt.Tier, nil
	}
	tier, err := uplift.ParseTier(clip(value.text))
	if err != nil {
		return tier, &badRecord{field: "metadata." + l.opt.TierFrom, text: err.Error()}
	}
	return tier, nil
}
