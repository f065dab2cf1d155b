package quarantine

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPayload(t *testing.T) {
	p := Payload{Of: "call d"}
	p.Put(Text, "Xxxxx <yyyyy>")
	p.Put(Draft, "")
	p.PutRaw([]byte{0xff, 0x00})
	b := p.Encode()
	if d := cmp.Diff(`{"of":"call d","parts":{"raw":"/wA=","text":"Xxxxx \u003cyyyyy\u003e"}}`, string(b)); d != "" {
		t.Error(d)
	}
	got, err := Decode(b)
	if d := cmp.Diff(p, got); d != "" || err != nil {
		t.Error(d, err)
	}
	at := time.Date(2026, 5, 2, 0, 0, 0, 0, time.UTC)
	w := p.Record(b, []string{"H4"}, at)
	sum := sha256.Sum256(b)
	if w.SHA256 != hex.EncodeToString(sum[:]) || w.Of != p.Of || len(w.ID) != 32 || w.Sealed != nil || !w.At.Equal(at) {
		t.Errorf("record %+v", w)
	}
	if again := p.Record(b, nil, time.Time{}); again.ID != w.ID {
		t.Error("the id changes with what it is not drawn from")
	}
	q := Payload{Of: "call e", Parts: p.Parts}
	if q.Record(b, nil, at).ID == w.ID {
		t.Error("two records have one id")
	}
}

func TestDecodeSaysNothingOfTheText(t *testing.T) {
	for name, in := range map[string]string{
		"no JSON": "xxsecretxx", "an unknown field": `{"of":"call d","parts":{"text":"a"},"xxsecretxx":1}`, "two": `{"of":"call d","parts":{"text":"a"}}{"xxsecretxx":1}`,
		"of nothing": `{"of":"xxsecretxx","parts":{"text":"a"}}`, "no part": `{"of":"call d"}`, "an unknown part": `{"of":"call d","parts":{"xxsecretxx":"a"}}`,
		"a body that is none": `{"of":"call d","parts":{"raw":"xxsecretxx!"}}`,
	} {
		if _, err := Decode([]byte(in)); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// What is decoded is encoded again to a payload that decodes to the same.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"of":"response d","parts":{"text":"a","transcript":"[]"}}`))
	f.Add([]byte(`{"of":"attempt d 1","parts":{"raw":"/wA=","error":"e"}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := Decode(b)
		if err != nil {
			return
		}
		again, err := Decode(p.Encode())
		if d := cmp.Diff(p, again); d != "" || err != nil {
			t.Error(d, err)
		}
	})
}
