package graph

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// ModelInLoop is TFM504.
var ModelInLoop = &rule.Rule{
	Code: "TFM504", Name: "model-in-loop", Severity: rule.Warning,
	Summary: "Every loop iteration builds and compiles another Keras model, and nothing frees the earlier ones.",
	What: `
Checks for models that are built in a loop, in its body or in a function that
it calls, and compiled or trained in the same iteration, where nothing in the
loop calls clear_session or gc.collect, deletes the model, or keeps it on
purpose. Also checks for a History that is kept, because it holds its model.`,
	Why: `
A trained model is part of reference cycles. Rebinding its name, leaving its
function or deleting it does not free it; only Python's garbage collector does,
and that does not know how much GPU memory the model holds. Eight iterations of
such a loop leave up to eight models alive, each with its weights and optimizer
state. Keras's global state grows as well. In Keras 3 clear_session() at the
start of an iteration clears that state and collects garbage; in Keras 2
gc.collect() must follow it. The memory goes to the next model, never back to
the driver: only a separate process per model returns it.`,
	Bad: `
import tensorflow as tf

for units in [32, 64, 128]:
    model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)`,
	Good: `
import tensorflow as tf

for units in [32, 64, 128]:
    tf.keras.backend.clear_session()
    model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)`,
	FixSafety: `
Unsafe: clear_session() also resets Keras's global state, such as the numbers
in layer names and, in Keras 3, the dtype policy, and in TensorFlow 1 nothing
that was built before may be needed after it. The fix is not offered where a
History is kept, which holds its model anyway. Where the project may run Keras
2, it adds gc.collect(), and where no name leads to clear_session, an import.
Where the file sets the dtype policy, it only collects garbage.`,
	Limitations: `
Tests, models in a separate process, and loops of one or two iterations are not
reported. Models that code outside the project builds are not seen.`,
	References: []rule.Reference{
		rule.Keras("utils/config_utils", "Keras configuration utilities: clear_session"),
		rule.API("tf.keras.backend.clear_session"),
	},
	Triggers: []string{"fit", "compile", "train_on_batch"},
	Imported: true,
	Check:    checkModelInLoop,
}

// fewModels is the number of iterations below which the rule stays silent.
const fewModels = 2

func checkModelInLoop(p *rule.Pass) {
	program := p.File.Flow()
	if rule.IsTest(p) {
		return
	}
	frees := maybeFrees(program)
	reported := map[syntax.Node]bool{}
	for _, t := range program.Traces() {
		for i := range t.Events {
			e := &t.Events[i]
			if !e.Effects.Has(effects.BuildsModel) || !eagerInLoop(e) || e.Context&flow.InWorker != 0 || !p.Here(e.Loop) || reported[e.Loop] {
				continue
			}
			m := newBuilt(p, e)
			after := t.Events[i+1:]
			if !trained(after, e.Loop) && !m.handedToTraining() || !m.dropped() {
				continue
			}
			if history := m.history(after); history != nil || !frees {
				reported[e.Loop] = true
				m.report(history)
			}
		}
	}
}

// maybeFrees reports whether the program collects garbage, or calls an unknown function of
// its project whose name suggests it.
func maybeFrees(program *flow.Program) bool {
	for _, t := range program.Traces() {
		if slices.ContainsFunc(t.Events, func(e flow.Event) bool { return e.Effects.Has(effects.FreesModels) }) {
			return true
		}
	}
	return slices.ContainsFunc(program.Unknown, func(e flow.Event) bool {
		name := strings.ToLower(e.Name[strings.LastIndexByte(e.Name, '.')+1:])
		return slices.ContainsFunc([]string{"clear", "reset", "clean", "free", "collect"}, func(word string) bool { return strings.Contains(name, word) })
	})
}

// trained reports whether one of the events compiles or trains a model within the loop
// iteration.
func trained(events []flow.Event, loop syntax.Node) bool {
	return slices.ContainsFunc(events, func(e flow.Event) bool {
		return e.Effects.Has(effects.CompilesModel|effects.Trains) && e.Loop == loop
	})
}

