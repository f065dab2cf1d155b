package benchmark

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gowebpki/jcs"

	uplift "github.com/uplift-eval/uplift"
)

// Print writes tasks as JSON Lines, which [Read] reads back unchanged. Keys stand
// in the order of [Fields]; [Digest] is of another form.
func Print(w io.Writer, tasks []uplift.Task) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, t := range tasks {
		if err := enc.Encode(t); err != nil {
			return fmt.Errorf("print task %s: %w", t.ID, err)
		}
	}
	return nil
}

// Digest is the SHA-256 of the tasks in the order of their ids, as one array
// of canonical JSON (RFC 8785): 64 hex digits. Every field counts, the author's
// notes too; the order of the tasks and the form of their file do not.
func Digest(tasks []uplift.Task) string {
	tasks = append([]uplift.Task{}, tasks...)
	slices.SortFunc(tasks, func(a, b uplift.Task) int { return strings.Compare(a.ID, b.ID) })
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(tasks); err != nil {
		panic(err) // a task holds nothing that JSON cannot say
	}
	canonical, err := jcs.Transform(b.Bytes())
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}
