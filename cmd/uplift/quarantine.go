package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/store"
)

// newQuarantine groups what is done with texts that are locked away.
func newQuarantine(env *Env) *cobra.Command {
	cmd := group("quarantine", "What is withheld: how much, and by two reviewers its texts",
		`What a model wrote is looked through before it is kept. Where the output profile
finds something, the text is withheld: it is encrypted to the two reviewers that
study.yaml names (quarantine: {a: age1..., b: age1...}), first to A and then to
B, so that neither reads it alone. Without reviewers it is not stored at all.

Each reviewer makes a key, keeps the file, and gives the line "public key" away:
  age-keygen -o a.key          (age-encryption.org)`)
	cmd.Example = `  uplift quarantine list s
  uplift quarantine open s ID --key-a a.key --key-b b.key --show \
    --reason "second reading"
  uplift quarantine release s ID --key-a a.key --key-b b.key \
    --reason "a false hit"`
	cmd.AddCommand(newQuarantineList(env), newQuarantineOpen(env), newQuarantineRelease(env))
	return cmd
}

// withheldOf are the open records of a study, as they were kept, and what was
// released of them.
func withheldOf(ctx context.Context, db *store.Store) (list []uplift.Withheld, released map[string]store.Released, err error) {
	for w, err := range db.Withheld(ctx) {
		if err != nil {
			return nil, nil, err
		}
		list = append(list, w)
	}
	released, err = releasesOf(ctx, db)
	return list, released, err
}

// releasesOf is what was released, by id.
func releasesOf(ctx context.Context, db *store.Store) (map[string]store.Released, error) {
	out := map[string]store.Released{}
	for r, err := range db.Releases(ctx) {
		if err != nil {
			return nil, err
		}
		out[r.ID] = r
	}
	return out, nil
}

// leastOfID is how many digits of an id name a record, when no other begins so.
const leastOfID = 6

// record finds the record of an id, or of its first digits.
func record(dir string, list []uplift.Withheld, id string) (uplift.Withheld, error) {
	var found []uplift.Withheld
	for _, w := range list {
		if w.ID == id {
			return w, nil
		}
		if len(id) >= leastOfID && strings.HasPrefix(w.ID, id) {
			found = append(found, w)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return uplift.Withheld{}, hint(fmt.Errorf("%s: no withheld record has the id %q", dir, id), "uplift quarantine list %s --ids shows all", dir)
	}
	return uplift.Withheld{}, fmt.Errorf("%s: %d withheld records have an id that begins with %q (want more of it)", dir, len(found), id)
}

// sealedOf are the locked bytes of a record.
func sealedOf(ctx context.Context, db *store.Store, dir string, w uplift.Withheld) ([]byte, error) {
	sealed, found, err := db.Sealed(ctx, w.ID)
	if err == nil && !found {
		err = fmt.Errorf("%s: record %s: its text is gone: the study named no reviewers when it was withheld", dir, w.ID)
	}
	return sealed, err
}

// mostOfReason bounds a reason, in bytes.
const mostOfReason = 1000

// reasonFlag wants a reason.
func reasonFlag(command, reason string) (string, error) {
	reason = strings.TrimSpace(reason)
	switch {
	case reason == "":
		return "", usage("quarantine %s: --reason: missing (want one sentence for the evidence log)", command)
	case len(reason) > mostOfReason:
		return "", usage("quarantine %s: --reason: has %d bytes (want at most %d)", command, len(reason), mostOfReason)
	}
	return reason, nil
}
