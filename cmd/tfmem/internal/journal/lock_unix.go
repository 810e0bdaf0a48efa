//go:build unix

package journal

import (
	"os"
	"syscall"
)

// lock locks a file until it is closed or the process ends. It fails if another process has locked it.
func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
