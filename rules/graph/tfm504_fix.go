package graph

import (
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// freeing offers to drop the names of the earlier model at the start of each iteration, and to call
// clear_session, followed by gc.collect() unless the project states a Keras 3. It only collects garbage if
// clear_session would drop what is still used: something of Keras that was made before the loop, the dtype
// policy, or the custom objects of a scope, which Keras 3 keeps in the global state
// (keras/src/saving/object_registration.py).
func (m *built) freeing(holding []string, usesEarlier bool) []rule.Fix {
	p, loop := m.p, m.event.Loop
	statement, scope := loop.Child(syntax.FieldBody).FirstChild(), m.info.ScopeOf(loop)
	if !rule.Fixable(loop) || !p.StartsLine(statement) || p.Cell(loop.Start()) != p.Cell(statement.Start()) {
		return nil
	}
	f := freeing{Pass: p, scope: scope, loop: loop}
	keeps := usesEarlier || len(m.info.CallsTo(func(name string) bool {
		last := name[strings.LastIndexByte(name, '.')+1:]
		return strings.HasPrefix(name, "tensorflow.keras.") && slices.Contains([]string{"set_global_policy", "set_dtype_policy", "set_policy", "custom_object_scope", "CustomObjectScope"}, last)
	})) > 0
	ok := true
	if !keeps {
		ok = f.clearSession(m.kerasPackage())
	}
	if ok && (keeps || p.File.Releases().Keras() != 3) {
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
	indent := p.Newline() + p.IndentOf(statement)
	text := ""
	if len(holding) > 0 {
		text = strings.Join(holding, " = ") + " = None" + indent
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
	for _, b := range m.info.ReachingDefs(names.Root(m.event.Node.Child(syntax.FieldFunction))) {
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