// handedToTraining reports whether the iteration passes the model to a function of the
// program that compiles or trains it.
func (m *built) handedToTraining() bool {
	at := m.step(m.inLoop())
	return m.p.Here(at) && m.isModel(at) && fates{}.of(m.info, at).trained
}

// history is the training, among the events, whose History is kept: it holds the model
// (keras/src/callbacks/callback.py, set_model). It is nil if there is none.
func (m *built) history(events []flow.Event) *flow.Event {
	for i := range events {
		e := &events[i]
		if !e.Effects.Has(effects.Trains) || e.Loop != m.event.Loop || !m.p.Here(e.Node) {
			continue
		}
		switch rule.Method(e.Node) {
		case "fit", "fit_generator":
			fit := newBuilt(m.p, e)
			if fit.held(e.Node, whole, len(e.Path), fit.inLoop()) {
				return e
			}
		}
	}
	return nil
}

// A built model is one that every loop iteration creates.
type built struct {
	p     *rule.Pass
	info  *names.Info
	event *flow.Event

	followed map[syntax.Node]bool // the calls that return what they are given
}

func newBuilt(p *rule.Pass, e *flow.Event) *built {
	return &built{p, p.File.Names(), e, map[syntax.Node]bool{}}
}

// step is the node at a place on the way to the model: a call of the path, or at
// its end the model's own.
func (m *built) step(level int) syntax.Node {
	if level < len(m.event.Path) {
		return m.event.Path[level]
	}
	return m.event.Node
}

// inLoop is the place on the way at which it is in the loop's own code.
func (m *built) inLoop() int {
	for level := range m.event.Path {
		if m.event.Path[level].Within(m.event.Loop) {
			return level
		}
	}
	return len(m.event.Path)
}

// dropped reports whether the iteration surely ends without keeping or deleting the model,
// and another iteration may follow.
func (m *built) dropped() bool {
	loop, first := m.event.Loop, m.inLoop()
	body := loop.Child(syntax.FieldBody)
	if !loop.Is(syntax.ForStatement, syntax.WhileStatement) || !m.step(first).Within(body) || names.Leaves(body) || deletes(body) {
		return false
	}
	if s, ok := m.turns(); ok && s <= fewModels {
		return false
	}
	for level := len(m.event.Path); level >= first; level-- {
		at := m.step(level)
		if !m.p.Here(at) {
			continue
		}
		if once(at, loop) {
			return false
		}
		if fn := m.info.ScopeOf(at).Function(); fn != nil && level > first && fn.Body.Kind() == syntax.Block && deletes(fn.Body) {
			return false
		}
		if level == len(m.event.Path) || m.isModel(at) {
			return !m.held(at, whole, level, first)
		}
	}
	return true
}

// once reports whether code, in the loop or in a function, runs only in some iterations:
// under an if without an else, such as "if model is None", or in a handler.
func once(n, loop syntax.Node) bool {
	for p := n.Parent(); p.Valid() && p != loop && !p.Is(definitions...); p = p.Parent() {
		if p.Kind() == syntax.ExceptClause || p.Kind() == syntax.IfStatement && !p.Child(syntax.FieldAlternative).Valid() && !flow.IsMainGuard(p.Child(syntax.FieldCondition)) {
			return true
		}
	}
	return false
}

// turns is the number of iterations of the loop, if the code says so.
func (m *built) turns() (int, bool) {
	n := rule.TurnsIn(m.info, m.event.Loop)
	return n, n > 0
}

func (m *built) isModel(n syntax.Node) bool {
	t := m.info.TypeOf(n)
	return m.info.IsA(t.Class, "tensorflow.keras.Model") || t.Local != nil
}

