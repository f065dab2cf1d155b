package run

import "time"

// allowance is how much of one thing, requests or tokens, may be used: what the
// study says, else what the provider says. What was learnt from the provider
// only keeps a run below a limit that is known; whether it goes faster or slower
// is for the window.
type allowance struct {
	own    bool   // the study's limit stands in minute: nothing is learnt
	minute minute // the study's limit, or one of which no reset was said
	wall   wall
	said   time.Time // when the provider last spoke of its limit
	used   int       // in all, as it was counted when sending
}

func allow(own int) allowance { return allowance{own: own > 0, minute: minute{limit: own}} }

// trusted is how long a statement of the provider's holds without another.
const trusted = 2 * time.Minute

// limit is what is said of one thing. A nil field was not said.
type limit struct {
	size, left *int
	in         *time.Duration // until all of it is there again
}

// empty is when a limit that is used up will be whole again; 0: it is not used up.
func (l limit) empty() time.Duration {
	if l.size == nil || *l.size <= 0 || l.left == nil || *l.left > 0 || l.in == nil {
		return 0
	}
	return *l.in
}

// free is when so much can be used. A limit of which nothing was heard for long
// is let go.
func (a *allowance) free(now time.Time, need int) time.Time {
	if a.own {
		return a.minute.free(now, need)
	}
	if !a.said.IsZero() && now.Sub(a.said) >= trusted {
		a.forget()
	}
	until := later(a.minute.free(now, need), a.wall.free(now, need))
	if end := a.said.Add(trusted); until.After(end) && !a.said.IsZero() {
		return end
	}
	return until
}

func (a *allowance) forget() { a.minute.limit, a.wall, a.said = 0, wall{}, time.Time{} }

// use counts n. It gives the tick, for [minute.correct], and all that was used.
func (a *allowance) use(now time.Time, n int) (tick int64, used int) {
	a.used += n
	a.wall.use(now, n)
	return a.minute.use(now, n), a.used
}

// learn takes a statement. It may be older than what was sent after its request,
// so that this still goes off what is said to be left. A limit of nothing, or
// below it, is none. One without a reset is of a minute.
func (a *allowance) learn(now time.Time, l limit, used int) {
	if a.own || l.size == nil || *l.size <= 0 {
		return
	}
	a.said = now
	if l.left == nil || l.in == nil {
		a.minute.limit, a.wall = *l.size, wall{}
		return
	}
	a.minute.limit = 0
	rate, ok := refill(*l.size, *l.left, *l.in)
	switch {
	case ok:
		a.wall = wall{*l.size, rate, float64(*l.left - (a.used - used)), now}
	case *l.left >= *l.size && a.wall.size == *l.size: // full: how fast it fills stays as it was
		a.wall.level, a.wall.at = float64(*l.size-(a.used-used)), now
	default:
		a.wall = wall{}
	}
}

// grant is the provider's word that so much can be used after a time: nothing
// that was learnt stands in its way.
func (a *allowance) grant(now time.Time, need int, after time.Duration) {
	if !a.own && a.minute.free(now, need).After(now.Add(after)) {
		a.minute = minute{limit: a.minute.limit}
	}
	if w := &a.wall; w.size > 0 {
		w.level = max(w.level, float64(min(need, w.size))-w.rate*(now.Add(after).Sub(w.at)).Seconds())
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
