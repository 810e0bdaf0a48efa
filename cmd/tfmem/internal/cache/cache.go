// Package cache keeps the results of checks on disk.
//
// A result is used again if the file and how it is checked are the same, if the modules that it reaches
// by imports have the same meaning, and if all else that the analysis asked of the file system has the
// same answers: places where modules were looked for in vain, data, listings, lock files. The record of
// these other questions is one for all files of a run. A comment in a module, and a function that only
// computes and that nobody names, are no part of its meaning. A file with the size, the times and the
// inode that it had is not read: its text is the same. A store that is damaged, from another
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

	"golang.org/x/sync/errgroup"

	"github.com/tfmem/tfmem/analyzer/project"
)

// suffix ends the names of stores.
const suffix = ".tfmem-cache"

// mostStored is the largest store that is read, in bytes. 2,600 files take 1.5 MB.
const mostStored = 256 << 20

// A Store is the results of one folder's checks by one build.
type Store struct {
	path string

	disk    disk
	results results
	imports map[string][]string // the modules that files and modules import, by path
	changed bool
	now     map[string]string // the digests of modules that changed
}

// A store's file is a line with the checksum of what follows, and the JSON of these, a line each.
type (
	disk struct {
		ID      string             `json:"id"`
		Answers answers            `json:"answers"`
		Stamps  map[string]stamped `json:"stamps"`  // by path, or what linesOf makes of it
		Modules map[string]module  `json:"modules"` // by path
	}
	results struct {
		Entries map[string]*Entry `json:"entries"` // by path
		Runs    map[string]*Run   `json:"runs"`
	}
	imports struct {
		Paths []string         `json:"paths"`
		By    map[string][]int `json:"by"` // indices of Paths
	}
)

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
	// By is the path by which the file imports modules. Places are the last parts of the paths of those
	// of which the result has places: then their whole texts count. Whole is set if it may name lines of any.
	By     string   `json:"by"`
	Places []string `json:"places,omitempty"`
	Whole  bool     `json:"whole,omitempty"`
	// Run names the run that the result is from, if it is one that [Store.PutRun] has.
	Run string `json:"run,omitempty"`
}

// Open reads the store of an identity from a folder. What it holds does not count unless the disk
// still gives all answers that led to it.
func Open(folder, id string) *Store {
	s := &Store{
		path:    filepath.Join(folder, Digest(id)+suffix),
		disk:    disk{ID: id, Answers: newAnswers(), Stamps: map[string]stamped{}, Modules: map[string]module{}},
		results: results{Entries: map[string]*Entry{}, Runs: map[string]*Run{}},
		imports: map[string][]string{},
		now:     map[string]string{},
	}
	text, err := project.ReadFile(s.path, mostStored)
	if err != nil {
		return s
	}
	sum, rest, _ := strings.Cut(string(text), "\n")
	if sum != Digest(rest) {
		return s
	}
	var d disk
	var r results
	var i imports
	lines := strings.SplitN(rest, "\n", 3)
	if len(lines) != 3 {
		return s
	}
	var group errgroup.Group
	group.Go(func() error {
		if err := json.Unmarshal([]byte(lines[0]), &d); err != nil {
			return err
		}
		if d.ID != id || !d.Answers.hold(d.Stamps) {
			return errChanged
		}
		return nil
	})
	group.Go(func() error { return json.Unmarshal([]byte(lines[1]), &r) })
	group.Go(func() error { return json.Unmarshal([]byte(lines[2]), &i) })
	if group.Wait() == nil {
		s.disk, s.results, s.imports = d, r, i.unpack()
		s.renew()
	}
	return s
}

func packImports(of map[string][]string) imports {
	out, index := imports{By: map[string][]int{}}, map[string]int{}
	for by, modules := range of {
		for _, path := range modules {
			i, known := index[path]
			if !known {
				i = len(out.Paths)
				index[path], out.Paths = i, append(out.Paths, path)
			}
			out.By[by] = append(out.By[by], i)
		}
	}
	return out
}

func (i imports) unpack() map[string][]string {
	out := make(map[string][]string, len(i.By))
	for by, indices := range i.By {
		for _, index := range indices {
			if index >= 0 && index < len(i.Paths) {
				out[by] = append(out[by], i.Paths[index])
			}
		}
	}
	return out
}

// Unchanged returns the digest of a file's text, if the file is surely as it was.
func (s *Store) Unchanged(path string) (digest string, ok bool) {
	return unchanged(s.disk.Stamps, path)
}

// Get returns the result for a file, or nil.
func (s *Store) Get(path, key string) *Entry {
	if e := s.results.Entries[path]; e != nil && e.Key == key {
		return e
	}
	return nil
}

// Put adds the result for a file.
func (s *Store) Put(path string, e *Entry) {
	s.results.Entries[path] = e
	s.changed = true
}

// Run returns the run that a result is from, or nil if nothing was said in it.
func (s *Store) Run(e *Entry) *Run { return s.results.Runs[e.Run] }

// PutRun adds a run, and returns its name.
func (s *Store) PutRun(r *Run) string {
	words := slices.Clone(r.Messages)
	for _, path := range slices.Sorted(maps.Keys(r.Keys)) {
		words = append(words, path, r.Keys[path])
	}
	name := Digest(strings.Join(words, "\x00"))
	s.results.Runs[name] = r
	return name
}

// Save writes the store, with the answers that led to what was added. It writes nothing if nothing
// was added, or if files changed during the check.
func (s *Store) Save(asked *Files) error {
	asked.mu.Lock()
	defer asked.mu.Unlock()
	for path, stamp := range asked.stamps {
		if s.disk.Stamps[path] != stamp {
			s.disk.Stamps[path], s.changed = stamp, true
		}
	}
	if !s.changed || asked.unsure || !s.add(asked) {
		return nil
	}
	named := map[string]bool{}
	for _, e := range s.results.Entries {
		named[e.Run] = true
	}
	maps.DeleteFunc(s.results.Runs, func(name string, _ *Run) bool { return !named[name] })
	first, err := json.Marshal(s.disk)
	if err != nil {
		return err
	}
	second, err := json.Marshal(s.results)
	if err != nil {
		return err
	}
	third, err := json.Marshal(packImports(s.imports))
	if err != nil {
		return err
	}
	text := string(first) + "\n" + string(second) + "\n" + string(third)
	folder := filepath.Dir(s.path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, "*"+suffix+"~")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once the file has been renamed
	_, err = f.WriteString(Digest(text) + "\n" + text)
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
