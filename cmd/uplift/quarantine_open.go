package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/evidence"
	"github.com/uplift-eval/uplift/internal/quarantine"
)

// openFlags say what is opened, by whom and why, and where it goes.
type openFlags struct {
	keyA, keyB, half string
	out, reason      string
	show, asJSON     bool
}

func newQuarantineOpen(env *Env) *cobra.Command {
	var f openFlags
	cmd := &cobra.Command{
		Use: "open [DIR ID]", Short: "Read a withheld text, with both reviewers' keys",
		Long: `open decrypts the withheld text of a record (ID, or its first digits, from
"uplift quarantine list --ids") with the keys of both reviewers, and writes it
to a new file (--out, readable by you alone, as JSON) or to the terminal
(--show; characters that do not print stand as escapes).

Reviewers who do not meet take two steps. B opens the outer layer and sends the
file to A, for whom it stays encrypted:
  uplift quarantine open s ID --key-b b.key --out half --reason R
  uplift quarantine open s ID --half half --key-a a.key --show --reason R
A who has not got the study leaves out s and ID: the opening is then written to
A's own log in place of the study's.

Each opening is written to the evidence log first, with the reason and the public
keys; a key that does not fit opens nothing. Keys are files of age-keygen, also
encrypted ones: their passphrase is asked for on the terminal. --out lies outside
the study, so that nobody takes the text along with it.`,
		Example: "  uplift quarantine open s 4f2c81 --key-a a.key --key-b b.key --show \\\n    --reason \"second reading\"",
		Args:    positional(0, 2, "a directory and an id, or with --half neither"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(args); err != nil {
				return err
			}
			return f.open(cmd.Context(), env, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.keyA, "key-a", "", "file with reviewer A's private key")
	flags.StringVar(&f.keyB, "key-b", "", "file with reviewer B's private key")
	flags.StringVar(&f.half, "half", "", "file in which B has opened the outer layer")
	flags.StringVar(&f.out, "out", "", "new file to write to")
	flags.BoolVar(&f.show, "show", false, "write the text to the terminal")
	flags.BoolVar(&f.asJSON, "json", false, "with --show: as JSON")
	flags.StringVar(&f.reason, "reason", "", "why it is opened, for the evidence log")
	return cmd
}

func (f *openFlags) check(args []string) (err error) {
	f.reason, err = reasonFlag("open", f.reason)
	switch half := f.half != ""; {
	case err != nil:
		return err
	case len(args) == 1, len(args) == 0 && !half:
		return usage("quarantine open: want a directory and an id (uplift quarantine list DIR --ids shows them)")
	case half && (f.keyA == "" || f.keyB != ""):
		return usage("quarantine open: --half goes with --key-a alone: B's layer is open")
	case !half && f.keyB == "":
		return usage("quarantine open: --key-b: missing (want the keys of both, or --half and --key-a)")
	case f.layer() == outerLayer && (f.out == "" || f.show):
		return usage("quarantine open: --key-b without --key-a opens the outer layer for A (want --out FILE for it)")
	case f.show == (f.out != ""):
		return usage("quarantine open: want --show or --out FILE, one of them")
	case f.asJSON && !f.show:
		return usage("quarantine open: --json goes with --show: --out is JSON")
	}
	return nil
}

// What an opening opens.
const (
	wholeRecord = "text"
	outerLayer  = "outer layer"
	innerLayer  = "inner layer"
)

func (f *openFlags) layer() string {
	switch {
	case f.half != "":
		return innerLayer
	case f.keyA == "":
		return outerLayer
	}
	return wholeRecord
}

// opening is the data of an open entry.
type opening struct {
	Command string   `json:"command"`
	ID      string   `json:"id"`
	Of      string   `json:"of"`
	SHA256  string   `json:"sha256"`
	Opened  string   `json:"opened"`
	By      []string `json:"by"` // the public keys that opened it
	Reason  string   `json:"reason"`
}

// openedRecord is what came of a try with keys.
type openedRecord struct {
	record  uplift.Withheld
	data    []byte             // as it was sealed, or the inner layer
	payload quarantine.Payload // none of the outer layer alone
	by      []string
}

func (f *openFlags) open(ctx context.Context, env *Env, args []string) error {
	dir := ""
	if len(args) == 2 {
		dir = args[0]
	}
	if err := placeSecret(f.out, dir); err != nil {
		return err
	}
	o, err := f.unlock(ctx, env, args)
	if err != nil {
		return err
	}
	if err := f.keep(env, dir, o); err != nil {
		return err
	}
	if f.out != "" {
		return writeSecret(env, f.out, o.data)
	}
	if f.asJSON {
		return writeJSON(escapingWriter{env.Stdout}, o.payload)
	}
	return o.payload.Show(env.Stdout)
}

// unlock opens what the flags say; nothing is written.
func (f *openFlags) unlock(ctx context.Context, env *Env, args []string) (*openedRecord, error) {
	o := &openedRecord{}
	sealed, err := f.sealed(ctx, args, o)
	if err != nil {
		return nil, err
	}
	keys, err := f.keys(ctx, env)
	if err != nil {
		return nil, err
	}
	return o, o.unlock(keys, sealed)
}

// unlock opens the layers for which there are keys, B's first.
func (o *openedRecord) unlock(keys pair, sealed []byte) error {
	for _, layer := range []struct {
		flag string
		keys []quarantine.Key
	}{{"key-b", keys.b}, {"key-a", keys.a}} {
		if layer.keys == nil {
			continue
		}
		data, by, err := quarantine.UnwrapBy(sealed, layer.keys)
		if err != nil {
			return fmt.Errorf("%s--%s: %w", o.name(), layer.flag, err)
		}
		sealed, o.by = data, append(o.by, by)
	}
	if o.data = sealed; keys.a == nil {
		return nil
	}
	return o.read()
}

// name begins an error about the record; empty for a half without its study.
func (o *openedRecord) name() string {
	if o.record.ID == "" {
		return ""
	}
	return "record " + o.record.ID + ": "
}

// read is the payload, which must be that of the record.
func (o *openedRecord) read() (err error) {
	if o.record.ID == "" { // a half without its study says itself what it is of
		if o.payload, err = quarantine.Decode(o.data); err == nil {
			o.record = o.payload.Record(o.data, nil, o.record.At)
		}
		return err
	}
	o.payload, err = quarantine.Match(o.data, o.record)
	return err
}

// pair are the reviewers' keys; nil: not given.
type pair struct{ a, b []quarantine.Key }

func (f *openFlags) keys(ctx context.Context, env *Env) (p pair, err error) {
	if f.keyB != "" {
		p.b, err = readKeys(ctx, env, "key-b", f.keyB)
	}
	if f.keyA != "" && err == nil {
		p.a, err = readKeys(ctx, env, "key-a", f.keyA)
	}
	return p, err
}

// sealed gives the locked bytes, and fills in their record where there is a study.
func (f *openFlags) sealed(ctx context.Context, args []string, o *openedRecord) (sealed []byte, err error) {
	if len(args) == 2 {
		s, err := loadStudy(args[0])
		if err != nil {
			return nil, err
		}
		db, err := s.read(ctx)
		if err != nil {
			return nil, err
		}
		defer db.Close()
		list, _, err := withheldOf(ctx, db)
		if err != nil {
			return nil, err
		}
		if o.record, err = record(s.dir, list, args[1]); err != nil || f.half == "" {
			if err == nil {
				sealed, err = sealedOf(ctx, db, s.dir, o.record)
			}
			return sealed, err
		}
	}
	return readHalf(f.half)
}

// keep writes the opening to the log of the study, or to the user's own.
func (f *openFlags) keep(env *Env, dir string, o *openedRecord) error {
	path, err := unsealLog(env, dir)
	if err != nil {
		return fmt.Errorf("quarantine open: %w (nothing is shown)", err)
	}
	log, err := evidence.Open(path)
	if err == nil {
		_, err = log.Append(evidence.KindOpen, opening{Command: "quarantine open", ID: o.record.ID, Of: o.record.Of,
			SHA256: o.record.SHA256, Opened: f.layer(), By: o.by, Reason: f.reason}, env.Now())
	}
	if err != nil {
		return fmt.Errorf("quarantine open: the evidence log cannot be written: %w (nothing is shown)", err)
	}
	fmt.Fprintf(env.Stderr, "opened the %s of record %s: logged in %s\n", f.layer(), o.record.ID, harmless(path))
	return nil
}
