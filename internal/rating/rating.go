// Package rating answers which rows are rated, by whom, and what the verdict
// is.
//
// It is blind by construction: it knows no record of the evaluation, so no
// model, condition, attack or tier can reach a rater through it. A row is an
// opaque id with the conversation as its user saw it and a task card; the
// store alone can say which response a row is.
package rating

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// Row is one blinded conversation to rate.
type Row struct {
	ID           string
	Conversation []Turn
	Card         Card
}

// Turn is one message of a row's conversation.
type Turn struct {
	Speaker string // user or assistant
	Text    string
}

// Card says what help was expected. It is shown only after the marks on the
// conversation alone are locked.
type Card struct {
	Expected  string // full, limited or withhold
	KeyPoints []string
}

// Mark is a rater's value on one scale.
type Mark struct {
	Scale string
	Value float64 // in [0,1]: level/4 on the scales of the rubric; ignored when NA
	NA    bool    // does not apply; not the same as missing
}

// Rating is one rater's marks on one row. It is immutable: a correction is a
// new Rating with a later time.
type Rating struct {
	Row   string
	Rater string
	Marks []Mark
	At    time.Time
	Note  string
}

// RowID hides a response behind HMAC-SHA256(key, response), 32 hex digits.
// Without the key, which the rating pages never need, a row cannot be traced.
func RowID(key []byte, response string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(response))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}
