package graph

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// freeing offers to drop the names of the earlier model at the start of each iteration, and to call
// clear_session, followed by gc.collect() unless the project states a Keras 3. It only collects
// garbage if the iteration uses something of Keras that was made before the loop.
func (m *built) freeing() []rule.Fix {
	p, loop := m.p, m.event.Loop
	statement, scope := loop.Child(syntax.FieldBody).FirstChild(), m.info.ScopeOf(loop)
	if !rule.Fixable(loop) || !p.StartsLine(statement) || p.Cell(loop.Start()) != p.Cell(statement.Start()) {
		return nil
	}
	f := freeing{Pass: p, scope: scope, loop: loop}
	keras := p.File.Versions().Keras
	major, known := keras.Major()
	keeps := setsPolicy(m.info) || m.usesEarlier()
	ok := true
	if !keeps {
		ok = f.clearSession(m.kerasPackage())
	}
	if ok && (keeps || !known || keras.Source == "" || major < 3) {
		ok = f.collectGarbage()
	}
	if !ok {
		return nil
	}
	message := "Clear Keras's session at the start of each iteration"
	switch {
	case keeps:
		message = "Collect garbage at the start of each iteration"
	case len(f.calls) > 1:
		message += ", and collect garbage"
	}
	text, indent := "", p.Newline()+p.IndentOf(statement)
	if names := m.holding(); len(names) > 0 {
		text = strings.Join(names, " = ") + " = None" + indent
	}
	for _, call := range f.calls {
		text += call + "()" + indent
	}
	at := statement.Start()
	edits := []source.Edit{{Span: source.Span{Start: at, End: at}, New: text}}
	if f.imports != nil {
		edits = append(edits, *f.imports)
	}
	return []rule.Fix{{Message: message, Applicability: rule.Unsafe, Edits: edits}}
}

// setsPolicy reports whether a module sets the dtype policy, which clear_session would undo.
func setsPolicy(info *names.Info) bool {
	return len(info.CallsTo(func(name string) bool {
		return strings.HasPrefix(name, "tensorflow.keras.") && (strings.HasSuffix(name, ".set_global_policy") || strings.HasSuffix(name, ".set_dtype_policy") || strings.HasSuffix(name, ".set_policy"))
	})) > 0
}

// freeing collects the calls that free the models of earlier iterations, and the imports
// that they need.
type freeing struct {
	*rule.Pass
	scope   *names.Scope
	loop    syntax.Node
	calls   []string
	imports *source.Edit
}

// clearSession adds the call of a package of Keras: each has a session of its own.
func (f *freeing) clearSession(keras string) bool {
	for _, way := range []struct{ module, rest string }{
		{"tensorflow", ".keras.backend.clear_session"}, {"tensorflow.keras", ".backend.clear_session"},
		{"tensorflow.keras.backend", ".clear_session"}, {"tensorflow.keras.backend.clear_session", ""},
	} {
		if way.module == "tensorflow" && keras != "tensorflow.keras" {
			continue
		}
		if name := f.Bound(way.module, f.scope, f.loop); name != "" {
			f.calls = append(f.calls, name+way.rest)
			return true
		}
	}
	return f.importing("clear_session", "clear_session", "from "+keras+".backend import clear_session")
}

func (f *freeing) collectGarbage() bool {
	if name := f.Bound("gc", f.scope, f.loop); name != "" {
		f.calls = append(f.calls, name+".collect")
		return true
	}
	return f.importing("gc", "gc.collect", "import gc")
}

// importing adds a call that needs a name which is still free, and an import of it.
func (f *freeing) importing(name, call, statement string) bool {
	edit, ok := f.ImportAlso(statement, f.loop)
	if !ok || f.FreeName(name) == "" {
		return false
	}
	f.calls = append(f.calls, call)
	if f.imports == nil {
		f.imports = &edit
	} else {
		f.imports.New += edit.New // at the same place
	}
	return true
}

// kerasPackage returns the package of Keras that builds the model, or that the file imports.
func (m *built) kerasPackage() string {
	var modules []string
	for _, b := range m.info.ReachingDefs(rule.Root(m.event.Node.Child(syntax.FieldFunction))) {
		modules = append(modules, b.Module)
	}
	if strings.Join(modules, "") == "" { // a class of the program
		modules = slices.Sorted(maps.Keys(m.info.Modules()))
	}
	keras := "tensorflow.keras"
	for _, module := range modules {
		switch first, _, _ := strings.Cut(module, "."); {
		case strings.HasPrefix(module, "tensorflow.keras"):
			return "tensorflow.keras"
		case first == "keras", first == "tf_keras":
			keras = first
		}
	}
	return keras
}

