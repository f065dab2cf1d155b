package evidence

import (
	"errors"
	"os"
	"syscall"
	"unsafe"
)

var lockFileEx = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")

const (
	failImmediately = 1
	exclusive       = 2
	lockViolation   = syscall.Errno(33)
)

// tryLock locks one byte far beyond the end: a lock of Windows keeps others
// from the bytes themselves.
func tryLock(f *os.File, write bool) error {
	flags := uintptr(failImmediately)
	if write {
		flags |= exclusive
	}
	at := syscall.Overlapped{OffsetHigh: 1 << 30}
	ok, _, err := lockFileEx.Call(f.Fd(), flags, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	switch {
	case ok != 0:
		return nil
	case errors.Is(err, lockViolation), errors.Is(err, syscall.ERROR_IO_PENDING):
		return errHeld
	}
	return err
}
