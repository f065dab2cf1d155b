//go:build race

package controller

// raced: the race detector drops what a pool holds now and then, on purpose.
const raced = true
