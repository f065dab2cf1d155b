package main

import (
	"errors"
	"strconv"
	"strings"
)

// ascii reads a number as people write it: with a minus sign as printed, too.
func ascii(s string) string { return strings.ReplaceAll(strings.TrimSpace(s), "−", "-") }

func readReal(s string) (float64, error) { return strconv.ParseFloat(ascii(s), 64) }
func readWhole(s string) (int, error)    { return strconv.Atoi(ascii(s)) }

func realFlag(into *float64, value float64) *realValue {
	*into = value
	return (*realValue)(into)
}

func wholeFlag(into *int, value int) *wholeValue {
	*into = value
	return (*wholeValue)(into)
}

// realValue is a flag that holds a number.
type realValue float64

func (r *realValue) String() string { return strconv.FormatFloat(float64(*r), 'g', -1, 64) }
func (*realValue) Type() string     { return "number" }
func (r *realValue) Set(s string) error {
	v, err := readReal(s)
	if err != nil && !errors.Is(err, strconv.ErrRange) { // beyond the range: as infinity, which the check of the range names
		return errors.New("not a number (want one such as 0.05)")
	}
	*r = realValue(v)
	return nil
}

// wholeValue is a flag that holds a whole number.
type wholeValue int

func (w *wholeValue) String() string { return strconv.Itoa(int(*w)) }
func (*wholeValue) Type() string     { return "count" }
func (w *wholeValue) Set(s string) error {
	v, err := readWhole(s)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return errors.New("not a whole number (want one such as 18)")
	}
	*w = wholeValue(v)
	return nil
}
