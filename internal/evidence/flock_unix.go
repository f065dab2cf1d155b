//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package evidence

import (
	"os"
	"syscall"
)

func tryLock(f *os.File, write bool) error {
	how := syscall.LOCK_SH
	if write {
		how = syscall.LOCK_EX
	}
	for {
		switch err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB); err {
		case syscall.EINTR:
		case syscall.EWOULDBLOCK:
			return errHeld
		default:
			return err
		}
	}
}
