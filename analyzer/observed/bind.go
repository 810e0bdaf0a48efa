package observed

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Program is what the dumps are of.
type Program struct {
	Root     string // the absolute folder that paths in the file are relative to
	Notebook string // the absolute path of the notebook whose cells ran; "" for none
	// Read returns the text of a file of the program and the names in it.
	Read func(path string) (*source.Source, *names.Info, error)
}

// FromDumps makes observations of dumps: it binds each name to the statements whose definitions
// reach the line at which its frame stood. A module that is not on the stack has run to its end.
// Files outside of the root are left out, and so are names that several dumps or frames have in
// different states.
func FromDumps(dumps []*Dump, program Program) (*File, error) {
	if len(dumps) == 0 {
		return nil, errors.New("there is nothing that a run told")
	}
	c := &collector{program: program, texts: map[string]*text{}, names: map[string]map[string]*Name{}, calls: map[string]map[string]*Call{}}
	for _, d := range dumps {
		c.dump(d)
	}
	last := dumps[len(dumps)-1]
	f := &File{Version: Version, Python: last.Python, TensorFlow: last.TensorFlow, Keras: last.Keras, Files: map[string]*Module{}}
	module := func(path string) *Module {
		if f.Files[path] == nil {
			f.Files[path] = &Module{}
		}
		return f.Files[path]
	}
	for path, all := range c.names {
		for _, n := range all {
			if n.Value != nil {
				module(path).Names = append(module(path).Names, *n)
			}
		}
	}
	for path, all := range c.calls {
		for _, call := range all {
			module(path).Calls = append(module(path).Calls, *call)
		}
	}
	for _, m := range f.Files {
		m.sort()
	}
	if slices.ContainsFunc(slices.Collect(maps.Values(f.Files)), (*Module).traced) {
		f.Texts = map[string]string{}
		for _, t := range c.texts {
			if t != nil {
				f.Texts[t.path] = digestOf(t.info)
			}
		}
	}
	return f, f.check()
}

func (m *Module) traced() bool {
	return slices.ContainsFunc(m.Calls, func(c Call) bool { return c.Step != nil })
}

// digestOf stands for what a module says, whatever its blanks and comments.
func digestOf(info *names.Info) string {
	sum := sha256.New()
	for s := range info.Tree.Statements() {
		s.Walk(func(n syntax.Node) bool {
			if !n.FirstChild().Valid() && n.Kind() != syntax.Comment {
				fmt.Fprintf(sum, "%s\x00", n.Text())
			}
			return true
		})
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:16])
}

// A text is a file of the program.
type text struct {
	path string // relative to the root
	src  *source.Source
	info *names.Info
}

type collector struct {
	program Program
	texts   map[string]*text            // by the absolute path; nil for one that cannot be read
	names   map[string]map[string]*Name // by the relative path, and by order
	calls   map[string]map[string]*Call
	own     []*text // of the dump at hand: where its classes may stand
}

// text returns a file of the program, or nil.
func (c *collector) text(path string) *text {
	if path == "" {
		return nil
	}
	if t, known := c.texts[path]; known {
		return t
	}
	c.texts[path] = nil
	relative, err := filepath.Rel(c.program.Root, path)
	if err != nil || !filepath.IsLocal(relative) {
		return nil
	}
	src, info, err := c.program.Read(path)
	if err != nil || info == nil || info.Tree == nil {
		return nil
	}
	c.texts[path] = &text{filepath.ToSlash(relative), src, info}
	return c.texts[path]
}

// A place is where a frame stands.
type place struct {
	*text
	start, end int         // of its line in the text; start is negative for a module that has finished
	stmt       syntax.Node // on the line
	function   *names.Function
	scope      *names.Scope
}

// place finds the place of a frame, or nil if its code is not in a text of the program.
func (c *collector) place(f Frame) *place {
	path := f.File
	if f.Cell != "" {
		path = c.program.Notebook
	}
	t := c.text(path)
	if t == nil {
		return nil
	}
	p := &place{text: t, start: -1, scope: t.info.Module}
	if f.Line == 0 && f.Function == "" {
		return p
	}
	first := 0 // the byte where line 1 of the frame's code is
	if f.Cell != "" {
		if first = t.cell(f.Cell); first < 0 {
			return nil
		}
	}
	if f.Function != "" {
		if p.function = t.function(first, f); p.function == nil {
			return nil
		}
		p.scope = p.function.Scope
	}
	p.start, p.end = t.line(first, f.Line)
	if p.start < 0 {
		return nil
	}
	p.stmt = p.statement()
	if !p.stmt.Valid() {
		return nil
	}
	return p
}

