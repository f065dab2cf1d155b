package evidence

import (
	"errors"
	"fmt"
	"os"
	"time"
)

var errHeld = errors.New("held by another process")

// patience is how long a process waits for the others, and how. The zero value
// does not wait.
type patience struct {
	most time.Duration
	wait func(time.Duration)
}

var patient = patience{10 * time.Second, time.Sleep}

// lock keeps other processes out until f is closed: all of them when writing,
// the writing ones when reading. It is advisory.
func lock(path string, f *os.File, write bool, p patience) error {
	for waited, pause := time.Duration(0), time.Millisecond; ; waited += pause {
		err := tryLock(f, write)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, errHeld) && !write: // a file system without locks can still be read
			return nil
		case !errors.Is(err, errHeld):
			return fmt.Errorf("%s: cannot be locked against other processes: %w", path, err)
		case waited >= p.most:
			return fmt.Errorf("%s: another process has held it for %v (want it to end)", path, p.most)
		}
		pause = min(2*pause, 50*time.Millisecond)
		p.wait(pause)
	}
}
