package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/tfmem/tfmem/analyzer/project"
)

// Files passes questions on to a file system and records the answers: the texts of modules and data,
// listings of folders, and what was looked for and not there. It is safe for concurrent use.
type Files struct {
	below project.FS

	mu      sync.Mutex
	answers map[string]string // by question
	unsure  bool              // an answer cannot be asked for again
}

// NewFiles returns a record of a file system.
func NewFiles(below project.FS) *Files { return &Files{below: below, answers: map[string]string{}} }

// The questions, each followed by a path.
const (
	kindOf = "kind "
	textOf = "text "
	headOf = "head "
	realOf = "real "
	listOf = "list "
)

func (f *Files) note(question, answer string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	// Two answers differ if the file changed meanwhile, and nobody knows who got which. JSON has
	// no room for bytes that are no UTF-8.
	if before, known := f.answers[question]; known && before != answer || !utf8.ValidString(question+answer) {
		f.unsure = true
	}
	f.answers[question] = answer
}

// Kind returns what exists at path.
func (f *Files) Kind(path string) project.Kind {
	kind := f.below.Kind(path)
	f.note(kindOf+path, strconv.Itoa(int(kind)))
	return kind
}

// Read returns the text at path.
func (f *Files) Read(path string) (string, error) {
	text, err := f.below.Read(path)
	f.note(textOf+path, textAnswer(text, err))
	return text, err
}

// Head returns the beginning of the text at path.
func (f *Files) Head(path string) (string, error) {
	text, err := f.below.Head(path)
	f.note(headOf+path, textAnswer(text, err))
	return text, err
}

// Real returns the path without symbolic links.
func (f *Files) Real(path string) string {
	real := f.below.Real(path)
	f.note(realOf+path, real)
	return real
}

// List returns the names in a folder.
func (f *Files) List(folder string, keep func(name string) bool) ([]string, error) {
	names, err := f.below.List(folder, keep)
	f.note(listOf+folder, listAnswer(f.below, folder))
	return names, err
}

// recorded returns the answers so far. They are not sure if some cannot be asked for again.
func (f *Files) recorded() (answers map[string]string, sure bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.answers, !f.unsure
}

func textAnswer(text string, err error) string {
	if err != nil {
		return "error " + err.Error()
	}
	return sum(text)
}

// listAnswer stands for the names in a folder that count: a program that is trained writes others.
func listAnswer(fs project.FS, folder string) string {
	names, err := fs.List(folder, func(name string) bool { return project.Listed(folder, name) })
	if err != nil {
		return "error " + err.Error()
	}
	slices.Sort(names)
	return sum(strings.Join(names, "\x00"))
}

func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:16])
}

// hold reports whether a file system still gives the answers.
func hold(fs project.FS, answers map[string]string) bool {
	var group errgroup.Group
	group.SetLimit(max(2, runtime.GOMAXPROCS(0)))
	const batch = 256
	questions := make([]string, 0, len(answers))
	for q := range answers {
		questions = append(questions, q)
	}
	for some := range slices.Chunk(questions, batch) {
		group.Go(func() error {
			for _, q := range some {
				if again(fs, q) != answers[q] {
					return errChanged
				}
			}
			return nil
		})
	}
	return group.Wait() == nil
}

// again asks a question again.
func again(fs project.FS, question string) string {
	path := question[len(kindOf):] // all are equally long
	switch question[:len(kindOf)] {
	case kindOf:
		return strconv.Itoa(int(fs.Kind(path)))
	case textOf:
		return textAnswer(fs.Read(path))
	case headOf:
		return textAnswer(fs.Head(path))
	case realOf:
		return fs.Real(path)
	case listOf:
		return listAnswer(fs, path)
	}
	return "error: not a question"
}
