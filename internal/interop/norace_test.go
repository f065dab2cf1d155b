//go:build !race

package interop_test

const raced = false
