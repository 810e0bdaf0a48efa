//go:build unix

package project

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// soon fails the test where reading a file does not come back.
func soon(t *testing.T, path string, limit int64) (text string, err error) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		var b []byte
		b, err = ReadFile(path, limit)
		text = string(b)
		close(done)
	}()
	select {
	case <-done:
		return text, err
	case <-time.After(20 * time.Second):
		t.Fatalf("reading %s does not come back", path)
		return "", nil
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestReadFile spells out what is read, and what is said of all else.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir) // the path of a socket is short
	must(t, os.WriteFile("text", []byte("hello"), 0o666))
	must(t, os.WriteFile("empty", nil, 0o666))
	must(t, os.WriteFile("full", []byte(strings.Repeat("x", 64)), 0o666))
	must(t, os.WriteFile("over", []byte(strings.Repeat("x", 65)), 0o666))
	must(t, os.WriteFile("sparse", nil, 0o666))
	must(t, os.Truncate("sparse", 300<<20))
	must(t, os.WriteFile("locked", []byte("x"), 0))
	must(t, os.Mkdir("folder", 0o777))
	must(t, syscall.Mkfifo("fifo", 0o666))
	socket, err := net.Listen("unix", "socket")
	must(t, err)
	defer socket.Close()
	for link, to := range map[string]string{
		"link": "text", "tofifo": "fifo", "tozero": "/dev/zero", "dangling": "nowhere", "loop": "loop", "to": "fro", "fro": "to",
	} {
		must(t, os.Symlink(to, link))
	}
	for _, c := range []struct {
		path, want string // the text, or behind a "!" what is wrong
		limit      int64
	}{
		{"text", "hello", 64},
		{"empty", "", 64},
		{"empty", "", 0},
		{"link", "hello", 5},
		{"full", strings.Repeat("x", 64), 64},
		{"over", "!it has 1 KB; the limit is 1 KB", 64},
		{"sparse", "!it has 300 MB; the limit is 5 MB", MaxSize},
		{"fifo", "!it is a FIFO, not a regular file", 64},
		{"tofifo", "!it is a FIFO, not a regular file", 64},
		{"socket", "!it is a socket, not a regular file", 64},
		{"/dev/zero", "!it is a device, not a regular file", 64},
		{"/dev/tty", "!it is a device, not a regular file", 64},
		{"tozero", "!it is a device, not a regular file", 64},
		{"folder", "!it is a folder, not a regular file", 64},
		{"nowhere", "!no such file or directory", 64},
		{"dangling", "!no such file or directory", 64},
		{"loop", "!too many levels of symbolic links", 64},
		{"to", "!too many levels of symbolic links", 64},
		{"locked", "!permission denied", 64},
	} {
		if c.path == "locked" && os.Getuid() == 0 {
			continue // whom no permission stops
		}
		got, err := soon(t, c.path, c.limit)
		if err != nil {
			var pe *fs.PathError
			if !errors.As(err, &pe) || pe.Path != c.path {
				t.Errorf("%s: the error %v does not name it", c.path, err)
				continue
			}
			got = "!" + pe.Err.Error()
		}
		if got != c.want {
			t.Errorf("%s is %.80q, want %.80q", c.path, got, c.want)
		}
	}
}

// TestReadProc sees that the limit holds for a file that claims to be empty.
func TestReadProc(t *testing.T) {
	const path = "/proc/self/maps"
	info, err := os.Stat(path)
	if err != nil || info.Size() != 0 {
		t.Skipf("there is no %s of size 0: %v", path, err)
	}
	if text, err := soon(t, path, MaxSize); err != nil || len(text) == 0 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if _, err := soon(t, path, 64); err == nil || !strings.HasSuffix(err.Error(), "it has more than 1 KB, which is the limit") {
		t.Errorf("got %v", err)
	}
}

// TestReadGrowing reads a file that somebody writes to all the while.
func TestReadGrowing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.py")
	f, err := os.Create(path)
	must(t, err)
	defer f.Close()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		chunk := make([]byte, 1<<20)
		for written := 0; written < 256<<20; written += len(chunk) {
			select {
			case <-stop:
				return
			default:
				f.Write(chunk)
			}
		}
	}()
	const limit = 8 << 20
	for i := 0; ; i++ {
		text, err := soon(t, path, limit)
		if len(text) > limit {
			t.Fatalf("%d bytes were read", len(text))
		}
		if err != nil {
			break
		}
	}
	close(stop)
	<-stopped
}

// TestReadDir sees that of a folder with very many entries only those that matter are
// kept, and these up to a limit.
func TestReadDir(t *testing.T) {
	dir := t.TempDir()
	for i := range 3000 {
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.png", i)), nil, 0o666))
	}
	for i := range 3 {
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.py", i)), nil, 0o666))
	}
	python := func(e fs.DirEntry) bool { return filepath.Ext(e.Name()) == ".py" }
	if got, err := readDir(dir, python, 3); err != nil || len(got) != 3 {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := readDir(dir, python, 2); err == nil || got != nil || !strings.Contains(err.Error(), "more than 2 of its entries matter") || !strings.Contains(err.Error(), dir) {
		t.Errorf("%v, %v", got, err)
	}
	fifo := filepath.Join(dir, "fifo")
	must(t, syscall.Mkfifo(fifo, 0o666))
	if _, err := ReadDir(fifo, python); err == nil || !strings.HasSuffix(err.Error(), "it is a FIFO, not a folder") {
		t.Errorf("got %v", err)
	}
}
