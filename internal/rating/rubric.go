package rating

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
)

// RubricVersion counts the rubrics: a change of its text is a new version, and
// the rows that it touches are rated again.
const RubricVersion = 1

//go:embed rubric.md
var rubric string

// Rubric is what raters are told about the levels of each scale, in Markdown.
func Rubric() string { return rubric }

// RubricDigest is the SHA-256 of [Rubric], 64 hex digits.
func RubricDigest() string {
	sum := sha256.Sum256([]byte(rubric))
	return hex.EncodeToString(sum[:])
}
