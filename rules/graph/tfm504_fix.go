package graph

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts/lifetimes"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// freeing offers to drop the names of the earlier model at the start of each iteration, and to call
// clear_session, followed by gc.collect() unless the project states a Keras 3. It only collects garbage if
// the program clears the session itself, or if clear_session would drop what is still used: something of
// Keras that was made before the loop, the model that fit trains meanwhile, the dtype policy, or the custom
// objects of a scope, which Keras 3 keeps in the global state (keras/src/saving/object_registration.py).
func (m *again) freeing(holding []string, usesEarlier bool, frees lifetimes.Frees) []rule.Fix {
	p, loop := m.p, m.Loop
	at := loop.Child(syntax.FieldBody).FirstChild()
	if m.By() != nil && at.Kind() == syntax.ExpressionStatement && at.FirstChild().Kind() == syntax.String && at.Next().Valid() {
		at = at.Next() // of the docstring
	}
	if frees.Clears.Valid() {
		at, holding = frees.Clears.Parent(), nil
	}
	if !rule.Fixable(loop) || !p.Here(at) || !at.Parent().Is(syntax.Block) || !p.StartsLine(at) || p.Cell(loop.Start()) != p.Cell(at.Start()) {
		return nil
	}
	r := reaching{Pass: p, loop: loop}
	inFit := m.By() != nil && slices.Contains([]string{"epoch", "batch"}, m.By().Each) // whose model it would reset
	keeps := usesEarlier || inFit || len(p.File.Names().CallsTo(setsGlobalState)) > 0
	message := "Collect garbage at the start of each iteration"
	switch {
	case frees.Clears.Valid():
		message = "Collect garbage after clear_session()"
	case !keeps:
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
	if keeps || frees.Clears.Valid() || p.File.Releases().Keras() != 3 {
		if len(r.calls) > 0 {
			message += ", and collect garbage"
		}
		if !r.reach("import gc", "gc", ".collect", way{"gc", ".collect"}) {
			return nil
		}
	}
	indent := p.Newline() + p.IndentOf(at)
	text, where := "", at.Start()
	if len(holding) > 0 {
		text = strings.Join(holding, " = ") + " = None" + indent
	}
	for _, call := range r.calls {
		text += call + "()" + indent
	}
	if frees.Clears.Valid() {
		text, where = indent+strings.TrimSuffix(text, indent), at.End()
	}
	edits := append([]source.Edit{source.Insert(where, text)}, r.imports...)
	return rule.OneFix(message, rule.Unsafe, edits...)
}

// setsGlobalState reports whether a name sets what clear_session() would drop.
func setsGlobalState(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	return strings.HasPrefix(name, "tensorflow.keras.") && slices.Contains([]string{"set_global_policy", "set_dtype_policy", "set_policy", "custom_object_scope", "CustomObjectScope"}, last)
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

// kerasPackage returns the package of Keras that builds the model: each has a session of its own.
func (m *again) kerasPackage() string {
	info, callee := m.p.File.Names(), m.Event.Node.Child(syntax.FieldFunction)
	written := info.Written(callee)
	if c := info.Target(callee).Class; c != nil {
		written = info.WrittenBase(c.Node)
	}
	if first, _, _ := strings.Cut(written, "."); first == "keras" || first == "tf_keras" {
		return first
	}
	return "tensorflow.keras"
}
