package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestWatch changes files under --watch, and waits for what it says of each.
func TestWatch(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no program can be interrupted there")
	}
	const clean, grown = "import tensorflow as tf\n", "import tensorflow as tf\nx = = 1\n"
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		// As editors save.
		if err := os.WriteFile(path+"~", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+"~", path); err != nil {
			t.Fatal(err)
		}
	}
	write("a.py", clean)
	cmd := exec.Command("tfmem", "check", "--watch", "--output-format", "concise")
	cmd.Dir = folder
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = in, in
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	timer := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer timer.Stop()
	lines := bufio.NewScanner(out)
	// expect waits until a check says what it wants. A change of several steps, such as a folder
	// with a file, may be checked in between.
	expect := func(want string) {
		t.Helper()
		var said []string
		found := false
		for lines.Scan() {
			said = append(said, lines.Text())
			found = found || strings.Contains(lines.Text(), want)
			if found && strings.HasPrefix(lines.Text(), "Watching") {
				return
			}
		}
		t.Fatalf("it ended without %q:\n%s", want, strings.Join(said, "\n"))
	}
	expect("All checks passed!")
	write("a.py", grown)
	expect("a.py:2:5: TFM003")
	write("tfmem.toml", "ignore = [\"TFM003\"]\n")
	expect("All checks passed!")
	write("tfmem.toml", "ignore = [\"TFM\n")
	expect("tfmem.toml:1:")
	if err := os.Remove(filepath.Join(folder, "tfmem.toml")); err != nil {
		t.Fatal(err)
	}
	expect("a.py:2:5: TFM003")
	write("a.py", clean)
	expect("All checks passed!")
	write("new/b.py", "x = = 1\nimport tensorflow as tf\n")
	expect("b.py:1:5: TFM003")
	write("new/b.py", clean)
	expect("All checks passed!")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("interrupted, it ends with %v", err)
	}
}
