// Package cache keeps the results of checks on disk.
//
// A result is used again if the file and how it is checked are the same, and if all that the
// analysis asked of the file system has the same answers: modules that were imported, places where
// they were looked for in vain, data, listings, lock files. The record of these questions is one
// for all files of a run: they share the analysis of modules. A store that is damaged, from another
// build or another folder does not count. Programs that run at the same time replace each other's
// stores as a whole.
//
// The package does not know what a check does.
package cache

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/project"
)

var errChanged = errors.New("the files have changed")

// suffix ends the names of stores.
const suffix = ".tfmem-cache"

// mostStored is the largest store that is read, in bytes. 4,000 files take some 10 MB.
const mostStored = 256 << 20

// A Store is the results of one folder's checks by one build.
type Store struct {
	path string
	id   string
	fs   project.FS

	content content
	changed bool
}

// A content is a store's file, below a line with its checksum.
type content struct {
	ID      string            `json:"id"`
	Answers map[string]string `json:"answers"`
	Entries map[string]*Entry `json:"entries"` // by path
	Runs    map[string]*Run   `json:"runs,omitempty"`
}

// A Run is what was said of files that the analysis refused to read, while it checked other files.
// Those share the analysis of modules, so that nobody knows which of them said it: it holds for all
// of them together.
type Run struct {
	Keys     map[string]string `json:"keys"` // of the files that were checked, by path
	Messages []string          `json:"messages"`
}

// Holds reports whether all files of a run are among those with these keys.
func (r *Run) Holds(keys map[string]string) bool {
	for path, key := range r.Keys {
		if now, asked := keys[path]; !asked || now != key {
			return false
		}
	}
	return true
}

// An Entry is the result for one file.
type Entry struct {
	Key string `json:"key"` // of the file's content and of how it is checked
	// GPUs stands for the GPUs that the check asked for, "" if it did not.
	GPUs string `json:"gpus,omitempty"`
	// Mentions and Searched are those of [checker.Result].
	Mentions bool     `json:"mentions,omitempty"`
	Searched bool     `json:"searched,omitempty"`
	Results  []Result `json:"results"`
	// Run names the run that the result is from, if it is one that [Store.PutRun] has.
	Run string `json:"run,omitempty"`
}

// Open reads the store of an identity from a folder. What it holds does not count unless the file
// system still gives all answers that led to it.
func Open(folder, id string, fs project.FS) *Store {
	s := &Store{path: filepath.Join(folder, sum(id)+suffix), id: id, fs: fs, content: content{ID: id}}
	var c content
	text, err := project.ReadFile(s.path, mostStored)
	check, rest, _ := strings.Cut(string(text), "\n")
	if err == nil && check == sum(rest) && json.Unmarshal([]byte(rest), &c) == nil && c.ID == id && hold(fs, c.Answers) {
		s.content = c
	}
	if s.content.Answers == nil {
		s.content.Answers = map[string]string{}
	}
	if s.content.Entries == nil {
		s.content.Entries = map[string]*Entry{}
	}
	if s.content.Runs == nil {
		s.content.Runs = map[string]*Run{}
	}
	return s
}

// Get returns the result for a file, or nil.
func (s *Store) Get(path, key string) *Entry {
	if e := s.content.Entries[path]; e != nil && e.Key == key {
		return e
	}
	return nil
}

// Put adds the result for a file.
func (s *Store) Put(path string, e *Entry) {
	s.content.Entries[path] = e
	s.changed = true
}

// Run returns the run that a result is from, or nil if nothing was said in it.
func (s *Store) Run(e *Entry) *Run { return s.content.Runs[e.Run] }

// PutRun adds a run, and returns its name.
func (s *Store) PutRun(r *Run) string {
	words := slices.Clone(r.Messages)
	for _, path := range slices.Sorted(maps.Keys(r.Keys)) {
		words = append(words, path, r.Keys[path])
	}
	name := sum(strings.Join(words, "\x00"))
	s.content.Runs[name] = r
	return name
}

// Save writes the store, with the answers that led to what was added. It writes nothing if nothing
// was added, or if files changed during the check.
func (s *Store) Save(asked *Files) error {
	answers, sure := asked.recorded()
	if !s.changed || !sure {
		return nil
	}
	for q, a := range answers {
		if before, known := s.content.Answers[q]; known && before != a {
			return nil // changed since the store was read
		}
		s.content.Answers[q] = a
	}
	named := map[string]bool{}
	for _, e := range s.content.Entries {
		named[e.Run] = true
	}
	maps.DeleteFunc(s.content.Runs, func(name string, _ *Run) bool { return !named[name] })
	text, err := json.Marshal(s.content)
	if err != nil {
		return err
	}
	folder := filepath.Dir(s.path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, "*"+suffix+"~")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once the file has been renamed
	_, err = f.WriteString(sum(string(text)) + "\n" + string(text))
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), s.path)
}

// Clean removes all stores from a folder, and returns how many there were.
func Clean(folder string) (int, error) {
	entries, err := project.ReadDir(folder, func(fs.DirEntry) bool { return true })
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	} else if err != nil {
		return 0, fmt.Errorf("cannot clean the cache: %w", err)
	}
	n := 0
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), "~"); !strings.HasSuffix(name, suffix) || !e.Type().IsRegular() {
			continue
		}
		if err := os.Remove(filepath.Join(folder, e.Name())); err != nil {
			return n, fmt.Errorf("cannot clean the cache: %w", err)
		}
		n++
	}
	return n, nil
}
