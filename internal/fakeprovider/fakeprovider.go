package fakeprovider

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Options say how a provider behaves. The zero value answers everybody at once
// and well.
type Options struct {
	Seed    uint64            // of faults and jitter; texts do not depend on it
	Latency time.Duration     // before an answer
	Jitter  time.Duration     // added to Latency: from 0 to this, drawn for each attempt
	Faults  map[Fault]float64 // probabilities, 1 together at most
	Wait    time.Duration     // what a 429 asks for
	Rate    int               // requests a minute that a 429's headers speak of; 0 means 50
	Pause   time.Duration     // between the pieces of a trickle; 0 means a millisecond
	Huge    int               // bytes of a huge reply; 0 means 8 MiB
	Keys    []string          // one of which a request must carry; none: no key is asked for
	Models  []string          // that GET /v1/models lists
	Script  []Line            // what is said in place of drawn texts
	Now     func() time.Time  // for resets in headers; nil: a clock that stands still
}

func (o Options) now() time.Time {
	if o.Now == nil {
		return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return o.Now()
}

// Line is one line of a script. The first line that fits a request, and is not
// used up, says its text or its fault. So lines with Times 1 and without When
// are a list that is answered in order.
type Line struct {
	When  string `json:"when,omitempty"`  // the last user turn must hold it
	Text  string `json:"text,omitempty"`  // of the reply; empty: drawn as ever
	Fault Fault  `json:"fault,omitempty"` // in place of a drawn one
	Times int    `json:"times,omitempty"` // how often the line is used; 0: without end
}

// ParseScript reads a script: a JSON list of lines.
func ParseScript(b []byte) ([]Line, error) {
	var script []Line
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&script); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the list (want one JSON list of lines)")
	}
	for i, l := range script {
		if l.Fault != "" {
			if _, err := ParseFault(string(l.Fault)); err != nil {
				return nil, errors.New("line " + strconv.Itoa(i+1) + ": " + err.Error())
			}
		}
	}
	return script, nil
}

// Provider is a fake provider. It is safe for concurrent use.
type Provider struct {
	opt Options

	mu     sync.Mutex
	seen   map[digest]*seen
	used   []int // of each line of the script
	counts Stats
	by     map[Count]int
}

// New makes a provider.
func New(o Options) *Provider {
	p := &Provider{opt: o}
	p.Reset()
	return p
}

// maxBody is the longest request that is read.
const maxBody = 64 << 20

func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/__fake/stats":
		p.serveStats(w, r)
		return
	case r.URL.Path == "/__fake/reset" && r.Method == http.MethodPost:
		p.Reset()
		w.WriteHeader(http.StatusNoContent)
		return
	case r.URL.Path == "/v1/models" && r.Method == http.MethodGet:
		p.serveModels(w)
		return
	}
	f := formOf(r.URL.Path)
	if f == nil {
		http.NotFound(w, r)
		return
	}
	p.begin()
	x := &exchange{w: w, r: r, form: f, opt: p.opt}
	defer p.end(x)
	p.answer(x)
}

// answer answers one request.
func (p *Provider) answer(x *exchange) {
	body, err := read(x.r)
	switch {
	case err != nil:
		x.fail(problem{status: http.StatusRequestEntityTooLarge, message: err.Error()})
		return
	case x.r.Method != http.MethodPost:
		x.fail(problem{status: http.StatusMethodNotAllowed, message: "want POST"})
		return
	case len(p.opt.Keys) > 0 && !slices.Contains(p.opt.Keys, x.form.key(x.r.Header, x.r.URL.Query())):
		x.fail(problem{status: http.StatusUnauthorized, message: "Incorrect API key provided."})
		return
	}
	x.ask, err = x.form.read(x.r, body)
	if err != nil {
		x.fail(problem{status: http.StatusBadRequest, message: err.Error()})
		return
	}
	x.digest = requestDigest(x.r.URL.Path, body)
	x.nth = p.sight(x)
	script := p.script(x.ask.last)
	x.fault = script.Fault
	if x.fault == "" {
		x.fault = p.opt.draw(x.digest, x.nth)
	}
	x.reply = p.opt.replyTo(x.ask, x.fault, x.id(), script.Text)
	x.deliver()
}

// script is the line that a request uses, or none.
func (p *Provider) script(last string) Line {
	if len(p.opt.Script) == 0 {
		return Line{}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, l := range p.opt.Script {
		if strings.Contains(last, l.When) && (l.Times == 0 || p.used[i] < l.Times) {
			p.used[i]++
			return l
		}
	}
	return Line{}
}

func (p *Provider) serveModels(w http.ResponseWriter) {
	b := []byte(`{"object":"list","data":[`)
	for i, m := range p.opt.Models {
		if i > 0 {
			b = append(b, ',')
		}
		b = line(b, `{"id":?,"object":"model","type":"model","display_name":?,"created":1767225600,"created_at":"2026-01-01T00:00:00Z","owned_by":"fake"}`, m, m)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(append(b, `],"has_more":false}`...))
}

func read(r *http.Request) ([]byte, error) {
	body := http.MaxBytesReader(nil, r.Body, maxBody)
	if n := r.ContentLength; n >= 0 && n <= maxBody {
		b := make([]byte, n)
		_, err := io.ReadFull(body, b)
		return b, err
	}
	return io.ReadAll(body)
}

func requestDigest(path string, body []byte) (d digest) {
	h := sha256.New()
	part(h, path)
	h.Write(body)
	h.Sum(d[:0])
	return d
}

// id is the id of a reply: half of the request's digest, and which copy it was.
func (x *exchange) id() string { return hex.EncodeToString(x.digest[:12]) + strconv.Itoa(x.nth) }