func deletes(n syntax.Node) bool {
	found := false
	n.Walk(func(c syntax.Node) bool {
		found = found || c.Kind() == syntax.DeleteStatement
		return !found && !c.Is(definitions...)
	})
	return found
}

// whole is the item of a value that is the model itself.
const whole = -1

// held reports whether the model may be kept beyond the iteration. The model is the value
// of an expression, or the item at a position of that tuple.
func (m *built) held(value syntax.Node, item, level, first int) bool {
	parent := value.Parent()
	switch parent.Kind() {
	case syntax.ParenthesizedExpression, syntax.ConditionalExpression, syntax.NamedExpression, syntax.BooleanOperator:
		return m.held(parent, item, level, first)
	case syntax.ExpressionList, syntax.Tuple:
		if item == whole && parent.Parent().Kind() == syntax.ReturnStatement {
			if at := position(parent, value); at >= 0 {
				return m.held(parent, at, level, first)
			}
		}
		return true
	case syntax.List, syntax.Set, syntax.Pair, syntax.Dictionary, syntax.Yield, syntax.ListSplat:
		return true
	case syntax.Subscript:
		if item == whole || value.Field() != syntax.FieldValue {
			return false
		}
		index := parent.Child(syntax.FieldSubscript)
		return (index.Kind() != syntax.Integer || index.Text() == strconv.Itoa(item)) && (m.held(parent, whole, level, first) || storedByAssignment(parent))
	case syntax.ArgumentList, syntax.KeywordArgument:
		call := value.Ancestor(syntax.Call)
		if keeps(call) || m.followed[call] || !(fates{}).handed(m.info, call, value).returned {
			return keeps(call)
		}
		m.followed[call] = true
		return m.held(call, item, level, first)
	case syntax.ReturnStatement:
		if level <= first {
			return false
		}
		at := m.step(level - 1)
		return !m.p.Here(at) || m.held(at, item, level-1, first)
	case syntax.Assignment:
		if value.Field() == syntax.FieldRight {
			return m.heldBy(parent.Child(syntax.FieldLeft), item, level, first)
		}
	}
	return false
}

// position is the place of an item in a display or a pattern, or -1 where one with a star
// stands beside it.
func position(display, item syntax.Node) int {
	at, n := -1, 0
	for c := range display.Children() {
		switch {
		case c.Is(syntax.ListSplat, syntax.ListSplatPattern):
			return -1
		case c == item:
			at = n
		}
		if c.Kind() != syntax.Comment {
			n++
		}
	}
	return at
}

// heldBy reports the same for the target of an assignment.
func (m *built) heldBy(target syntax.Node, item, level, first int) bool {
	switch target.Kind() {
	case syntax.Subscript:
		return true
	case syntax.Attribute:
		fn := m.info.ScopeOf(target).Function()
		if level == first || fn == nil || fn.Name != "__init__" {
			return false // bound again in the next turn
		}
		at := m.step(level - 1)
		return !m.p.Here(at) || m.held(at, whole, level-1, first)
	case syntax.PatternList, syntax.TuplePattern:
		return slices.ContainsFunc(slices.Collect(target.Children()), func(c syntax.Node) bool {
			at := position(target, c)
			return (item == whole || at < 0 || at == item) && m.heldBy(c, whole, level, first)
		})
	case syntax.Identifier:
		s := m.info.Lookup(target)
		if s == nil {
			return false
		}
		for _, b := range s.Bindings(target.Text()) {
			if b.Node != target {
				continue
			}
			if slices.ContainsFunc(m.info.Uses(b), func(use syntax.Node) bool {
				return use.Parent().Kind() != syntax.Assignment && m.held(use, item, level, first) || storedByAssignment(use)
			}) {
				return true
			}
		}
	}
	return false
}

// storedByAssignment reports whether a name is put into a container or an object.
func storedByAssignment(use syntax.Node) bool {
	parent := use.Parent()
	return parent.Kind() == syntax.Assignment && use.Field() == syntax.FieldRight && parent.Child(syntax.FieldLeft).Is(syntax.Subscript, syntax.Attribute)
}

