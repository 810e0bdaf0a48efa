package cache

import (
	"os"
	"time"
)

// A Stamp stands for the content of a file: its size in bytes, the times when it was modified and
// when its inode was changed, in nanoseconds, and its inode. Where a system does not tell the last
// two they are 0. A program can set the first time, but not the second.
type Stamp [4]int64

// settling is how old a file must be for a Stamp. The clocks of file systems tick, most of them every
// few milliseconds and FAT's every two seconds: two changes within one tick leave the same times.
// Git calls a younger file racily clean.
const settling = 3 * time.Second

// StampOf returns the stamp of a regular file. ok is false if there is none, or if the file changed
// so lately that it may change again and keep its stamp.
//
// A stamp that is taken before a file is read is that of the text, or of an earlier one.
func StampOf(path string) (s Stamp, ok bool) { return stampAt(path, time.Now()) }

func stampAt(path string, now time.Time) (s Stamp, ok bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return Stamp{}, false
	}
	s = Stamp{info.Size(), info.ModTime().UnixNano()}
	changed, latest := s.inode(info), now.Add(-settling)
	return s, info.ModTime().Before(latest) && changed.Before(latest)
}
