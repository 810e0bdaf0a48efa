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
	statement := loop.Child(syntax.FieldBody).FirstChild()
	if !rule.Fixable(loop) || !p.StartsLine(statement) || p.Cell(loop.Start()) != p.Cell(statement.Start()) {
		return nil
	}
	r := reaching{Pass: p, loop: loop}
	keeps := usesEarlier || len(m.info.CallsTo(func(name string) bool {
		last := name[strings.LastIndexByte(name, '.')+1:]
		return strings.HasPrefix(name, "tensorflow.keras.") && slices.Contains([]string{"set_global_policy", "set_dtype_policy", "set_policy", "custom_object_scope", "CustomObjectScope"}, last)
	})) > 0
	message := "Collect garbage at the start of each iteration"
	if !keeps {
		message = "Clear Keras's session at the start of each iteration"
		keras := m.kerasPackage()
		ways := []way{{"tensorflow.keras", ".backend.clear_session"}, {"tensorflow.keras.backend", ".clear_session"}, {"tensorflow.keras.backend.clear_session", ""}}
		if keras == "tensorflow.keras" {
			ways = slices.Insert(ways, 0, way{"tensorflow", ".keras.backend.clear_session"})
		}
		if !r.reach("from "+keras+".backend import clear_session", "clear_session", "", ways...) {
			return nil
		}
	}
	if keeps || p.File.Releases().Keras() != 3 {
		if !keeps {
			message += ", and collect garbage"
		}
		if !r.reach("import gc", "gc", ".collect", way{"gc", ".collect"}) {
			return nil
		}
	}
	indent := p.Newline() + p.IndentOf(statement)
	text := ""
	if len(holding) > 0 {
		text = strings.Join(holding, " = ") + " = None" + indent
	}
	for _, call := range r.calls {
		text += call + "()" + indent
	}
	at := statement.Start()
	edits := append([]source.Edit{{Span: source.Span{Start: at, End: at}, New: text}}, r.imports...)
	return []rule.Fix{{Message: message, Applicability: rule.Unsafe, Edits: edits}}
}

// reaching collects functions to call in a loop, and the imports that they need.
type reaching struct {
	*rule.Pass
	loop    syntax.Node
	calls   []string
	imports []source.Edit // one at most
}

// A way is a module that may be bound, and what follows its name.
type way struct{ module, rest string }

// reach adds a call of what the file has bound, else of a name that is still free, with its import.
func (r *reaching) reach(statement, name, rest string, ways ...way) bool {
	for _, w := range ways {
		if bound := r.Bound(w.module, r.File.Names().ScopeOf(r.loop), r.loop); bound != "" {
			r.calls = append(r.calls, bound+w.rest)
			return true
		}
	}
	edit, ok := r.ImportAlso(statement, r.loop)
	if !ok || r.FreeName(name) == "" {
		return false
	}
	r.calls = append(r.calls, name+rest)
	if len(r.imports) > 0 {
		r.imports[0].New += edit.New // at the same place
	} else {
		r.imports = []source.Edit{edit}
	}
	return true
}

// kerasPackage returns the package of Keras that builds the model, or that the file imports: each has a
// session of its own.
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
		if strings.HasPrefix(module, "tensorflow.keras") {
			return "tensorflow.keras"
		}
		if first, _, _ := strings.Cut(module, "."); first == "keras" || first == "tf_keras" {
			keras = first
		}
	}
	return keras
}
