package main

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/uplift-eval/uplift/model"
)

// keyless is a model whose key is in nothing that it returns, also when a server
// sends it back: in a text, a header, a body or an error.
type keyless struct {
	model.Streamer
	secret secret
}

func (k keyless) Generate(ctx context.Context, req model.Request) (model.Reply, error) {
	r, err := k.Streamer.Generate(ctx, req)
	return k.secret.reply(r), k.secret.failure(err)
}

func (k keyless) Stream(ctx context.Context, req model.Request, yield func(string) bool) (model.Reply, error) {
	held, going := "", true
	r, err := k.Streamer.Stream(ctx, req, func(piece string) bool {
		piece, held = k.secret.split(held + piece)
		going = piece == "" || yield(piece)
		return going
	})
	if err == nil && going && held != "" && !yield(held) {
		return model.Reply{}, errors.New("the reader left before the end of the reply")
	}
	return k.secret.reply(r), k.secret.failure(err)
}

// secret are the forms in which a key may stand in a text; none for no key.
type secret []string

const (
	shortestKey = 6 // bytes; a shorter one is a placeholder and blots out words
	hiddenKey   = "[secret]"
)

func newSecret(key string) secret {
	if len(key) < shortestKey {
		return nil
	}
	forms := []string{key, url.QueryEscape(key), url.PathEscape(key), strings.ReplaceAll(key, "/", `\/`)}
	slices.Sort(forms)
	return slices.Compact(forms)
}

func (s secret) hide(text string) string {
	for _, form := range s {
		text = strings.ReplaceAll(text, form, hiddenKey)
	}
	return text
}

// split hides the key and holds back an end with which it may begin.
func (s secret) split(text string) (clear, held string) {
	text = s.hide(text)
	from := len(text)
	for _, form := range s {
		for n := min(len(form)-1, len(text)); n > 0; n-- {
			if strings.HasSuffix(text, form[:n]) {
				from = min(from, len(text)-n)
				break
			}
		}
	}
	return text[:from], text[from:]
}

func (s secret) reply(r model.Reply) model.Reply {
	for _, text := range []*string{&r.Text, &r.Reasoning, &r.Reason, &r.Details, &r.Version, &r.RequestID} {
		*text = s.hide(*text)
	}
	r.Attempt = s.attempt(r.Attempt)
	return r
}

func (s secret) attempt(a model.Attempt) model.Attempt {
	for _, form := range s {
		if bytes.Contains(a.Raw, []byte(form)) {
			a.Raw = bytes.ReplaceAll(a.Raw, []byte(form), []byte(hiddenKey))
		}
	}
	if a.Headers = maps.Clone(a.Headers); a.Headers != nil {
		for name, value := range a.Headers {
			a.Headers[name] = s.hide(value)
		}
	}
	return a
}

func (s secret) failure(err error) error {
	e, ok := errors.AsType[*model.Error](err)
	if !ok {
		return s.plain(err)
	}
	return &model.Error{Kind: e.Kind, Attempt: s.attempt(e.Attempt), Err: s.plain(e.Err)}
}

// plain keeps an error as it is unless it holds the key.
func (s secret) plain(err error) error {
	if err == nil {
		return nil
	}
	if text := err.Error(); s.hide(text) != text {
		return errors.New(s.hide(text))
	}
	return err
}