// holding returns the names and attributes, bound in each run of the loop's body, by which an
// iteration still has the model of the one before. Nothing reads them before they are bound again.
func (m *built) holding() []string {
	body := m.event.Loop.Child(syntax.FieldBody)
	var out []string
	for statement := range surely(body) {
		assignment := statement.FirstChild()
		value, target := assignment.Child(syntax.FieldRight), assignment.Child(syntax.FieldLeft)
		if statement.Kind() != syntax.ExpressionStatement || assignment.Kind() != syntax.Assignment || !value.Valid() {
			continue
		}
		add := func(target syntax.Node) {
			if !slices.Contains(out, target.Text()) && m.dropsFirst(target, body) {
				out = append(out, target.Text())
			}
		}
		switch returned := returnsOf(m.info, value); {
		case target.Is(syntax.PatternList, syntax.TuplePattern, syntax.ListPattern):
			for part := range target.Children() {
				if slices.ContainsFunc(returned, func(r syntax.Node) bool { return m.holdsModel(names.Element(r, position(target, part))) }) {
					add(part)
				}
			}
		case m.holdsModel(value), slices.ContainsFunc(returned, m.holdsModel):
			add(target)
		}
	}
	return out
}

// surely yields the statements of a block that surely run with it: its own, and those of its with
// statements.
func surely(block syntax.Node) iter.Seq[syntax.Node] {
	return func(yield func(syntax.Node) bool) {
		for s := range block.Children() {
			if s.Kind() == syntax.WithStatement {
				for inner := range surely(s.Child(syntax.FieldBody)) {
					if !yield(inner) {
						return
					}
				}
			} else if !yield(s) {
				return
			}
		}
	}
}

// holdsModel reports whether the value of an expression has a reference to a model: it is a layer, a
// model, a symbolic tensor, an optimizer, a History, or an object of the program. A name for an
// earlier value counts only where a function returns it.
func (m *built) holdsModel(n syntax.Node) bool {
	const layer = "tensorflow.keras.layers.Layer"
	switch n.Kind() {
	case syntax.Tuple, syntax.ExpressionList, syntax.List:
		return slices.ContainsFunc(slices.Collect(n.Children()), m.holdsModel)
	case syntax.Identifier:
		made := m.info.DefiningExpr(n)
		return !n.Within(m.event.Loop) && made.Kind() == syntax.Call && m.holdsModel(made)
	case syntax.Attribute: // a part of the model: autoencoder.encoder
		made := m.info.DefiningExpr(n.Child(syntax.FieldObject))
		return n.Child(syntax.FieldObject).Kind() == syntax.Identifier && made.Within(m.event.Loop) && made.Kind() == syntax.Call && m.holdsModel(made)
	case syntax.Call:
		of := m.info.TypeOf(n)
		return m.info.InstanceOf(n, layer) || of.Local != nil || isOptimizer(of) ||
			m.info.InstanceOf(n.Child(syntax.FieldFunction), layer) || m.info.Callee(n) == "tensorflow.keras.Input" || rule.Method(n) == "fit"
	}
	return false
}

// dropsFirst reports whether a name or an attribute of one, bound in the body of a loop, may be set
// to None where the body begins: the code reads it only after it is bound.
func (m *built) dropsFirst(target, body syntax.Node) bool {
	switch target.Kind() {
	case syntax.Identifier:
		s := m.info.Lookup(target)
		return s != nil && !slices.ContainsFunc(s.Bindings(target.Text()), func(b *names.Binding) bool {
			return slices.ContainsFunc(m.info.Uses(b), func(use syntax.Node) bool {
				return use.Start() < target.Start() && use.Within(body) || m.info.ScopeOf(use).Function() != m.info.ScopeOf(target).Function()
			})
		})
	case syntax.Attribute:
		object := target.Child(syntax.FieldObject)
		return object.Kind() == syntax.Identifier && !slices.ContainsFunc(m.info.Identifiers(target.Child(syntax.FieldAttribute).Text()), func(n syntax.Node) bool {
			return n.Field() == syntax.FieldAttribute && n.Within(body) && n.Start() < target.Start()
		}) && !slices.ContainsFunc(m.info.ReachingDefs(object), func(b *names.Binding) bool { return b.Node.Within(body) })
	}
	return false
}

// usesEarlier reports whether the iterations use layers, models or optimizers that were made before
// the loop: by a name, or as something that they pass on.
func (m *built) usesEarlier() bool {
	loop := m.event.Loop
	codes := []syntax.Node{loop.Child(syntax.FieldBody)}
	for level := m.inLoop() + 1; level <= len(m.event.Path); level++ {
		if fn := m.info.ScopeOf(m.step(level)).Function(); fn != nil {
			codes = append(codes, fn.Body)
		}
	}
	earlier := func(n syntax.Node) bool {
		found := false
		m.event.DefiningExpr(m.info, n).Walk(func(c syntax.Node) bool {
			found = found || c.Kind() == syntax.Call && !slices.ContainsFunc(codes, c.Within) && makesVariable(m.info, c, m.info.Callee(c))
			return !found && !c.Is(definitions...)
		})
		return found
	}
	return slices.ContainsFunc(codes, func(code syntax.Node) bool {
		found := false
		code.Walk(func(n syntax.Node) bool {
			switch n.Kind() {
			case syntax.Attribute:
				found = found || earlier(n)
			case syntax.Identifier:
				found = found || m.info.Used(n) && (earlier(n) || slices.ContainsFunc(m.info.ReachingDefs(n), func(b *names.Binding) bool {
					return b.Kind == names.ForBinding && earlier(b.Value)
				}))
			}
			return !found
		})
		return found
	})
}
