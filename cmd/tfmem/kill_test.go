package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestFixKilled kills --fix again and again in the middle of many files, and
// checks each of them: the old text or the new one. In the end a run that is
// left alone mends what the others did not come to.
func TestFixKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const (
		head  = "import tensorflow as tf\n"
		fix   = "\nfor gpu in tf.config.list_physical_devices(\"GPU\"):\n    tf.config.experimental.set_memory_growth(gpu, True)\n\n"
		files = 40
	)
	tail := "model = tf.keras.Sequential([])\nmodel.fit(x, y)\n" + strings.Repeat("step = (1, 2, 3)  # padding\n", 500)
	folder := t.TempDir()
	path := func(i int) string { return filepath.Join(folder, fmt.Sprintf("train%d.py", i)) }
	for i := range files {
		if err := os.WriteFile(path(i), []byte(head+tail), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mended := func() int {
		n := 0
		for i := range files {
			switch text, err := os.ReadFile(path(i)); {
			case err != nil:
				t.Fatal(err)
			case string(text) == head+fix+tail:
				n++
			case string(text) != head+tail:
				t.Fatalf("%s is neither old nor new: %d bytes", path(i), len(text))
			}
		}
		return n
	}
	// Each run is killed a little later after it has mended a file.
	for wait := time.Duration(0); mended() < files*3/4 && wait < 100*time.Millisecond; wait += time.Millisecond {
		cmd := exec.Command("tfmem", "check", "--fix", folder)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for before := mended(); mended() == before && len(ended) == 0; {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(wait)
		stop := os.Kill
		if runtime.GOOS != "windows" && int(wait/time.Millisecond)%2 == 1 {
			stop = os.Interrupt
		}
		if err := cmd.Process.Signal(stop); err != nil {
			t.Log(err)
		}
		<-ended
		left := temporaries(t, folder)
		if stop == os.Interrupt && len(left) > 0 {
			t.Errorf("an interrupted run left %v", left)
		}
		old := time.Now().Add(-time.Hour)
		for _, path := range left { // of a killed run; the next one removes it
			// The process that it ran may have written for a moment longer.
			if err := os.Chtimes(path, old, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
		t.Logf("killed %v after the first, %d of %d files are mended", wait, mended(), files)
	}
	if out, err := exec.Command("tfmem", "check", "--fix", "--fail-on", "hint", folder).CombinedOutput(); err != nil || mended() != files {
		t.Errorf("the last run left %d of %d files unmended: %v\n%s", files-mended(), files, err, out)
	}
	if left := temporaries(t, folder); len(left) > 0 {
		t.Errorf("the last run left %v", left)
	}
}

// temporaries returns the files that runs left in a folder.
func temporaries(t *testing.T, folder string) []string {
	left, err := filepath.Glob(filepath.Join(folder, ".*.tfmem-*"))
	if err != nil {
		t.Fatal(err)
	}
	return left
}
