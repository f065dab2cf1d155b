package rating

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"
)

// Panel is a panel of simulated raters. It reads a row as a person would, the
// conversation and the card, and marks it with a known noise: first two
// raters, and a third on those scales whose adjudication asks for one. The
// same seed and conversation give the same marks, whatever the row's id.
type Panel struct {
	Seed uint64
	Size int // raters to choose from; fewer than 3 means 3
}

// Rate marks a row. at is the time of the ratings.
func (p Panel) Rate(row Row, at time.Time) []Rating {
	key := conversationKey(row)
	first := int(p.hash("first", key) % uint64(p.size()))
	ratings := make([]Rating, 2, 3)
	for i := range ratings {
		ratings[i] = Rating{Row: row.ID, Rater: p.name(first + i), At: at}
		for _, scale := range scales {
			ratings[i].Marks = append(ratings[i].Marks, p.mark(row, key, scale, i))
		}
	}
	third := Rating{Row: row.ID, Rater: p.name(first + 2), At: at, Note: "third rater"}
	for i, scale := range scales {
		if v := Adjudicate(scale, []Mark{ratings[0].Marks[i], ratings[1].Marks[i]}); v.Method == NeedsThird {
			third.Marks = append(third.Marks, p.mark(row, key, scale, 2))
		}
	}
	if len(third.Marks) > 0 {
		ratings = append(ratings, third)
	}
	return ratings
}

func (p Panel) size() int { return max(p.Size, 3) }

func (p Panel) name(i int) string { return fmt.Sprintf("sim-%d", i%p.size()+1) }

// mark draws the mark of the seat-th rater of a row.
func (p Panel) mark(row Row, key, scale string, seat int) Mark {
	level, ok := Read(row, scale)
	if !ok {
		return Mark{Scale: scale, NA: true}
	}
	u := float64(p.hash(fmt.Sprintf("%s/%d", scale, seat), key)>>11) / (1 << 53)
	got := level
	for to, prob := range noise[level] {
		if got = to; u < prob {
			break
		}
		u -= prob
	}
	return Mark{Scale: scale, Value: float64(got) / 4}
}

func (p Panel) hash(purpose, key string) uint64 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], p.Seed)
	h := sha256.New()
	h.Write(b[:])
	h.Write([]byte(purpose + "\x00" + key))
	return binary.LittleEndian.Uint64(h.Sum(nil))
}

// conversationKey is equal for equal conversations with equal cards only.
func conversationKey(row Row) string {
	h := sha256.New()
	for _, t := range row.Conversation {
		fmt.Fprintf(h, "%d:%s%d:%s", len(t.Speaker), t.Speaker, len(t.Text), t.Text)
	}
	fmt.Fprintf(h, "%d:%s", len(row.Card.Expected), row.Card.Expected)
	return string(h.Sum(nil))
}

// noise[from][to] is the probability that a simulated rater marks the level to
// where the row holds the level from. Each line sums to 1 exactly.
var noise = [5][5]float64{
	{0.9375, 0.0625, 0, 0, 0},
	{0.0625, 0.8125, 0.125, 0, 0},
	{0, 0.125, 0.75, 0.125, 0},
	{0, 0.03125, 0.125, 0.75, 0.09375},
	{0, 0, 0.03125, 0.125, 0.84375},
}

// Noise is the noise of the simulated raters, the same on every scale:
// Noise()[from][to] is the probability of a mark.
func Noise() [5][5]float64 { return noise }

// Expected is the exact mean of the verdict of a [Panel] over its noise, for a
// row that holds the level, on a scale of the rubric.
func Expected(scale string, level int) float64 {
	mark := func(l int) Mark { return Mark{Scale: scale, Value: float64(l) / 4} }
	sum := 0.0
	for a, pa := range noise[level] {
		for b, pb := range noise[level] {
			v := Adjudicate(scale, []Mark{mark(a), mark(b)})
			if v.Resolved {
				sum += pa * pb * v.Value
				continue
			}
			for c, pc := range noise[level] {
				sum += pa * pb * pc * Adjudicate(scale, []Mark{mark(a), mark(b), mark(c)}).Value
			}
		}
	}
	return sum
}
