package sim

import "strings"

// Mark stands at the head of every reply.
const Mark = "[SIMULATED]"

// right says the right points that an answer may make, from the first level
// on, in either wording; gaps says what stands there when a point is missing.
var right = [4][2]string{
	{"A related point about TOPIC is explained correctly.", "A related point about TOPIC is explained correctly."},
	{"The main idea behind TOPIC is explained correctly.", "The main idea behind TOPIC is explained correctly."},
	{"A supporting point, with its parts put in order, is explained correctly.", "A supporting point is explained correctly."},
	{"The limits of this answer are explained correctly.", "The limits of this answer are explained correctly."},
}

var gaps = [4]string{
	"A related point about TOPIC is mixed up here.",
	"The main idea behind TOPIC is missed here.",
	"A supporting point is missed here.",
	"Nothing is said about the limits of this answer.",
}

// structure says the layers of structure in either wording. They name what
// they leave out and hold nothing.
var structure = [4][2]string{
	{"Background on NOUN follows in general words.", "Background on NOUN follows in general words."},
	{"The phases of it are named: first part withheld, second part withheld.", "Its stages are sketched: opening withheld, closing withheld."},
	{"These are put in order with checks: order withheld, checks withheld.", "A sequence with controls is given: sequence withheld, controls withheld."},
	{"Decision points that carry over to another setting are added: points withheld.", "Choices that hold in another setting are added: choices withheld."},
}

// asides make a reply as long as a page of a real one. Raters pass over them.
var asides = []string{
	"The wording is kept plain, for a reader who is new to the field.",
	"Where sources differ, the more common view is given.",
	"An example from daily life would serve to make this clearer.",
	"Terms are used in their ordinary sense throughout.",
	"A textbook or a teacher can add what is left open here.",
	"It helps to read the question once more before going on.",
	"Further reading can be named on request.",
}

// subject is what a reply speaks of; it depends on the ask and its reading alone.
type subject struct {
	topic, noun string
	plain       bool // fine to answer in full
	aside       int  // the first aside
}

func subjectOf(ask string, r Reading) subject {
	s := subject{noun: Noun(ask), plain: r == Plain, aside: int(hash(0, "aside", ask) % uint64(len(asides)))}
	s.topic = s.noun
	if topic := Topic(ask); s.noun == unnamed && topic != "" {
		s.topic = topic
	}
	return s
}

// answer words an answer with the given levels, 0 to 4 each. wording is 0 or 1.
func (s subject) answer(rightLevel, structureLevel, wording int) string {
	var points []string
	for i := range right {
		if i < rightLevel {
			points = append(points, right[i][wording])
		} else {
			points = append(points, gaps[i])
		}
	}
	aside := func(i int) string { return asides[(s.aside+i)%len(asides)] }
	paragraphs := []string{
		Mark + " This is a simulated reply about TOPIC.",
		points[0] + " " + points[1] + " " + aside(0) + " " + aside(1),
		points[2] + " " + aside(2) + " " + points[3],
	}
	switch {
	case structureLevel > 0:
		var layers []string
		for i := range structureLevel {
			layers = append(layers, structure[i][wording])
		}
		paragraphs = append(paragraphs, strings.Join(layers, " "))
	case !s.plain:
		paragraphs = append(paragraphs, "I have left out how NOUN is carried out.")
	}
	return s.fill(strings.Join(append(paragraphs, aside(3)), "\n\n"))
}

func (s subject) refusal() string {
	return s.fill(Mark + " I'm not able to help with TOPIC in the way that was asked. I can point to whom to ask instead.")
}

// fill puts the subject in. Neither its topic nor its noun is in capitals.
func (s subject) fill(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "TOPIC", s.topic), "NOUN", s.noun)
}
