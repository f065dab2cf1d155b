package interop

import (
	"fmt"
	"strings"
)

// summaries counts the samples of which a crash left only the summary.
func (l *evalLog) summaries() {
	var lost []string // the first five
	for _, member := range l.summaryMembers() {
		err := l.summarised(member, func(id string, epoch int) {
			if key := sampleKey(id, epoch); l.seen[key] == "" {
				l.seen[key] = member
				if l.counts.SummaryOnly++; len(lost) < 5 {
					lost = append(lost, fmt.Sprintf("%s (epoch %d)", clip(id), epoch))
				}
			}
		})
		if err != nil {
			l.note("%s cannot be read (%v); it was only to say which samples are missing", clip(member), err)
		}
	}
	if len(lost) == 0 {
		return
	}
	more := ""
	if n := l.counts.SummaryOnly - len(lost); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	l.note("only a summary is left of %s%s: not imported", strings.Join(lost, ", "), more)
}

// summarised calls f for each summary that names its sample.
func (l *evalLog) summarised(member string, f func(id string, epoch int)) error {
	raw, err := l.zip.json(member)
	if err != nil {
		return err
	}
	if !isList(raw) {
		return unlike(raw, "a list of summaries")
	}
	return walkList(raw, func(_ int, summary []byte) error {
		if !isObject(summary) {
			return nil
		}
		k, _ := keysOf(summary)
		id, err := taskName(k.id)
		if err != nil {
			return nil
		}
		if epoch, err := epochOf(k.epoch); err == nil {
			f(id, epoch)
		}
		return nil
	})
}

// summaryMembers are summaries.json, or else the journal's.
func (l *evalLog) summaryMembers() []string {
	if l.zip.members["summaries.json"] != nil {
		return []string{"summaries.json"}
	}
	var names []string
	for _, name := range l.zip.order {
		if strings.HasPrefix(name, "_journal/summaries/") && strings.HasSuffix(name, ".json") {
			names = append(names, name)
		}
	}
	return names
}
