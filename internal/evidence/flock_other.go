//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package evidence

import (
	"errors"
	"os"
)

func tryLock(*os.File, bool) error { return errors.ErrUnsupported }
