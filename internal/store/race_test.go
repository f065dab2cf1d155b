//go:build race

package store_test

// less divides the sizes of sweeps: the race detector makes SQLite, which is Go
// here, some ten times slower, and finds in a few rounds what it finds.
const less = 6
