package cache

import (
	"io/fs"
	"syscall"
	"time"
)

// inode adds what the system tells of a file's inode, and returns when that was changed.
func (s *Stamp) inode(info fs.FileInfo) time.Time {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return time.Time{}
	}
	s[2], s[3] = stat.Ctimespec.Nano(), int64(stat.Ino)
	return time.Unix(stat.Ctimespec.Unix())
}
