package observed

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
)

// An Index finds what runs told of the modules of a program.
type Index struct {
	// Date is when, as the file has it.
	Date   string
	files  map[string]*Module // by the absolute path
	texts  map[string]string  // digests, by it
	dump   *Dump              // in place of the files
	digest string
}

// NewIndex returns the observations of a file whose paths are relative to a folder; nil if there are
// none.
func NewIndex(root string, f *File) (*Index, error) {
	if f == nil || len(f.Files) == 0 {
		return nil, nil
	}
	t := &Index{Date: f.Date, files: map[string]*Module{}, texts: map[string]string{}}
	for at, digest := range f.Texts {
		t.texts[filepath.Join(root, filepath.FromSlash(at))] = digest
	}
	text, err := f.lines()
	if err != nil {
		return nil, err
	}
	t.digest = fmt.Sprintf("%x", sha256.Sum256(append(text, root...)))
	for at, m := range f.Files {
		t.files[filepath.Join(root, filepath.FromSlash(at))] = m
	}
	return t, nil
}

// NewDumpIndex returns what a dump says of the files as they are when they are asked for: also of
// a notebook that is in no file.
func NewDumpIndex(d *Dump) (*Index, error) {
	text, err := marshal(d)
	return &Index{dump: d, digest: fmt.Sprintf("%x", sha256.Sum256(text))}, err
}

// Digest stands for all that the index says, "" for nothing. Indexes with the same one mean the same.
func (t *Index) Digest() string {
	if t == nil {
		return ""
	}
	return t.digest
}

// Run names the run.
func (t *Index) Run() string {
	switch {
	case t != nil && t.dump != nil && t.dump.Event == nil:
		return "the kernel"
	case t == nil || t.Date == "":
		return "the last run"
	}
	return "the run of " + t.Date
}

// Of returns the observations of the module at an absolute path, as far as its text still is the one
// that ran; nil if there are none.
func (t *Index) Of(path string, info *names.Info, src *source.Source) *Current {
	if t == nil {
		return nil
	}
	m := t.files[filepath.Clean(path)]
	if m == nil && t.texts[filepath.Clean(path)] != "" {
		m = &Module{} // nothing of it was told but that it ran
	}
	if t.dump != nil {
		m = t.dump.of(path, info, src)
	}
	if m == nil {
		return nil
	}
	digest := t.texts[filepath.Clean(path)]
	c := &Current{Changed: digest != "" && digest != digestOf(info), Total: len(m.Names) + len(m.Calls), names: map[string][]*Name{}, calls: map[string]*Call{}}
	scopes := scopesOf(info)
	for i := range m.Names {
		n := &m.Names[i]
		binders, first := boundIn(scopes[n.Function], n.Name)
		for _, text := range n.Bound {
			if !binders[tight(text)] {
				c.Lost = append(c.Lost, Lost{n.Name, first})
				n = nil
				break
			}
		}
		if n != nil {
			key := n.Function + "\x00" + n.Name
			c.names[key] = append(c.names[key], n)
		}
	}
	calls := map[string]bool{}
	if len(m.Calls) > 0 {
		for _, call := range info.Calls {
			if slices.ContainsFunc(m.Calls, func(o Call) bool { return strings.HasPrefix(last(call.Child(syntax.FieldFunction)), o.Kind) }) {
				calls[callKey(info, call)] = true
			}
		}
	}
	for i := range m.Calls {
		o := &m.Calls[i]
		if c.Changed && o.Step != nil {
			c.Lost = append(c.Lost, Lost{Name: "the text in which " + o.Call + " was traced"})
		}
		if key := o.Function + "\x00" + tight(o.Call); calls[key] {
			c.calls[key] = o
		} else {
			c.Lost = append(c.Lost, Lost{Name: o.Call})
		}
	}
	return c
}

// of makes observations of one module.
func (d *Dump) of(path string, info *names.Info, src *source.Source) *Module {
	p := Program{Root: filepath.Dir(path), Read: func(at string) (*source.Source, *names.Info, error) {
		if at != path {
			return nil, nil, fs.ErrNotExist
		}
		return src, info, nil
	}}
	if src != nil && src.Segments()[0].Cell != 0 {
		p.Notebook = path
	}
	f, err := FromDumps([]*Dump{d}, p)
	if err != nil {
		return nil
	}
	return f.Files[filepath.ToSlash(filepath.Base(path))]
}

// A Current is what a run told of a module and its text still bears out.
type Current struct {
	Total int    // how many observations the file has of it
	Lost  []Lost // those that do not hold any more
	// Changed is set if the text is not the one that ran, in which steps were traced.
	Changed bool
	names   map[string][]*Name
	calls   map[string]*Call
}

// A Lost is an observation that the text does not bear out any more.
type Lost struct {
	Name string
	At   syntax.Node // where the name is bound now; none if it is not
}

