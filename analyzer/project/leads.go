package project

import (
	"slices"
	"strings"
)

// Ways are what is known of which files lead to TensorFlow by what they import. That is found
// by the lines of texts alone: nothing is parsed for it, and each module is read once.
type ways struct {
	skims map[string]*skim // of modules, by path
	leads map[string]bool  // the same, as far as it is known
	vain  map[string]bool  // the paths of files that lead nowhere
}

// A skim is what importing a module imports: what its lines without indentation name.
type skim struct {
	names   []string // as imports have them
	library bool     // TensorFlow's or Keras's is among them
	modules []string // the paths of those of the project, where resolved
	known   bool     // modules are
}

// LeadsToTensorFlow tells whether a file, of which this is the text, imports a module of its
// project that imports TensorFlow or Keras when it is imported itself, or another module that
// does. It takes no lock of the workspace's.
func (w *Workspace) LeadsToTensorFlow(path, text string) bool {
	w.seeking.Lock()
	defer w.seeking.Unlock()
	if w.way.vain == nil {
		w.way = ways{map[string]*skim{}, map[string]bool{}, map[string]bool{}}
	}
	path = w.Absolute(path)
	leads := w.leads(path, imports(text, false))
	if delete(w.way.vain, path); !leads {
		w.way.vain[path] = true
	}
	return leads
}

// leads tells whether one of the modules that a file means by some names leads to TensorFlow.
func (w *Workspace) leads(path string, names []string) bool {
	by := map[string]string{} // the modules that are looked at, and who imports them
	var queue []string
	add := func(modules []string, importer string) {
		for _, m := range modules {
			if _, ok := by[m]; !ok && m != path {
				by[m] = importer
				queue = append(queue, m)
			}
		}
	}
	add(w.modulesNamed(path, names), "")
	for i := 0; i < len(queue); i++ {
		m := queue[i]
		leads, known := w.way.leads[m]
		if known && !leads {
			continue
		}
		s := w.skim(m)
		if leads || s.library {
			for ; m != ""; m = by[m] {
				w.way.leads[m] = true
			}
			return true
		}
		if !s.known {
			s.modules, s.known = w.modulesNamed(m, s.names), true
		}
		add(s.modules, m)
	}
	for _, m := range queue {
		w.way.leads[m] = false
	}
	return false
}

// skim reads the module at path, unless it has been.
func (w *Workspace) skim(path string) *skim {
	s := w.way.skims[path]
	if s == nil {
		text, _ := w.fs.Read(path) // what cannot be read leads nowhere
		s = skimmed(text)
		w.way.skims[path] = s
	}
	return s
}

func skimmed(text string) *skim {
	names := imports(text, true)
	return &skim{names: names, library: slices.ContainsFunc(names, func(name string) bool {
		first, _, _ := strings.Cut(name, ".")
		return strings.HasPrefix(first, "tensorflow") || first == "keras" || strings.HasPrefix(first, "keras_") || first == "tf_keras"
	})}
}

// modulesNamed are the paths of the project's modules that a file means by some names.
func (w *Workspace) modulesNamed(path string, names []string) (paths []string) {
	for _, name := range names {
		if p := w.find(path, name); p.kind == File && w.inside(path, p.path) == nil {
			paths = append(paths, p.path)
		}
	}
	return paths
}

// skimAgain tells the search that the file at path has another text now, and adds the files
// that may lead to TensorFlow now.
func (w *Workspace) skimAgain(path, text string, affected map[string]bool) {
	w.seeking.Lock()
	defer w.seeking.Unlock()
	before := w.way.skims[path]
	if before == nil {
		return
	}
	if now := skimmed(text); !slices.Equal(before.names, now.names) {
		w.way.skims[path] = now
		w.seekAgain(affected)
	}
}

// searchAgain is skimAgain where any file may be another.
func (w *Workspace) searchAgain(affected map[string]bool) {
	w.seeking.Lock()
	defer w.seeking.Unlock()
	clear(w.way.skims)
	w.seekAgain(affected)
}

func (w *Workspace) seekAgain(affected map[string]bool) {
	clear(w.way.leads)
	for path := range w.way.vain {
		affected[path] = true
	}
}

// imports are the names of modules that the import statements of a text name, each of which
// begins a line; all of what follows from is one too, for it may be a module. With top, only
// statements without indentation count.
func imports(text string, top bool) (names []string) {
	add := func(name string) {
		name, _, _ = strings.Cut(strings.TrimSpace(name), " ") // less "as"
		rest := strings.TrimLeft(name, ".")
		for end, r := range rest { // a package is imported before what it holds
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
		if top && len(code) < len(line) || !strings.HasPrefix(code, "import ") && !strings.HasPrefix(code, "from ") {
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
