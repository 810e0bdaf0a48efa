package cache

import (
	"maps"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A module is a text that files import, as it was when they were checked.
type module struct {
	Digest  string `json:"digest"`
	meaning        // none if each change counts
}

// add adds what was asked in a run. It returns false if an answer is another than before: a file has
// changed since the store was opened.
func (s *Store) add(asked *Files) bool {
	others := asked.answers
	others.Texts = map[string]string{}
	for path, answer := range asked.answers.Texts {
		m, imported := asked.modules[path]
		if _, whole := s.disk.Answers.Texts[path]; !imported || whole || asked.whole[path] {
			delete(s.disk.Modules, path)
			others.Texts[path] = answer
			continue
		}
		before, known := s.disk.Modules[path]
		if now, changed := s.now[path]; changed && now != answer || !changed && known && before.Digest != answer {
			return false
		}
		if m.Digest != answer {
			m = module{Digest: answer}
		}
		if m.Rest == "" && before.Digest == answer {
			m.meaning = before.meaning
		}
		s.disk.Modules[path] = m
	}
	for by, modules := range asked.imports {
		all := maps.Clone(modules)
		for _, path := range s.imports[by] {
			all[path] = true
		}
		s.imports[by] = slices.Sorted(maps.Keys(all))
	}
	return s.disk.Answers.add(others)
}

// renew drops the results for files that reach, by imports, a module with another meaning than before.
func (s *Store) renew() {
	changed, same, moved := s.differing()
	if len(changed)+len(same) == 0 {
		return
	}
	importers := map[string][]string{}
	for by, modules := range s.imports {
		for _, path := range modules {
			importers[path] = append(importers[path], by)
		}
	}
	reaching := func(modules []string) map[string]bool {
		found, queue := map[string]bool{}, modules
		for len(queue) > 0 {
			path := queue[0]
			queue = queue[1:]
			for _, by := range importers[path] {
				if !found[by] {
					found[by] = true
					queue = append(queue, by)
				}
			}
		}
		return found
	}
	reachChanged, reachMoved := reaching(changed), reaching(moved)
	maps.DeleteFunc(s.results.Entries, func(_ string, e *Entry) bool {
		return reachChanged[e.By] || e.Whole && reachMoved[e.By] || e.hasPlaceIn(same) || s.results.Runs[e.Run] != nil
	})
}

// differing returns the paths of modules with another meaning, of those with another text of the same
// meaning, and of those among the latter whose code has moved to other lines. It takes note of the texts
// of the same meaning.
func (s *Store) differing() (changed, same, moved []string) {
	type found struct {
		path, rest string // the text without the functions
		module     module
		names      []string
	}
	var mu sync.Mutex
	var alike []found
	var group errgroup.Group
	group.SetLimit(max(2, runtime.GOMAXPROCS(0)))
	const batch = 64
	for paths := range slices.Chunk(keys(s.disk.Modules), batch) {
		group.Go(func() error {
			for _, path := range paths {
				before := s.disk.Modules[path]
				if digest, ok := unchanged(s.disk.Stamps, path); ok && digest == before.Digest {
					continue
				}
				text, err := project.Disk{}.Read(path)
				now := module{Digest: textAnswer(text, err)}
				if now.Digest == before.Digest {
					continue
				}
				var names []string
				rest := ""
				ok := err == nil && before.Rest != ""
				if ok {
					tree := syntax.Parse(text)
					now.meaning = meaningOf(tree)
					names, ok = before.differing(now.meaning)
					rest = without(tree, names)
				}
				mu.Lock()
				s.now[path] = now.Digest
				if ok {
					alike = append(alike, found{path, rest, now, names})
				} else {
					changed = append(changed, path)
				}
				mu.Unlock()
			}
			return nil
		})
	}
	group.Wait()
	for _, f := range alike {
		if s.named(f.path, f.rest, f.names) {
			changed = append(changed, f.path)
			continue
		}
		same = append(same, f.path)
		if s.disk.Modules[f.path].Lines != f.module.Lines {
			moved = append(moved, f.path)
		}
		s.disk.Modules[f.path], s.changed = f.module, true
	}
	return changed, same, moved
}

// hasPlaceIn reports whether a result has a place in one of these texts.
func (e *Entry) hasPlaceIn(paths []string) bool {
	return slices.ContainsFunc(paths, func(path string) bool {
		return slices.Contains(e.Places, filepath.Base(path))
	})
}

// without returns a text without functions of these names.
func without(tree *syntax.Tree, names []string) string {
	var rest strings.Builder
	for s := range tree.Statements() {
		if s.Kind() != syntax.FunctionDefinition || !slices.Contains(names, s.Child(syntax.FieldName).Text()) {
			rest.WriteString(s.Text() + "\n")
		}
	}
	return rest.String()
}

var (
	lookups = regexp.MustCompile(`\b(getattr|globals|locals|vars|dir|eval|exec|getmembers|import_module|__dict__)\b`)
	// literal is a lookup by a name that the text has.
	literal = regexp.MustCompile(`\bgetattr\s*\([^,()]*,\s*(?:"\w+"|'\w+')\s*[,)]`)
)

// looksUp reports whether a text may find a function by a name that it computes.
func looksUp(text string) bool {
	return len(lookups.FindAllStringIndex(text, -1)) > len(literal.FindAllStringIndex(text, -1))
}

// named reports whether a text that files are checked with may name one of the functions of the module at
// path, rest being its text without them.
func (s *Store) named(path, rest string, names []string) bool {
	if len(names) == 0 {
		return false
	}
	says := func(text string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return has(text, name) })
	}
	if says(rest) || looksUp(rest) {
		return true
	}
	stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if stem == "__init__" {
		stem = filepath.Base(filepath.Dir(path))
	}
	others := map[string]bool{}
	for by := range s.imports {
		others[by] = true
	}
	for other := range s.disk.Modules {
		others[other] = true
	}
	delete(others, path)
	for other := range others {
		if (project.Disk{}).Kind(other) == project.Folder {
			continue // a package without a text
		}
		text, err := project.ReadFile(other, project.MaxSize)
		if of := string(text); err != nil || says(of) || has(of, stem) && looksUp(of) {
			return true
		}
	}
	return false
}

// has reports whether a text has a word.
func has(text, word string) bool {
	letter := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i] == '_' || text[i] >= 0x80 || '0' <= text[i] && text[i] <= '9' || 'a' <= text[i]|0x20 && text[i]|0x20 <= 'z')
	}
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(word)
		if !letter(i-1) && !letter(at) {
			return true
		}
	}
}
