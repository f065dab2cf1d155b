package store

import "strings"

// schema is the version of a file's tables. An older file that is only read
// stays as it is, and is asked for what it has.
type schema int

// oldest is the version that can still be read.
const oldest schema = 1

// query is a query for a file of this version.
func (v schema) query(q string) string {
	if v >= 2 {
		return q
	}
	return version1.Replace(q)
}

// version1 leaves out what came with version 2, and gives what it would hold.
var version1 = strings.NewReplacer(
	selectDetails, `SELECT response, outcome, simulated, decision, call, detail, NULL FROM response_details ORDER BY id`,
	fetchDetails, `SELECT response, decision, call, detail, NULL FROM response_details WHERE response IN (%s) ORDER BY id`,
	fetchTexts, `SELECT response, text, draft, transcript, 0 FROM texts WHERE response IN (%s) ORDER BY id`,
	selectCall, `SELECT revision, attempts, text, stop, tokens_in, tokens_out, raw_hash, error,
		'', '', '', '', '', '', 0, '' FROM calls WHERE digest = ? ORDER BY revision DESC LIMIT 1`,
)
