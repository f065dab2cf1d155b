package store

// What of a row's texts is not written twice. An answer that is shown as it was
// drafted would else stand in the file three times.
const (
	textIsDraft int64 = 1 << iota // the text is NULL, and is that of the draft
	lastIsText                    // the transcript lacks its last message: the assistant's, and the text
)

// same says which of the stated texts stand elsewhere in the row, and gives the
// transcript as it is written.
func (w *row) same(on fields) (s int64, transcript string) {
	transcript = w.transcript
	if on&onText == 0 {
		return 0, transcript
	}
	if on&onDraft != 0 && w.text != "" && w.text == w.draft {
		s |= textIsDraft
	}
	if on&onTranscript != 0 && w.before != "" {
		s |= lastIsText
		transcript = w.before
	}
	return s, transcript
}
