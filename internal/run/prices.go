package run

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

// Price is what tokens of a model cost, in US dollars a million.
type Price struct {
	In  float64
	Out float64
}

// of is the price of so many tokens, in US dollars.
func (p Price) of(in, out int) float64 { return (p.In*float64(in) + p.Out*float64(out)) / 1e6 }

// Max is the higher price of each kind of token.
func (p Price) Max(q Price) Price { return Price{max(p.In, q.In), max(p.Out, q.Out)} }

// Prices are prices by the providers' names of models, as of a day.
type Prices struct {
	AsOf   string // a date
	Source string
	list   []priced
}

type priced struct {
	pattern string // a final * stands for any ending
	Price
}

//go:embed prices.json
var pricesFile []byte

// ListPrices are the prices that the program carries. A model that is not
// among them has none.
func ListPrices() Prices {
	p, err := ReadPrices("prices.json", pricesFile)
	if err != nil { // a test reads it
		panic(err)
	}
	return p
}

// Of is the price of a model by its provider's name; of several patterns that
// fit, the longest holds.
func (p Prices) Of(model string) (price Price, ok bool) {
	longest := -1
	for _, e := range p.list {
		head, open := strings.CutSuffix(e.pattern, "*")
		if (model == head || open && strings.HasPrefix(model, head)) && len(head) > longest {
			price, ok, longest = e.Price, true, len(head)
			if !open {
				return price, true
			}
		}
	}
	return price, ok
}

// ReadPrices reads a file of prices: as_of, source, and a list of model, input
// and output. It reports every problem with its line.
func ReadPrices(name string, data []byte) (Prices, error) {
	var file struct {
		AsOf   string            `json:"as_of"`
		Source string            `json:"source"`
		Prices []json.RawMessage `json:"prices"`
	}
	if at, err := strict(data, &file); err != nil {
		return Prices{}, fmt.Errorf("%s:%d: %w", name, line(data, at), err)
	}
	p := Prices{AsOf: file.AsOf, Source: file.Source}
	var problems []error
	if _, err := time.Parse(time.DateOnly, file.AsOf); err != nil {
		problems = append(problems, fmt.Errorf("%s: as_of: %q (want a date, such as 2026-01-31)", name, file.AsOf))
	}
	if len(file.Prices) == 0 {
		problems = append(problems, fmt.Errorf("%s: prices: missing (want a list of model, input and output)", name))
	}
	seen, from := map[string]bool{}, 0
	for _, raw := range file.Prices {
		from += max(bytes.Index(data[from:], raw), 0)
		e, at, err := readPriced(raw)
		if err == nil && seen[e.pattern] {
			err = fmt.Errorf("model: %q stands twice", e.pattern)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("%s:%d: %w", name, line(data, from+at), err))
		}
		seen[e.pattern] = true
		p.list = append(p.list, e)
		from += len(raw)
	}
	if len(problems) > 0 {
		return Prices{}, errors.Join(problems...)
	}
	return p, nil
}

func readPriced(raw []byte) (e priced, at int, err error) {
	var row struct {
		Model  string   `json:"model"`
		Input  *float64 `json:"input"`
		Output *float64 `json:"output"`
	}
	if at, err := strict(raw, &row); err != nil {
		return e, at, err
	}
	if body, _ := strings.CutSuffix(row.Model, "*"); body == "" || strings.Contains(body, "*") {
		return e, 0, fmt.Errorf("model: %q (want a provider's name of a model; a * may stand at its end)", row.Model)
	}
	e.pattern = row.Model
	for _, f := range []struct {
		name string
		is   *float64
		to   *float64
	}{{"input", row.Input, &e.In}, {"output", row.Output, &e.Out}} {
		if f.is == nil || !(*f.is >= 0) || *f.is > 1e6 || math.IsInf(*f.is, 0) {
			return e, 0, fmt.Errorf("%s: of %s: missing or out of range (want US dollars a million tokens, 0 or more)", f.name, row.Model)
		}
		*f.to = *f.is
	}
	return e, 0, nil
}

// strict reads one JSON value without unknown fields, or says where it goes wrong.
func strict(data []byte, to any) (at int, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		at := int(d.InputOffset())
		if e, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = int(e.Offset)
		} else if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			at = int(e.Offset)
		}
		return at, errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); err != io.EOF {
		return int(d.InputOffset()), errors.New("more follows (want one value)")
	}
	return 0, nil
}

func line(data []byte, at int) int { return 1 + bytes.Count(data[:min(at, len(data))], []byte("\n")) }
