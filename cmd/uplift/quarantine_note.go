package main

import (
	"context"
	"fmt"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/quarantine"
	"github.com/uplift-eval/uplift/internal/store"
)

// codeWithheld marks an analysis of a study of which responses are withheld.
const codeWithheld = "withheld"

// lockedCondition counts the responses of a condition whose texts are locked away.
type lockedCondition struct {
	model, condition string
	quarantine.Tally
}

// lockedNow counts them, in order of model and condition; some is false when
// nothing is locked away. Where nothing ever was, no response is read.
func lockedNow(ctx context.Context, db *store.Store, now *store.Snapshot) (list []lockedCondition, some bool, err error) {
	ever := false
	for _, err := range db.Withheld(ctx) {
		if err != nil {
			return nil, false, err
		}
		ever = true
		break
	}
	if !ever {
		return nil, false, nil
	}
	for r, err := range now.Responses(ctx) {
		if err != nil {
			return nil, false, err
		}
		if n := len(list); n == 0 || list[n-1].model != r.Model || list[n-1].condition != r.Condition {
			list = append(list, lockedCondition{model: r.Model, condition: r.Condition})
		}
		last := &list[len(list)-1]
		last.Responses++
		if r.Withheld != "" {
			last.Withheld, some = last.Withheld+1, true
		}
	}
	return list, some, nil
}

// withheldNote says of how many responses the text is withheld. They have no
// label and enter no mean: whoever reads the numbers must know that, since they
// are the worst ones.
func withheldNote(ctx context.Context, db *store.Store, now *store.Snapshot) ([]uplift.Warning, error) {
	list, some, err := lockedNow(ctx, db, now)
	if err != nil || !some {
		return nil, err
	}
	var parts []string
	for _, c := range list {
		if c.Withheld == 0 && c.Responses >= quarantine.Least {
			continue
		}
		name := c.condition
		if c.model != list[0].model || c.model != list[len(list)-1].model {
			name = c.model + "/" + name
		}
		parts = append(parts, fmt.Sprintf("%s %s of %d", name, c.Public().Withheld, c.Responses))
	}
	return []uplift.Warning{{Code: codeWithheld, Text: fmt.Sprintf("responses are withheld for what stands in them: %s (counts of 1 and 2 are not shown). Without a label they are missing, never 0; as they are likely the worst ones, leaving them out flatters the condition that made them",
		strings.Join(parts, ", "))}}, nil
}

// sayWithheld says how many rows of an export have no text, or are left out,
// since their texts are withheld.
func sayWithheld(ctx context.Context, env *Env, db *store.Store, now *store.Snapshot, flags exportFlags) error {
	if !flags.text && !flags.unlabelled {
		return nil
	}
	list, some, err := lockedNow(ctx, db, now)
	if err != nil || !some {
		return err
	}
	n := 0
	for _, c := range list {
		n += c.Withheld
	}
	fmt.Fprintf(env.Stderr, "note: the text of %s is withheld: such a row is left out where it has no label yet, and else has no text\n", several(n, "response"))
	return nil
}
