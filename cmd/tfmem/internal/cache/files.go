package cache

import (
	"path/filepath"
	"sync"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Files is the disk as a file system, and records what it answers: the texts of modules and data,
// listings of folders, and what was looked for and not there. It is safe for concurrent use.
type Files struct {
	disk project.Disk

	mu      sync.Mutex
	answers answers
	stamps  map[string]stamped
	unsure  bool // an answer cannot be asked for again

	imports map[string]map[string]bool // the modules that files and modules import, by path
	modules map[string]module          // by path; without a meaning where only imports were read
	whole   map[string]bool            // the paths of texts that count for files that do not import them
}

// NewFiles returns an empty record.
func NewFiles() *Files {
	return &Files{
		answers: newAnswers(), stamps: map[string]stamped{},
		imports: map[string]map[string]bool{}, modules: map[string]module{}, whole: map[string]bool{},
	}
}

// Imported records what [project.Workspace.Imported] is called with.
func (f *Files) Imported(by, path string, tree *syntax.Tree) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if by == "" {
		f.whole[path] = true
		return
	}
	if f.imports[by] == nil {
		f.imports[by] = map[string]bool{}
	}
	f.imports[by][path] = true
	if m, known := f.modules[path]; !known || m.Rest == "" && tree != nil {
		m = module{}
		if tree != nil {
			m = module{Digest: Digest(tree.Text()), meaning: meaningOf(tree)}
		}
		f.modules[path] = m
		f.unsure = f.unsure || !utf8.ValidString(by) || !utf8.ValidString(path)
	}
}

// note adds an answer of f. Two answers differ if the file changed meanwhile, and nobody knows who
// got which. JSON has no room for bytes that are no UTF-8.
func note[A comparable](f *Files, answers map[string]A, path string, answer A) {
	if before, known := answers[path]; known && before != answer || !utf8.ValidString(path) {
		f.unsure = true
	}
	answers[path] = answer
}

// Kind returns what exists at path.
func (f *Files) Kind(path string) project.Kind {
	kind := f.disk.Kind(path)
	folder, name := filepath.Dir(path), filepath.Base(path)
	if filepath.Join(folder, name) != path {
		folder, name = "", path
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	kinds := f.answers.Kinds[folder]
	if kinds == nil {
		kinds = map[string]project.Kind{}
		f.answers.Kinds[folder] = kinds
		f.unsure = f.unsure || !utf8.ValidString(folder)
	}
	note(f, kinds, name, kind)
	return kind
}

// Read returns the text at path.
func (f *Files) Read(path string) (string, error) {
	stamp, settled := StampOf(path)
	text, err := f.disk.Read(path)
	answer := textAnswer(text, err)
	f.mu.Lock()
	defer f.mu.Unlock()
	note(f, f.answers.Texts, path, answer)
	if settled && err == nil {
		f.stamps[path] = stamped{stamp, answer}
	}
	return text, err
}

// Keep records the digest of a text that was read by another way, and the stamp that the file had
// before.
func (f *Files) Keep(path, digest string, stamp Stamp) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stamps[path] = stamped{stamp, digest}
}

// Head returns the beginning of the text at path.
func (f *Files) Head(path string) (string, error) {
	text, err := f.disk.Head(path)
	f.mu.Lock()
	defer f.mu.Unlock()
	note(f, f.answers.Heads, path, textAnswer(text, err))
	return text, err
}

// Lines counts the lines of the text at path.
func (f *Files) Lines(path string) (string, error) {
	stamp, settled := StampOf(path)
	text, err := f.disk.Lines(path)
	answer := textAnswer(text, err)
	f.mu.Lock()
	defer f.mu.Unlock()
	note(f, f.answers.Lines, path, answer)
	if settled && err == nil {
		f.stamps[linesOf(path)] = stamped{stamp, answer}
	}
	return text, err
}

// Real returns the path without symbolic links.
func (f *Files) Real(path string) string {
	real := f.disk.Real(path)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.unsure = f.unsure || !utf8.ValidString(real)
	note(f, f.answers.Reals, path, real)
	return real
}

// List returns the names in a folder.
func (f *Files) List(folder string, keep func(name string) bool) ([]string, error) {
	names, err := f.disk.List(folder, keep)
	answer := listAnswer(folder)
	f.mu.Lock()
	defer f.mu.Unlock()
	note(f, f.answers.Lists, folder, answer)
	return names, err
}
