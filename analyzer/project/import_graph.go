package project

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// An importGraph records which modules reach TensorFlow through imports. It scans the lines of
// texts, and parses only those that change sys.path. Each module is read once.
type importGraph struct {
	imports   map[string]*moduleImports // of modules, by path
	reaches   map[string]bool           // whether a module reaches TensorFlow, as far as it is known
	unreached map[string]bool           // the paths of files that do not reach TensorFlow
}

// moduleImports are the imports of a module that run when it is imported: those without
// indentation.
type moduleImports struct {
	names          []string // as the import statements write them
	added          []addition
	importsLibrary bool     // TensorFlow's or Keras's is among them
	modules        []string // the paths of the project's modules among them, once resolved
	resolved       bool     // modules is set
}

// ReachesTensorFlow reports whether a file with the given text reaches TensorFlow or Keras
// through the modules of its project that it imports. Only imports that run when a module is
// imported count in those. It does not take the lock of the workspace.
func (w *Workspace) ReachesTensorFlow(path, text string) bool {
	w.graphMu.Lock()
	defer w.graphMu.Unlock()
	if w.graph.unreached == nil {
		w.graph = importGraph{map[string]*moduleImports{}, map[string]bool{}, map[string]bool{}}
	}
	path = w.Absolute(path)
	reaches := w.reaches(path, importedNames(text, false), w.additions(path, text, nil))
	if delete(w.graph.unreached, path); !reaches {
		w.graph.unreached[path] = true
	}
	return reaches
}

// reaches reports whether one of the modules that a file names reaches TensorFlow. It searches
// the graph breadth first.
func (w *Workspace) reaches(path string, names []string, added []addition) bool {
	importers := map[string]string{} // the visited modules, with a module that imports each
	var queue []string
	add := func(modules []string, importer string) {
		for _, m := range modules {
			if w.Imported != nil {
				w.Imported(cmp.Or(importer, path), m, nil)
			}
			if _, ok := importers[m]; !ok && m != path {
				importers[m] = importer
				queue = append(queue, m)
			}
		}
	}
	add(w.modulesNamed(path, names, added), "")
	for i := 0; i < len(queue); i++ {
		m := queue[i]
		reaches, visited := w.graph.reaches[m]
		if visited && !reaches {
			continue
		}
		s := w.importsOf(m)
		if reaches || s.importsLibrary {
			for ; m != ""; m = importers[m] {
				w.graph.reaches[m] = true
			}
			return true
		}
		if !s.resolved {
			s.modules, s.resolved = w.modulesNamed(m, s.names, s.added), true
		}
		add(s.modules, m)
	}
	for _, m := range queue {
		w.graph.reaches[m] = false
	}
	return false
}

// importsOf returns the imports of the module at path, which it reads if necessary.
func (w *Workspace) importsOf(path string) *moduleImports {
	s := w.graph.imports[path]
	if s == nil {
		text, _ := w.fs.Read(path) // a file that cannot be read imports nothing
		s = w.scanImports(path, text, nil)
		w.graph.imports[path] = s
	}
	return s
}

// scanImports reads the imports of a text, whose tree may be nil.
func (w *Workspace) scanImports(path, text string, tree *syntax.Tree) *moduleImports {
	names := importedNames(text, true)
	return &moduleImports{names: names, added: w.additions(path, text, tree), importsLibrary: slices.ContainsFunc(names, func(name string) bool {
		first, _, _ := strings.Cut(name, ".")
		return strings.HasPrefix(first, "tensorflow") || first == "keras" || strings.HasPrefix(first, "keras_") || first == "tf_keras"
	})}
}

// modulesNamed returns the paths of the project's modules that a file names.
func (w *Workspace) modulesNamed(path string, names []string, added []addition) (paths []string) {
	for _, name := range names {
		if p := w.find(path, name, added); p.kind == File && w.inside(path, p.path) == nil {
			paths = append(paths, p.path)
		}
	}
	return paths
}

// importsChanged updates the graph after the file at path got a new text, and adds the files that
// may now reach TensorFlow.
func (w *Workspace) importsChanged(path, text string, parsed *syntax.Tree, affected map[string]bool) {
	w.graphMu.Lock()
	defer w.graphMu.Unlock()
	before := w.graph.imports[path]
	if before == nil {
		return
	}
	if now := w.scanImports(path, text, parsed); !slices.Equal(before.names, now.names) || !slices.Equal(before.added, now.added) {
		w.graph.imports[path] = now
		w.forgetReachable(affected)
	}
}

// forgetImports clears the graph because any file may have changed, and adds the files that may
// now reach TensorFlow.
func (w *Workspace) forgetImports(affected map[string]bool) {
	w.graphMu.Lock()
	defer w.graphMu.Unlock()
	clear(w.graph.imports)
	w.forgetReachable(affected)
}

func (w *Workspace) forgetReachable(affected map[string]bool) {
	clear(w.graph.reaches)
	for path := range w.graph.unreached {
		affected[path] = true
	}
}

// importedNames returns the names of modules in the import statements of a text. A statement must
// begin its line. What follows "from module import" counts too, because it may be a module. With
// topLevelOnly, indented statements do not count.
func importedNames(text string, topLevelOnly bool) (names []string) {
	add := func(name string) {
		name, _, _ = strings.Cut(strings.TrimSpace(name), " ") // without "as"
		rest := strings.TrimLeft(name, ".")
		for end, r := range rest { // a package is imported before its modules
			if r == '.' {
				names = append(names, name[:len(name)-len(rest)+end])
			}
		}
		if rest != "" {
			names = append(names, name)
		}
	}
	for start := 0; start < len(text); {
		line, _, _ := strings.Cut(text[start:], "\n")
		from := start
		start += len(line) + 1
		code := strings.TrimLeft(line, " \t")
		if topLevelOnly && len(code) < len(line) || !strings.HasPrefix(code, "import ") && !strings.HasPrefix(code, "from ") {
			continue
		}
		code, _, _ = strings.Cut(code, "#")
		code = strings.TrimSpace(code)
		if list, ok := strings.CutPrefix(code, "import "); ok {
			for name := range strings.SplitSeq(list, ",") {
				add(name)
			}
			continue
		}
		module, list, ok := strings.Cut(strings.TrimPrefix(code, "from "), " import")
		if module = strings.TrimSpace(module); !ok || module == "" {
			continue
		}
		add(module)
		if open, ok := strings.CutPrefix(strings.TrimSpace(list), "("); ok && !strings.Contains(open, ")") {
			list, _, _ = strings.Cut(text[from+len(line):], ")")
			list = open + list
		}
		if !strings.HasSuffix(module, ".") {
			module += "."
		}
		for name := range strings.SplitSeq(list, ",") {
			if name = strings.Trim(name, "() \t\r\n\\"); name != "" && name != "*" {
				add(module + name)
			}
		}
	}
	return names
}