// scopesOf returns the scopes of a module by their paths. Of several with one path, the first counts.
func scopesOf(info *names.Info) map[string]*names.Scope {
	scopes := map[string]*names.Scope{"": info.Module}
	add := func(s *names.Scope) {
		if path := PathOf(s); scopes[path] == nil {
			scopes[path] = s
		}
	}
	for _, f := range info.Functions {
		add(f.Scope)
	}
	for _, c := range info.Classes {
		add(c.Scope)
	}
	return scopes
}

// boundIn returns the texts of the statements of a scope that bind a name, and the first place.
func boundIn(scope *names.Scope, name string) (texts map[string]bool, first syntax.Node) {
	if scope == nil {
		return nil, first
	}
	bindings := scope.Bindings(name)
	if attribute, of := strings.CutPrefix(name, "self."); of && scope.Class != nil {
		bindings = scope.Class.Attributes[attribute]
	}
	texts = map[string]bool{}
	for i, b := range bindings {
		if i == 0 {
			first = b.Node
		}
		texts[tight(TextOf(Binder(b.Node)))] = true
	}
	return texts, first
}

// Names returns the observations of a name, or an attribute, in a function or class, of which a
// statement may have bound the value.
func (c *Current) Names(function, name, statement string) (found []*Name) {
	for _, n := range c.names[function+"\x00"+name] {
		if slices.ContainsFunc(n.Bound, func(text string) bool { return Same(text, statement) }) {
			found = append(found, n)
		}
	}
	return found
}

// Has reports whether there are observations of a name of a function or class.
func (c *Current) Has(function, name string) bool { return len(c.names[function+"\x00"+name]) > 0 }

// Call returns the observation of a call, or nil.
func (c *Current) Call(info *names.Info, call syntax.Node) *Call {
	if len(c.calls) == 0 {
		return nil
	}
	return c.calls[callKey(info, call)]
}

func callKey(info *names.Info, call syntax.Node) string {
	return functionOf(info, call) + "\x00" + tight(TextOf(call))
}

// functionOf is the path of the function that runs a node.
func functionOf(info *names.Info, n syntax.Node) string {
	scope := info.ScopeOf(n)
	for scope.Kind == names.ComprehensionScope {
		scope = scope.Parent
	}
	return PathOf(scope)
}

// String describes a value in a few words.
func (v *Value) String() string {
	count := func(n *int64, of string) string {
		switch {
		case n == nil:
			return of + "s"
		case *n == 1:
			return "1 " + of
		}
		return fmt.Sprintf("%d %ss", *n, of)
	}
	switch v.Kind {
	case None:
		return "None"
	case Number:
		if b, ok := v.Value.X.(bool); ok {
			return map[bool]string{true: "True", false: "False"}[b]
		}
		return fmt.Sprint(v.Value.X)
	case Text:
		return strconv.Quote(v.Value.X.(string))
	case Array:
		return strings.TrimSpace(tensor.Shape(*v.Shape).String() + " " + v.DType)
	case Table:
		n := v.Count
		if n == nil {
			length := int64(len(v.Columns))
			n = &length
		}
		return count(v.Rows, "row") + ", " + count(n, "column")
	case Dataset:
		return "a dataset of " + v.Spec.String()
	case Model:
		name := v.instance()
		if v.Parameters != nil {
			name += fmt.Sprintf(" with %d parameters", *v.Parameters)
		}
		return name
	case Object:
		return v.instance()
	}
	if v.Length == nil && v.Items != nil {
		length := int64(len(v.Items.List) + len(v.Items.Named))
		return count(&length, "item")
	}
	return count(v.Length, "item")
}

// String describes a step in a few words.
func (s *Step) String() string {
	if s.Graph == "" {
		return "not traced: " + s.Why
	}
	return fmt.Sprintf("traced by TensorFlow, %d operations", len(s.read.Nodes))
}

// instance names an object by its class: "a Sequential", "an ArgumentParser".
func (v *Value) instance() string {
	class := v.Class[strings.LastIndexByte(v.Class, '.')+1:]
	if strings.IndexAny(class, "AEIOUaeiou") == 0 {
		return "an " + class
	}
	return "a " + class
}

// String describes what a batch looks like.
func (s *Spec) String() string {
	switch {
	case s == nil:
		return "unknown elements"
	case s.Kind == None:
		return "None"
	case s.Kind == Tensor && s.Shape == nil:
		return strings.TrimSpace("a tensor " + s.DType)
	case s.Kind == Tensor:
		return strings.TrimSpace(tensor.Shape(*s.Shape).String() + " " + s.DType)
	}
	var parts []string
	for _, item := range s.Items.List {
		parts = append(parts, item.String())
	}
	for _, name := range slices.Sorted(maps.Keys(s.Items.Named)) {
		parts = append(parts, name+": "+s.Items.Named[name].String())
	}
	return strings.Join(parts, ", ")
}
