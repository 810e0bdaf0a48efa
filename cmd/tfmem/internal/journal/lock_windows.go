package journal

import (
	"os"

	"golang.org/x/sys/windows"
)

// beyond is where the byte lies that is locked: nobody can read what is locked.
const beyond = 1 << 30

// lock locks a file until it is closed or the process ends. It fails if another process has locked it.
func lock(f *os.File) error {
	at := windows.Overlapped{OffsetHigh: beyond}
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
}
