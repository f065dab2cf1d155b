package controller

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// checkKeys rejects what encoding/json lets pass: a key that stands twice in
// one object, and a key that is not all lower case and would match by folding.
func checkKeys(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		switch err := checkValue(dec); err {
		case nil:
		case io.EOF:
			return nil
		default:
			return err
		}
	}
}

// checkValue walks one value.
func checkValue(dec *json.Decoder) error {
	tok, err := dec.Token()
	if err != nil {
		return err
	}
	delim, ok := tok.(json.Delim)
	if !ok {
		return nil
	}
	seen := map[string]bool{}
	for dec.More() {
		if delim == '{' {
			if err := checkKey(dec, seen); err != nil {
				return err
			}
		}
		if err := checkValue(dec); err != nil {
			return whole(err)
		}
	}
	_, err = dec.Token() // the closing delimiter
	return whole(err)
}

func checkKey(dec *json.Decoder, seen map[string]bool) error {
	tok, err := dec.Token()
	if err != nil {
		return whole(err)
	}
	key, _ := tok.(string)
	if key != strings.ToLower(key) {
		return fmt.Errorf("unknown field %q (want lower case)", key)
	}
	if seen[key] {
		return fmt.Errorf("field %q: stands twice", key)
	}
	seen[key] = true
	return nil
}

// whole turns the end of the data inside a value into an error of its own.
func whole(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
