package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"

	"golang.org/x/term"

	"github.com/uplift-eval/uplift/internal/quarantine"
)

// mostOfKeys bounds a file of private keys, in bytes.
const mostOfKeys = 1 << 20

// readKeys reads a reviewer's private keys. Nothing of them is ever printed.
func readKeys(ctx context.Context, env *Env, flag, path string) ([]quarantine.Key, error) {
	fail := func(err error) ([]quarantine.Key, error) {
		return nil, fmt.Errorf("--%s %s: %w", flag, path, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return fail(cause(err))
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && loose(info) {
		fmt.Fprintf(env.Stderr, "warning --%s %s: others on this machine may read it (mode %#o; want 0600)\n", flag, harmless(path), info.Mode().Perm())
	}
	data, err := io.ReadAll(io.LimitReader(f, mostOfKeys+1))
	switch {
	case err != nil:
		return fail(cause(err))
	case len(data) > mostOfKeys:
		return fail(fmt.Errorf("has more than %d bytes (want a file of age-keygen)", mostOfKeys))
	}
	keys, err := quarantine.ParseKeys(data)
	if errors.Is(err, quarantine.ErrEncrypted) {
		passphrase, asked := askSecret(ctx, env, fmt.Sprintf("passphrase of %s: ", path))
		switch {
		case ctx.Err() != nil:
			return fail(ctx.Err())
		case asked != nil:
			return fail(hint(fmt.Errorf("%w, and %w", err, asked), "run it on a terminal, or decrypt the file yourself: age -d %s", path))
		}
		keys, err = quarantine.DecryptKeys(data, passphrase)
	}
	if err != nil {
		return fail(err)
	}
	return keys, nil
}

// loose reports whether a file may be read by others than its owner. Windows
// has no such modes.
func loose(info fs.FileInfo) bool {
	return runtime.GOOS != "windows" && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0
}

// askSecret asks for a secret on the terminal, where it is not shown.
func askSecret(ctx context.Context, env *Env, prompt string) (string, error) {
	in, ok := env.Stdin.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return "", errors.New("there is no terminal on which to ask for it")
	}
	fd := int(in.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	fmt.Fprint(env.Stderr, harmless(prompt))
	defer fmt.Fprintln(env.Stderr)
	type answer struct {
		secret []byte
		err    error
	}
	got := make(chan answer, 1)
	go func() {
		secret, err := term.ReadPassword(fd)
		got <- answer{secret, err}
	}()
	select {
	case a := <-got:
		return string(a.secret), a.err
	case <-ctx.Done(): // the reader ends with the process; the terminal must not stay dumb
		return "", errors.Join(ctx.Err(), term.Restore(fd, before))
	}
}
