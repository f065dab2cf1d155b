package openai

import (
	"fmt"
	"net/url"
	"strings"
)

// DefaultBaseURL is the provider's own place.
const DefaultBaseURL = "https://api.openai.com/v1"

// host is the kind of server that a base URL leads to. The kinds differ in the
// fields that they take; the package comment says how.
type host int

const (
	compatible host = iota // any other server that speaks the form
	official               // the provider's own
	azure
)

// hostOf reads the kind off the URL. An Azure deployment behind another name is
// told by its path.
func hostOf(u *url.URL) host {
	name := strings.ToLower(u.Hostname())
	switch {
	case name == "api.openai.com", strings.HasSuffix(name, ".api.openai.com"):
		return official
	case strings.Contains(u.Path, "/openai/deployments/"):
		return azure
	}
	for _, suffix := range []string{".openai.azure.com", ".openai.azure.us", ".cognitiveservices.azure.com", ".services.ai.azure.com"} {
		if strings.HasSuffix(name, suffix) {
			return azure
		}
	}
	return compatible
}

// parseBase checks a base URL and takes its query off: the query belongs on
// every request, behind the path that the SDK adds.
func parseBase(s string) (base *url.URL, query url.Values, err error) {
	if s == "" {
		s = DefaultBaseURL
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, nil, fmt.Errorf("openai: base URL: cannot be read (want http:// or https:// and a host)")
	}
	if u.User != nil {
		return nil, nil, fmt.Errorf("openai: base URL: holds credentials (want none: the key is given apart)")
	}
	if query, err = url.ParseQuery(u.RawQuery); err != nil {
		return nil, nil, fmt.Errorf("openai: base URL: its query cannot be read")
	}
	u.RawQuery, u.Fragment = "", ""
	if !strings.HasSuffix(u.Path, "/") {
		u = u.JoinPath("/")
	}
	return u, query, nil
}
