package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// in returns a journal in a folder, as another process opens it.
func in(folder string) *Journal {
	return New(func() string { return folder }, func() string { return "build" }, "/work", nil)
}

// crash ends a process as a crash would: its lock is released, and its record stays.
func (j *Journal) crash() { j.record.Close() }

func TestJournal(t *testing.T) {
	folder := t.TempDir()
	first := in(folder)
	first.Entry("done.py", "x = 1").Begin()()
	first.Entry("train.py", "x = 1").Begin()
	if ends := Settle(folder); len(ends) > 0 {
		t.Errorf("%v: the process still runs", ends)
	}
	first.crash()
	if in(folder).Entry("train.py", "x = 1").Ended() {
		t.Error("one end is blamed on a text, though a kill of the process may have been")
	}
	second := in(folder)
	second.Entry("train.py", "x = 1").Begin()
	second.crash()
	next := in(folder)
	for _, c := range []struct {
		path, text string
		ended      bool
	}{
		{"train.py", "x = 1", true}, {"/work/train.py", "x = 1", true},
		{"train.py", "x = 2", false}, {"train.py", "x = 1 ", false}, {"other.py", "x = 1", false}, {"done.py", "x = 1", false},
	} {
		if e := next.Entry(c.path, c.text); e.Ended() != c.ended {
			t.Errorf("%s with %q: %t", c.path, c.text, e.Ended())
		}
	}
	next.Close()
	if other := New(next.folder, func() string { return "a newer build" }, "/work", nil); other.Entry("train.py", "x = 1").Ended() {
		t.Error("the text ended another build")
	}
	if n := Clean(folder); n != 1 || in(folder).Entry("train.py", "x = 1").Ended() {
		t.Errorf("%d texts are forgotten", n)
	}
}

// TestSuspects: of several texts, the one that ends a process alone is it, and the others are not.
func TestSuspects(t *testing.T) {
	folder := t.TempDir()
	ended := func(path string) bool { return in(folder).Entry(path, "").Ended() }
	process := in(folder)
	for _, path := range []string{"a.py", "b.py", "c.py"} {
		process.Entry(path, "").Begin()
	}
	process.Entry("a.py", "").Begin() // another goroutine analyses the same text
	process.crash()
	if ends := Settle(folder); len(ends) != 1 || ends[0].PID != os.Getpid() || !ends[0].Suspect || !slices.Equal(ends[0].Paths, []string{"/work/a.py", "/work/b.py", "/work/c.py"}) {
		t.Fatalf("%+v", ends)
	}
	if ended("a.py") || ended("b.py") {
		t.Error("a suspect is left out")
	}
	process = in(folder)
	process.Entry("a.py", "").Begin()()
	alone := process.Entry("b.py", "").Begin()
	if process.exclusive.TryRLock() {
		t.Error("another text can be analysed beside a suspect")
	}
	alone()
	process.Entry("b.py", "").Begin()
	process.crash()
	if ends := Settle(folder); len(ends) != 1 || ends[0].Suspect || !slices.Equal(ends[0].Paths, []string{"/work/b.py"}) {
		t.Errorf("%+v", ends)
	}
	if ended("a.py") || !ended("b.py") || ended("c.py") {
		t.Errorf("left out: a.py %t, b.py %t, c.py %t", ended("a.py"), ended("b.py"), ended("c.py"))
	}
	process = in(folder)
	process.Entry("a.py", "").Begin()()
	process.Close()
	if _, suspects := marks(folder); len(suspects) != 1 {
		t.Errorf("suspects that nobody has analysed alone are those of c.py: %v", suspects)
	}
}

// TestOrderly: what ends for another reason leaves nothing behind.
func TestOrderly(t *testing.T) {
	folder := t.TempDir()
	for _, end := range []func(j *Journal){(*Journal).Close, (*Journal).Discard, func(j *Journal) { j.Discard(); j.Entry("b.py", "").Begin(); j.crash() }} {
		j := in(folder)
		j.Entry("a.py", "").Begin()
		end(j)
		if left, err := os.ReadDir(folder); err != nil || len(left) > 0 || len(Settle(folder)) > 0 {
			t.Errorf("%v are left: %v", left, err)
		}
	}
	in(folder).Close() // it was never opened
}

func TestFolder(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(folder, "new")
	if got := Folder("", filepath.Join(file, "below"), want, folder); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := Folder(filepath.Join(file, "below")); got != "" || in("").Entry("a.py", "") != nil {
		t.Errorf("%q can be written", got)
	}
}

// TestBounded: long paths are cut, many texts at once have a slot each, and marks do not pile up.
func TestBounded(t *testing.T) {
	folder := t.TempDir()
	j := in(folder)
	long := "/" + strings.Repeat("long/", 100) + "train.py"
	for i := range 50 {
		j.Entry(fmt.Sprint(long, i), "").Begin()
	}
	j.crash()
	if ends := Settle(folder); len(ends) != 1 || len(ends[0].Paths) != 50 || !strings.HasSuffix(long, strings.TrimRight(ends[0].Paths[0], "0123456789")) {
		t.Fatalf("%+v", ends)
	}
	for i := range mostMarks {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprint(i, endedSuffix)), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if Settle(folder); Clean(folder) > mostMarks {
		t.Error("marks pile up")
	}
}

func BenchmarkKey(b *testing.B) {
	j, text := in(b.TempDir()), strings.Repeat("x = layers.Dense(10)(x)  # a line of code\n", 2000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		e := j.Entry("train.py", text)
		for range 3 { // the parser, the quick rules and the others
			e.Begin()()
		}
	}
}

func BenchmarkBegin(b *testing.B) {
	j := in(b.TempDir())
	e := j.Entry("train.py", "")
	for b.Loop() {
		e.Begin()()
	}
}
