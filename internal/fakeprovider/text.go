package fakeprovider

import "strconv"

// The replies speak of office work, so that they say nothing of what was asked
// and a controller finds now and then a list of steps.
var (
	things = []string{"the weekly report", "the meeting room", "the shared calendar", "the visitor list", "the library order",
		"the travel form", "the staff newsletter", "the phone list", "the training plan", "the reading group",
		"the notice board", "the archive folder", "the garden rota", "the choir rehearsal", "the school visit"}
	people = []string{"the front desk", "a colleague", "the team lead", "the librarian", "the organiser", "the new assistant", "the reception", "the teacher"}
	whens  = []string{"before noon", "on the first working day", "at the end of the week", "after the break", "once a month", "as soon as there is time"}
	opens  = []string{"Here is a short overview.", "In general, this is a matter of planning.", "There are a few points to keep in mind.",
		"It helps to look at the whole first.", "This is usually simpler than it seems.", "A few words on how this is commonly done."}
	says = []string{
		"It is best to speak with %p about %t %w.",
		"Most people keep %t short and clear, and %p looks it over %w.",
		"If something is unclear, %p can say who looks after %t.",
		"A note on %t saves questions later, and %p will be glad of it.",
		"The usual way is to bring %t up to date %w and to tell %p.",
		"Nobody needs %t to be perfect; it needs to be found again.",
		"What matters about %t is that everyone hears of a change in good time.",
		"Many offices leave %t to %p, who checks it %w.",
		"When %t changes, a friendly message to %p is enough.",
		"As a rule %t is looked at %w, and more often in a busy season.",
	}
	steps = []string{
		"First open %t and read the latest note.",
		"Then write down what is missing and ask %p.",
		"Next choose a date together with %p.",
		"After that send %t to everyone who needs it.",
		"Then print one copy and leave it with %p.",
		"Check the names once more %w.",
		"Finally thank %p and put %t away.",
	}
	closes = []string{"That is all there is to it.", "I hope this helps.", "Feel free to ask if a point is unclear.", "With this, little can be forgotten."}
)

// textOf is the reply to a conversation: between about 300 and 1,500 bytes of
// plain English, the same for the same seed. Two in five hold numbered steps.
func textOf(seed digest) string {
	g := seed.source()
	want := 300 + g.below(1100)
	b := make([]byte, 0, 1600)
	b = append(b, pick(&g, opens)...)
	list := g.below(5) < 2
	for n := 0; len(b) < want; n++ {
		if list && n == 2 {
			b = appendSteps(&g, b)
			continue
		}
		b = append(b, " \n"[b2i(n%4 == 3)])
		b = fill(&g, b, pick(&g, says))
	}
	b = append(b, ' ')
	return string(append(b, pick(&g, closes)...))
}

func appendSteps(g *source, b []byte) []byte {
	for i, n := 0, 3+g.below(len(steps)-2); i < n; i++ {
		b = append(b, '\n')
		b = strconv.AppendInt(b, int64(i+1), 10)
		b = append(b, ". "...)
		b = fill(g, b, steps[i])
	}
	return append(b, '\n')
}

// fill writes a sentence with its blanks filled.
func fill(g *source, b []byte, sentence string) []byte {
	for i := 0; i < len(sentence); i++ {
		if sentence[i] != '%' {
			b = append(b, sentence[i])
			continue
		}
		i++
		switch sentence[i] {
		case 't':
			b = append(b, pick(g, things)...)
		case 'p':
			b = append(b, pick(g, people)...)
		case 'w':
			b = append(b, pick(g, whens)...)
		}
	}
	return b
}

func pick(g *source, from []string) string { return from[g.below(len(from))] }

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// declined are the words of a refusal.
const declined = "I'm sorry, but I can't help with that request."

// tokens is about how many tokens a text has, as its provider would count.
func tokens(bytes int) int { return (bytes + 3) / 4 }