// keeps reports whether a call puts its argument into a container.
func keeps(call syntax.Node) bool {
	switch call.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text() {
	case "append", "add", "insert", "extend", "put", "setdefault", "appendleft", "update":
		return true
	}
	return false
}

// report tells of the model; history is the training whose History is kept, or nil.
func (m *built) report(history *flow.Event) {
	p, loop, at := m.p, m.event.Loop, m.step(m.inLoop())
	span := rule.Callee(at)
	f := rule.Finding{
		Span:    span,
		Message: fmt.Sprintf("Every iteration of the loop on %s builds another model, and none is freed. ", p.LineOf(loop.Start(), span)),
		Related: []rule.Related{{Span: header(loop), Message: "in this loop"}},
	}
	if history == nil {
		f.Message += "Earlier models stay in memory until Python's garbage collector finds them: nothing here calls clear_session() or gc.collect()."
		f.Fixes = freeModels(p, loop)
	} else {
		f.Message += fmt.Sprintf("The History that %s() returns on %s is kept, and holds its model. "+
			"Keep history.history, a dict of numbers, and clear the session in each iteration.", rule.Method(history.Node), p.Line(history.Node, span))
	}
	if at != m.event.Node {
		f.Related = append(f.Related, p.Related(m.event.Node, rule.Callee(m.event.Node), "the model is built here"))
	}
	p.Report(f)
}

// freeModels offers to call clear_session at the start of each iteration, followed by
// gc.collect() in Keras 2.
func freeModels(p *rule.Pass, loop syntax.Node) []rule.Fix {
	statement, scope := loop.Child(syntax.FieldBody).FirstChild(), p.File.Names().ScopeOf(loop)
	if !rule.Fixable(loop) || !p.StartsLine(statement) || p.Cell(loop.Start()) != p.Cell(statement.Start()) {
		return nil
	}
	f := freeing{Pass: p, scope: scope, loop: loop}
	major, known := p.File.Versions().Keras.Major()
	policy := setsPolicy(p.File.Names())
	ok := true
	if !policy {
		ok = f.clearSession()
	}
	if ok && (policy || !known || major < 3) {
		ok = f.collectGarbage()
	}
	if !ok {
		return nil
	}
	message := "Clear Keras's session at the start of each iteration"
	switch {
	case policy:
		message = "Collect garbage at the start of each iteration"
	case len(f.calls) > 1:
		message += ", and collect garbage"
	}
	text, indent := "", p.Newline()+p.IndentOf(statement)
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

func (f *freeing) clearSession() bool {
	for _, way := range []struct{ module, rest string }{
		{"tensorflow", ".keras.backend.clear_session"}, {"tensorflow.keras", ".backend.clear_session"},
		{"tensorflow.keras.backend", ".clear_session"}, {"tensorflow.keras.backend.clear_session", ""},
	} {
		if name := f.Bound(way.module, f.scope, f.loop); name != "" {
			f.calls = append(f.calls, name+way.rest)
			return true
		}
	}
	return f.importing("clear_session", "clear_session", "from "+kerasPackage(f.Pass)+".backend import clear_session")
}

func (f *freeing) collectGarbage() bool {
	if name := f.Bound("gc", f.scope, f.loop); name != "" {
		f.calls = append(f.calls, name+".collect")
		return true
	}
	return f.importing("gc", "gc.collect", "import gc")
}

// importing adds a call that needs a name, which nothing has yet, and an import of it.
func (f *freeing) importing(name, call, statement string) bool {
	edit, ok := f.ImportAlso(statement)
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

// kerasPackage is the package that the file imports its Keras from.
func kerasPackage(p *rule.Pass) string {
	for module := range p.File.Names().Modules() {
		if strings.HasPrefix(module, "tensorflow.") {
			return "tensorflow.keras"
		}
	}
	return "keras"
}
