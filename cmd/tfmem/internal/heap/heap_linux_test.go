package heap

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestGrow holds that the heap is grown for a long program, and not for a short one.
func TestGrow(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	idle := func(bytes int) uint64 {
		path := filepath.Join(t.TempDir(), "train.py")
		if err := os.WriteFile(path, []byte(strings.Repeat("#", bytes)), 0o644); err != nil {
			t.Fatal(err)
		}
		grow([]string{path, filepath.Join(t.TempDir(), "nowhere.py"), "-"})
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapIdle
	}
	short := idle(1000)
	if long := idle(1 << 20); short > 128<<20 || long < 200<<20 {
		t.Errorf("%d MB are idle after a short program, %d MB after a long one", short>>20, long>>20)
	}
}

// TestPopulate holds that memory nobody has written to is handed out, where the system does
// so when it is asked.
func TestPopulate(t *testing.T) {
	memory, err := unix.Mmap(-1, 0, 16<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Madvise(memory[:os.Getpagesize()], unix.MADV_POPULATE_WRITE); errors.Is(err, unix.EINVAL) {
		t.Skip("Linux before 5.14 hands out memory when it is written to")
	}
	from := uintptr(unsafe.Pointer(&memory[0]))
	populate(from, from+uintptr(len(memory)))
	half := memory[len(memory)/2:][:os.Getpagesize()]
	resident := make([]byte, 1)
	for deadline := time.Now().Add(time.Minute); resident[0]&1 == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("memory is not handed out")
		}
		if _, _, errno := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&half[0])), uintptr(len(half)), uintptr(unsafe.Pointer(&resident[0]))); errno != 0 {
			t.Fatal(errno)
		}
	}
}