// line returns the span of a line, counted from 1 at a byte; -1 if there is none.
func (t *text) line(from, line int) (start, end int) {
	text := t.info.Tree.Text()
	start = from
	for ; line > 1; line-- {
		next := strings.IndexByte(text[start:], '\n')
		if next < 0 {
			return -1, -1
		}
		start += next + 1
	}
	return start, source.LineEnd(text, start)
}

// cell returns where a cell of the notebook begins, or -1. IPython replaces magics, so that lines
// differ where the cell has one.
func (t *text) cell(code string) int {
	is := strings.Split(strings.TrimRight(code, " \t\r\n"), "\n")
	for _, s := range t.src.Segments() {
		lines := strings.Split(strings.TrimRight(s.Raw, " \t\r\n"), "\n")
		if len(lines) != len(is) {
			continue
		}
		same := true
		for i, line := range lines {
			plain := strings.TrimSpace(line)
			magic := strings.HasPrefix(plain, "%") || strings.HasPrefix(plain, "!") || strings.Contains(is[i], "get_ipython()")
			same = same && (magic || strings.TrimRight(line, "\r") == strings.TrimRight(is[i], "\r"))
		}
		if same {
			return s.Span().Start
		}
	}
	return -1
}

// function returns the function of a frame: the one that its name ends in, on its first line, which
// is that of a decorator if it has one.
func (t *text) function(first int, f Frame) *names.Function {
	start, end := t.line(first, f.First)
	last := f.Function[strings.LastIndexByte(f.Function, '.')+1:]
	for _, found := range t.info.Functions {
		node := found.Node
		if p := node.Parent(); p.Valid() && p.Kind() == syntax.DecoratedDefinition {
			node = p
		}
		if found.Name == last && start <= found.Node.Start() && node.Start() <= end {
			return found
		}
	}
	return nil
}

// statement returns the innermost statement of the frame's code that has part of its line.
func (p *place) statement() (found syntax.Node) {
	visit := func(n syntax.Node) bool {
		if n.Start() > p.end || n.End() < p.start {
			return false
		}
		if in := n.Parent(); n.Kind() != syntax.Comment && (!in.Valid() || in.Kind() == syntax.Block) {
			found = n
		}
		return !n.Is(syntax.FunctionDefinition, syntax.Lambda)
	}
	if p.function == nil {
		for s := range p.info.Tree.Statements() {
			s.Walk(visit)
		}
		return found
	}
	p.function.Body.Walk(visit)
	return found
}

// dump collects what a dump says.
func (c *collector) dump(d *Dump) {
	c.own = nil
	for _, f := range slices.Concat(d.Frames, d.Modules) {
		if t := c.text(f.File); t != nil && !slices.Contains(c.own, t) {
			c.own = append(c.own, t)
		}
	}
	if t := c.text(c.program.Notebook); t != nil && !slices.Contains(c.own, t) {
		c.own = append(c.own, t)
	}
	for _, f := range slices.Concat(d.Frames, d.Modules) {
		for _, name := range slices.Sorted(maps.Keys(f.Names)) {
			if v := f.Names[name]; v != nil && (v.Kind == Object || v.Kind == Model) {
				c.attributes(v)
			}
		}
	}
	running := map[*text]bool{} // modules on the stack
	called := ""
	for _, f := range d.Frames {
		p := c.place(f)
		if p == nil {
			called = ""
			continue
		}
		if p.function == nil {
			running[p.text] = true
			called = ""
		}
		c.frame(p, f.Names, called)
		called = TextOf(p.stmt)
	}
	for _, f := range d.Modules {
		f.Function, f.Line, f.Cell = "", 0, ""
		if f.File == "" || strings.HasSuffix(f.File, ".ipynb") { // a kernel does not know its notebook's file
			f.File = c.program.Notebook
		}
		if p := c.place(f); p != nil && !running[p.text] {
			c.frame(p, f.Names, "")
		}
	}
	for _, e := range d.events() {
		c.event(d, e)
	}
}

// frame adds the names of a frame.
func (c *collector) frame(p *place, all map[string]*Value, called string) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		v := all[name]
		if v == nil {
			continue
		}
		scope, bindings := p.reaching(name)
		if bound := textsOf(bindings); len(bound) > 0 {
			by := called
			if scope.Func == nil || scope.Func != p.function {
				by = ""
			}
			c.add(p.path, &Name{Function: PathOf(scope), Name: name, Bound: bound, Called: by, Value: v})
		}
	}
}

// add adds an observation. What several frames or processes say otherwise is not kept.
func (c *collector) add(path string, n *Name) {
	if c.names[path] == nil {
		c.names[path] = map[string]*Name{}
	}
	key := n.order()
	switch before := c.names[path][key]; {
	case before == nil:
		c.names[path][key] = n
	case before.Value != nil && !before.Value.Equal(n.Value):
		before.Value = nil
	}
}

