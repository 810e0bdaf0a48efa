package cache

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestStamp checks that a file keeps its stamp only while nothing is written to it.
func TestStamp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.py")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	if _, ok := StampOf(path); ok {
		t.Error("a file that is new has a stamp")
	}
	later := time.Now().Add(time.Hour)
	before, ok := stampAt(path, later)
	if again, _ := stampAt(path, later); !ok || again != before {
		t.Errorf("the stamp of an old file is %v, then %v", before, again)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond) // the file system's clock ticks
	write("two")
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if after, _ := stampAt(path, later); after == before && (runtime.GOOS == "linux" || runtime.GOOS == "darwin") {
		t.Error("a text of the same length and time has the same stamp")
	}
	write("three")
	if after, _ := stampAt(path, later); after == before {
		t.Error("a longer text has the same stamp")
	}
	for _, other := range []string{filepath.Dir(path), path + ".gone", os.DevNull} {
		if _, ok := stampAt(other, later); ok {
			t.Errorf("%s has a stamp", other)
		}
	}
}
