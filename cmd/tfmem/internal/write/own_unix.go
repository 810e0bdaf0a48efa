//go:build unix

package write

import (
	"io/fs"
	"os"
	"syscall"
)

// links returns the number of names of a file.
func links(_ *os.File, info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}

// own gives f the owner and group of another file. Only the superuser may give
// files away; for everyone else the owner is the same already, and a group that
// cannot be kept is no reason to refuse the fix.
func own(f *os.File, like fs.FileInfo) {
	if s, ok := like.Sys().(*syscall.Stat_t); ok {
		if f.Chown(int(s.Uid), int(s.Gid)) != nil {
			f.Chown(-1, int(s.Gid))
		}
	}
}
