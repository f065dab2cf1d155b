package evidence

import (
	"errors"
	"fmt"
)

// Holds is the name of the file inside a study's directory on which processes
// hold the study, see [Hold]. It stays empty, and means nothing by itself.
const Holds = ".evidence.held"

// ErrHeld says that another process holds a study in a way that excludes what
// was asked for.
var ErrHeld = errors.New("is held by another process")

// Hold keeps a study as it is until release: any number of processes may share
// it, one alone excludes all others. It does not wait; what cannot be had is
// [ErrHeld]. The file at path is made where there is none. A process that ends
// releases what it holds, however it ends. Where a file system knows no locks,
// sharing is no error, and keeps nobody out.
func Hold(path string, alone bool) (release func(), err error) {
	f, _, err := openLog(path, true)
	if err != nil {
		return nil, err
	}
	err = tryLock(f, alone)
	switch {
	case err == nil, !alone && !errors.Is(err, errHeld):
		return func() { f.Close() }, nil
	case errors.Is(err, errHeld):
		err = ErrHeld
	}
	f.Close()
	return nil, fmt.Errorf("%s: %w", path, err)
}
