package main

import (
	"cmp"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/uplift-eval/uplift/internal/study"
	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/anthropic"
	"github.com/uplift-eval/uplift/model/gemini"
	"github.com/uplift-eval/uplift/model/openai"
	tap "github.com/uplift-eval/uplift/model/wire"
)

// endpoint is where a model is asked, and how.
type endpoint struct {
	Provider study.Provider
	API      string // of openai: chat or responses
	Model    string
	BaseURL  string // empty for the provider's own place
	KeyEnv   string // the variable that holds the key; empty for the usual one at the provider's own place, else none
	Headers  map[string]string
	Safety   string // of gemini: the threshold of its filters, in a study's words; empty for the model's default
}

// endpointOf is where a condition asks a model. A place of the condition's own
// gets the key that the condition names and never that of the model's place.
func endpointOf(m study.Model, c study.Condition) endpoint {
	e := endpoint{Provider: m.Provider, API: m.API, Model: cmp.Or(c.Model, m.Model), BaseURL: m.BaseURL,
		KeyEnv: cmp.Or(c.KeyEnv, m.KeyEnv), Headers: maps.Clone(c.Headers), Safety: m.Safety}
	if c.BaseURL != "" {
		e.BaseURL, e.KeyEnv = c.BaseURL, c.KeyEnv
	}
	return e
}

// places are the providers' own, with the variables that usually hold their key.
var places = map[study.Provider]struct {
	url, host string
	variables []string
}{
	study.Anthropic: {anthropic.BaseURL, "api.anthropic.com", []string{"ANTHROPIC_API_KEY"}},
	study.Gemini:    {gemini.BaseURL, "generativelanguage.googleapis.com", []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}},
	study.OpenAI:    {openai.DefaultBaseURL, "api.openai.com", []string{"OPENAI_API_KEY"}},
}

// base is the URL that is asked.
func (p endpoint) base() (*url.URL, error) {
	u, err := url.Parse(cmp.Or(p.BaseURL, places[p.Provider].url))
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("base_url: cannot be read (want http:// or https:// and a host)")
	}
	return u, nil
}

// own reports whether u is the provider's own place.
func (p endpoint) own(u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	return host == places[p.Provider].host || p.Provider == study.OpenAI && strings.HasSuffix(host, ".api.openai.com")
}

// variable names the variable that holds the key: the first of several that is
// set. It is empty for a place that gets no key.
func (p endpoint) variable(env *Env, u *url.URL) string {
	if p.KeyEnv != "" || !p.own(u) {
		return p.KeyEnv
	}
	names := places[p.Provider].variables
	for _, name := range names {
		if env.Getenv(name) != "" {
			return name
		}
	}
	return names[0]
}

// key reads the key for a place. It is empty for a place that gets none.
func (p endpoint) key(env *Env) (string, error) {
	u, err := p.base()
	if err != nil {
		return "", err
	}
	name := p.variable(env, u)
	if name == "" {
		return "", nil
	}
	if host := usualHost(name, u); host != "" {
		return "", hint(fmt.Errorf("the key of %s goes to %s alone, not to %s (want a variable of its own)", name, host, u.Host),
			"give that place's key another name, and name it in key_env: a study that others wrote cannot send your keys elsewhere")
	}
	key := strings.TrimSpace(env.Getenv(name))
	switch {
	case key == "":
		return "", hint(fmt.Errorf("the variable %s is not set (want the key for %s)", name, u.Host),
			"export %s=..., in the shell that runs uplift; a key never stands in a study", name)
	case strings.ContainsFunc(key, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsGraphic(r) || unicode.IsSpace(r) }):
		return "", fmt.Errorf("the variable %s holds a space or a character that no key has", name)
	case u.Scheme != "https" && !loopback(u.Hostname()):
		return "", hint(fmt.Errorf("the key of %s would go unencrypted to %s (want https)", name, u.Host),
			"use https, or a tunnel that ends at 127.0.0.1, or leave key_env out where the server wants no key")
	}
	return key, nil
}

// usualHost is the host of the provider whose key a variable usually holds, when u
// is neither a place of that provider nor this machine; else it is empty.
func usualHost(name string, u *url.URL) string {
	for _, by := range slices.Sorted(maps.Keys(places)) {
		if slices.Contains(places[by].variables, name) && !(endpoint{Provider: by}).own(u) && !loopback(u.Hostname()) {
			return places[by].host
		}
	}
	return ""
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// provider is the model behind an endpoint. Keys come from the environment and
// leave in nothing that it returns. It sends nothing yet. transport is the way to
// the network; nil for [Env.network].
func (e *Env) provider(p endpoint, transport http.RoundTripper) (model.Model, error) {
	if _, ok := places[p.Provider]; !ok {
		return nil, fmt.Errorf("provider %s is asked over no network (want anthropic, gemini or openai)", p.Provider)
	}
	key, err := p.key(e)
	if err != nil {
		return nil, err
	}
	if transport == nil {
		transport = e.network()
	}
	var m model.Streamer
	switch p.Provider {
	case study.Anthropic:
		m, err = anthropic.New(anthropic.Config{Model: p.Model, BaseURL: p.BaseURL, Key: key, Headers: p.Headers, HTTP: transport, Now: e.Now})
	case study.Gemini:
		m, err = gemini.New(gemini.Config{Model: p.Model, BaseURL: p.BaseURL, Key: key, Headers: p.Headers, HTTP: transport, Now: e.Now,
			Safety: gemini.Safety(strings.ToUpper(p.Safety))})
	default:
		m, err = openai.New(openai.Config{Model: p.Model, API: p.API, BaseURL: p.BaseURL, Key: key, Headers: p.Headers, HTTP: transport, Now: e.Now})
	}
	if err != nil {
		return nil, err
	}
	return keyless{m, newSecret(key)}, nil
}

// network is the way out of this machine. A proxy that the usual variables name
// is used, but never for this machine itself.
func (e *Env) network() http.RoundTripper {
	t := tap.Transport()
	t.Proxy = http.ProxyFromEnvironment
	return t
}

// proxyOf is the proxy through which u is reached; nil for none.
func proxyOf(u *url.URL) (*url.URL, error) { return http.ProxyFromEnvironment(&http.Request{URL: u}) }
