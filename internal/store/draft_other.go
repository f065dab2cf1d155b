//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package store

import (
	"errors"
	"os"
)

func mark(*os.File) (bool, error) { return false, errors.ErrUnsupported }

func linked(os.FileInfo) bool { return false }
