package run

import "time"

// minute counts what was used within the last minute, in tenths of a second, so
// that a limit holds over any minute and not only on average. The zero value
// has no limit.
type minute struct {
	limit int   // 0: none
	at    int64 // the latest tick
	used  [ticks]int
	sum   int
}

// A slot is given back once all of it is a minute old.
const (
	tick  = 100 * time.Millisecond
	ticks = int(time.Minute/tick) + 1
)

// advance forgets what is older than a minute.
func (m *minute) advance(now time.Time) {
	to := now.UnixMilli() / tick.Milliseconds()
	if to-m.at >= int64(ticks) {
		m.used, m.sum, m.at = [ticks]int{}, 0, to
	}
	for m.at < to {
		m.at++
		slot := m.slot(m.at)
		m.sum -= *slot
		*slot = 0
	}
}

func (m *minute) slot(tick int64) *int { return &m.used[tick%int64(ticks)] }

// free is when so much can be used: now, or later. What is more than the limit
// can be used when nothing else was.
func (m *minute) free(now time.Time, need int) time.Time {
	m.advance(now)
	need = min(need, m.limit)
	left := m.sum
	if m.limit == 0 || left+need <= m.limit {
		return now
	}
	for k := int64(1); ; k++ {
		left -= *m.slot(m.at + k)
		if left+need <= m.limit || k == int64(ticks) {
			return time.UnixMilli((m.at + k) * tick.Milliseconds())
		}
	}
}

// use counts n and says in which tick.
func (m *minute) use(now time.Time, n int) int64 {
	m.advance(now)
	*m.slot(m.at) += n
	m.sum += n
	return m.at
}

// correct changes what was counted in a tick, unless that is over.
func (m *minute) correct(tick int64, by int) {
	if m.at-tick < int64(ticks) {
		*m.slot(tick) += by
		m.sum += by
	}
}
