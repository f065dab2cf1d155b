//go:build !race

package coverage

const raced = false