// reaching returns the bindings of a name that a frame sees, as far as they may have made the value
// that it has, and their scope. There are none if any of them is none that a value comes from: an
// import, a function.
func (p *place) reaching(name string) (*names.Scope, []*names.Binding) {
	scope := p.scope
	for len(scope.Bindings(name)) == 0 || scope.Kind == names.ClassScope && scope != p.scope {
		if scope = scope.Parent; scope == nil {
			return nil, nil
		}
	}
	all := scope.Bindings(name)
	// Functions bind global names at any time.
	inside := slices.ContainsFunc(all, func(b *names.Binding) bool {
		f := b.Node.Ancestor(syntax.FunctionDefinition)
		return b.Kind != names.ParameterBinding && f.Valid() && (scope.Func == nil || f != scope.Func.Node)
	})
	if !inside {
		if scope == p.scope && p.start >= 0 {
			all = p.info.ReachingBefore(scope, name, p.stmt)
		} else {
			all = p.info.ReachingEnd(scope, name)
		}
	}
	for _, b := range all {
		switch b.Kind {
		case names.AssignBinding, names.UnpackBinding, names.AugmentedBinding, names.ForBinding, names.WithBinding, names.ParameterBinding, names.PatternBinding:
		default:
			return scope, nil
		}
	}
	return scope, all
}

// textsOf returns the statements that bind a name, each once.
func textsOf(bindings []*names.Binding) (bound []string) {
	for _, b := range bindings {
		if text := TextOf(Binder(b.Node)); text != "" && !slices.Contains(bound, text) {
			bound = append(bound, text)
		}
	}
	slices.Sort(bound)
	return bound
}

// attributes adds what the instance of a class of the program has, by the statements of its methods.
func (c *collector) attributes(v *Value) {
	_, class := c.class(v.Class)
	if class == nil {
		return
	}
	for _, field := range slices.Sorted(maps.Keys(v.Fields)) {
		if v.Fields[field] == nil {
			continue
		}
		for _, k := range append([]*names.Class{class}, class.Ancestors()...) {
			bindings := k.Attributes[field]
			if len(bindings) == 0 {
				continue
			}
			if t := c.of(k.Info); t != nil {
				c.add(t.path, &Name{Function: PathOf(k.Scope), Name: "self." + field, Bound: textsOf(bindings), Value: v.Fields[field]})
			}
			break
		}
	}
}

// of returns the text that names are of, or nil.
func (c *collector) of(info *names.Info) *text {
	for _, t := range c.own {
		if t.info == info || t.info.Path == info.Path {
			return t
		}
	}
	return nil
}

// class finds a class of the program by its module and name: "pkg.train.Trainer".
func (c *collector) class(qualified string) (*text, *names.Class) {
	for _, t := range c.own {
		for _, class := range t.info.Classes {
			path := PathOf(class.Scope)
			module, ok := strings.CutSuffix(qualified, "."+path)
			if !ok && qualified != path {
				continue
			}
			file := strings.TrimSuffix(strings.TrimSuffix(t.path, ".py"), "/__init__")
			if module == "__main__" || qualified == path || strings.HasSuffix("/"+file, "/"+strings.ReplaceAll(module, ".", "/")) {
				return t, class
			}
		}
	}
	return nil, nil
}

// event adds a step, if its call stands in the program.
func (c *collector) event(d *Dump, e Event) {
	f := Frame{File: e.File, Cell: e.Cell, Line: e.Line}
	for _, on := range d.Frames { // the innermost on that line
		if on.File == e.File && on.Cell == e.Cell && on.Line == e.Line {
			f = on
		}
	}
	p := c.place(f)
	if p == nil {
		return
	}
	var call syntax.Node
	p.stmt.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Call && n.Start() <= p.end && n.End() >= p.start {
			if name := n.Child(syntax.FieldFunction); strings.TrimSuffix(last(name), "_generator") == e.Kind {
				call = n
				return false
			}
		}
		return true
	})
	if !call.Valid() || len(call.Text()) > mostStatement {
		return
	}
	o := &Call{Function: PathOf(p.scope), Call: TextOf(call), Kind: e.Kind, Batch: e.Batch, Steps: e.Steps, Batches: e.Batches, Model: e.Model, Step: e.Step}
	if c.calls[p.path] == nil {
		c.calls[p.path] = map[string]*Call{}
	}
	if before := c.calls[p.path][o.order()]; before != nil {
		if o.Step == nil {
			o.Step = before.Step
		}
		o.Batch, o.Batches = before.Batch, before.Batches // the first is the one that the text's first run has
	}
	c.calls[p.path][o.order()] = o
}

// last is the last name of a dotted one.
func last(n syntax.Node) string {
	if n.Kind() == syntax.Attribute {
		return n.Child(syntax.FieldAttribute).Text()
	}
	return n.Text()
}
