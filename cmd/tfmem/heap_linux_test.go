package main

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// TestGrowHeap holds that the heap is grown for a long program, and not for a short one.
func TestGrowHeap(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	idle := func(bytes int) uint64 {
		path := filepath.Join(t.TempDir(), "train.py")
		if err := os.WriteFile(path, []byte(strings.Repeat("#", bytes)), 0o644); err != nil {
			t.Fatal(err)
		}
		growHeap([]string{path, filepath.Join(t.TempDir(), "nowhere.py"), "-"})
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapIdle
	}
	short := idle(1000)
	if long := idle(1 << 20); short > 128<<20 || long < 200<<20 {
		t.Errorf("%d MB are idle after a short program, %d MB after a long one", short>>20, long>>20)
	}
}
