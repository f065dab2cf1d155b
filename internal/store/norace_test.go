//go:build !race

package store_test

const less = 1
