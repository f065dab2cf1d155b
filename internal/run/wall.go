package run

import "time"

// wall is a limit of the provider's: a bucket that holds so much and is filled
// again evenly. Anthropic and OpenAI both say what is left in it, and when it
// will be full. The zero value is no limit.
type wall struct {
	size  int       // what it holds; 0: no limit
	rate  float64   // filled again, a second
	level float64   // at the moment at; below 0 where more is on its way than was left
	at    time.Time // of the statement
}

// refill is how fast a bucket is filled at most, a second, by one statement on
// it: what is missing over the time until it is full. Resets are written in
// whole seconds by some, so that the time may be a second too long; of a short
// one half is doubted. ok is false where nothing follows: nothing is missing, or
// it will be full at once.
func refill(size, left int, in time.Duration) (rate float64, ok bool) {
	if left >= size || in <= 0 {
		return 0, false
	}
	return float64(size-left) / (in - min(in/2, time.Second)).Seconds(), true
}

// now is what is in it.
func (w *wall) now(now time.Time) float64 {
	return min(w.level+w.rate*now.Sub(w.at).Seconds(), float64(w.size))
}

// use takes n out of it, from now on: what was full has not gone on to fill.
func (w *wall) use(now time.Time, n int) {
	if w.size > 0 {
		w.level, w.at = w.now(now)-float64(n), now
	}
}

// free is when so much can be taken: now, or later. What is more than it holds
// can be taken when it is full.
func (w *wall) free(now time.Time, need int) time.Time {
	if w.size == 0 {
		return now
	}
	short := float64(min(need, w.size)) - w.now(now)
	if short <= 0 {
		return now
	}
	return now.Add(seconds(short / w.rate))
}

// seconds is a number of them, at most a day.
func seconds(s float64) time.Duration {
	return time.Duration(min(s, 24*60*60) * float64(time.Second))
}
