package write

import (
	"bufio"
	"bytes"
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

func put(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestKeepsModeAndLeavesNothingBehind(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.py")
	put(t, path, "old\r\n", 0o754)
	if err := File(path, []byte("old\r\n"), []byte("new\xff\r\n")); err != nil {
		t.Fatal(err)
	}
	if got := get(t, path); got != "new\xff\r\n" {
		t.Errorf("the file holds %q", got)
	}
	if info, _ := os.Stat(path); runtime.GOOS != "windows" && info.Mode() != 0o754 {
		t.Errorf("the mode is %v, want 0754", info.Mode())
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestFollowsLinks(t *testing.T) {
	folder := t.TempDir()
	target, link := filepath.Join(folder, "real", "a.py"), filepath.Join(folder, "link.py")
	if err := os.Mkdir(filepath.Dir(target), 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, target, "old", 0o644)
	if err := os.Symlink("real/a.py", link); err != nil {
		t.Skip("this system makes no symbolic links: ", err)
	}
	if err := File(link, []byte("old"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Lstat(link); info.Mode()&os.ModeSymlink == 0 || get(t, target) != "new" {
		t.Errorf("the link became %v and its target %q", info.Mode(), get(t, target))
	}
}

// TestSavedMeanwhile: what was saved while the new text was written stays.
func TestSavedMeanwhile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.py")
	put(t, path, "old", 0o644)
	r, err := begin(path, []byte("old"), []byte("new"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, "saved", 0o644)
	if err := r.commit(); !errors.Is(err, ErrChanged) || get(t, path) != "saved" {
		t.Errorf("%v, and the file has %q", err, get(t, path))
	}
	r.end()
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("%v lie there: %v", entries, err)
	}
}

// TestHardLinks: a file with several names keeps its text under all of them.
func TestHardLinks(t *testing.T) {
	folder := t.TempDir()
	path, other := filepath.Join(folder, "a.py"), filepath.Join(folder, "b.py")
	put(t, path, "old", 0o644)
	if err := os.Link(path, other); err != nil {
		t.Skip("this system makes no hard links: ", err)
	}
	err := File(path, []byte("old"), []byte("new"))
	if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "it has 2 hard links") {
		t.Errorf("got error %v", err)
	}
	if get(t, path) != "old" || get(t, other) != "old" {
		t.Errorf("the files hold %q and %q", get(t, path), get(t, other))
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	if err := File(path, []byte("old"), []byte("new")); err != nil || get(t, path) != "new" {
		t.Errorf("with one name left: %v, %q", err, get(t, path))
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(folder, path string)
		want    string
		root    bool // holds for the superuser too
	}{
		"changed":          {func(_, path string) { put(t, path, "older", 0o644) }, ErrChanged.Error(), true},
		"missing":          {func(_, path string) { os.Remove(path) }, "no such file", true},
		"read-only file":   {func(_, path string) { os.Chmod(path, 0o444) }, "the file is read-only", false},
		"read-only folder": {func(folder, _ string) { os.Chmod(folder, 0o555) }, "make the folder writable", false},
	} {
		t.Run(name, func(t *testing.T) {
			if !c.root && os.Getuid() == 0 {
				t.Skip("the superuser may write everywhere")
			}
			folder := t.TempDir()
			path := filepath.Join(folder, "a.py")
			put(t, path, "old", 0o644)
			c.prepare(folder, path)
			defer os.Chmod(folder, 0o755)
			before, _ := os.ReadFile(path)
			err := File(path, []byte("old"), []byte("new"))
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("got error %v, want one about %q", err, c.want)
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Errorf("the file changed from %q to %q", before, after)
			}
			if entries, _ := os.ReadDir(folder); len(entries) > 1 {
				t.Errorf("left behind: %v", entries)
			}
		})
	}
	if err := File(filepath.Join(t.TempDir(), "a.py"), nil, nil); errors.Is(err, ErrChanged) {
		t.Error("a missing file counts as a changed one")
	}
}

// The texts that the killed process goes back and forth between; long, so that
// a write in place would be caught half done.
var texts = [2][]byte{bytes.Repeat([]byte("old = 1\n"), 1<<15), bytes.Repeat([]byte("new = 2\n"), 1<<15)}

const killedFiles = 8

// TestKilled kills a process again and again while it replaces files, and
// checks each file: all old, or all new.
func TestKilled(t *testing.T) {
	if folder := os.Getenv("TFMEM_TEST_WRITE_IN"); folder != "" {
		for i := 0; ; i++ {
			path := filepath.Join(folder, fmt.Sprintf("%d.py", i%killedFiles))
			now, err := os.ReadFile(path)
			if err == nil {
				next := texts[0]
				if bytes.Equal(now, next) {
					next = texts[1]
				}
				err = File(path, now, next)
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(3)
			}
			if i == 0 {
				fmt.Println("it writes")
			}
		}
	}
	folder := t.TempDir()
	for i := range killedFiles {
		put(t, filepath.Join(folder, fmt.Sprintf("%d.py", i)), string(texts[0]), 0o644)
	}
	for round := range 20 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), "TFMEM_TEST_WRITE_IN="+folder)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if said, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatalf("the process replaced no file: %q, %v, %s", said, err, errs.String())
		}
		time.Sleep(time.Duration(7*round) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		if errs.Len() > 0 {
			t.Fatalf("the process failed before it was killed: %s", errs.String())
		}
		for i := range killedFiles {
			got := get(t, filepath.Join(folder, fmt.Sprintf("%d.py", i)))
			if got != string(texts[0]) && got != string(texts[1]) {
				t.Fatalf("round %d: file %d holds %d bytes that are neither the old text nor the new one", round, i, len(got))
			}
		}
	}
}

// TestSweep: what a killed run left beside a file goes with the next fix of that file, and nothing
// else does.
func TestStore(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, path := range []string{"a.json", filepath.Join("one", "two", "a.json")} {
		for _, text := range []string{"first", "second"} {
			if err := Store(path, []byte(text)); err != nil {
				t.Fatal(err)
			}
			if got := get(t, path); got != text {
				t.Errorf("%s has %q, not %q", path, got, text)
			}
		}
		if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
			t.Errorf("beside %s lie %v, %v", path, entries, err)
		}
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	if Store(filepath.Join("one", "two"), nil) == nil {
		t.Error("a folder was replaced by a file")
	}
	if entries, err := os.ReadDir("one"); err != nil || len(entries) != 1 {
		t.Errorf("left is %v, %v", entries, err)
	}
}

func TestSweep(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.py")
	old := time.Now().Add(-2 * forgotten)
	left := map[string]bool{".a.py.tfmem-1": true, ".b.py.tfmem-1": false, "a.py.tfmem-1": false, ".a.py.tfmem-new": false}
	for name := range left {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "new") {
			continue // another run is writing it
		}
		if err := os.Chtimes(filepath.Join(folder, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := File(path, []byte("a"), []byte("b")); err != nil {
		t.Fatal(err)
	}
	for name, gone := range left {
		if _, err := os.Stat(filepath.Join(folder, name)); gone != errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNew checks that a new file is written whole, and that one that is there stays as it is.
func TestNew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.py")
	if err := New(path, []byte("a = 1\n")); err != nil {
		t.Fatal(err)
	}
	if err := New(path, []byte("a = 2\n")); err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Errorf("a second time it is %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "a = 1\n" {
		t.Errorf("the file holds %q, %v", text, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("beside it lie %v, %v", entries, err)
	}
}
