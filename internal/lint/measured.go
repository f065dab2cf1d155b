package lint

import "fmt"

// Measured is how often the output profile would lock away an ordinary answer.
type Measured struct {
	Public Share `json:"public"` // completions of safe XSTest prompts that people judged full answers
	Own    Share `json:"own"`    // answers written for this measure, with code, numbers, formulas, languages
	Plain  Share `json:"plain"`  // hard answers on biology, cooking, travel: dense with names, links, prices, amounts on purpose
}

// MeasuredHits is what a test measures and holds these numbers to.
func MeasuredHits() Measured {
	return Measured{Public: Share{Hits: 0, Of: 506}, Own: Share{Hits: 0, Of: 59}, Plain: Share{Hits: 10, Of: 48}}
}

// String is the measure in words.
func (m Measured) String() string {
	return fmt.Sprintf("Output profile, false hits: %d of %d full answers to safe XSTest prompts (%.2f %%), limit 1 %%; %d of %d answers written for it, %d of %d hard ones, in which names, prices and amounts stand side by side on purpose.",
		m.Public.Hits, m.Public.Of, 100*m.Public.Value(), m.Own.Hits, m.Own.Of, m.Plain.Hits, m.Plain.Of)
}
