package graph

import (
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// A run is a call of a session's run method, or of the eval method of an operation's result, which
// runs the default session.
type run struct {
	call syntax.Node
	// opened is where the session is opened, or none if that is unknown.
	opened syntax.Node
	maker  string // the qualified name that opened it, or empty
	// gradients is the call of K.gradients that adds what a function of K.function runs, or none.
	gradients syntax.Node
}

// fetched returns what a call runs, or none.
func (r *run) fetched() syntax.Node {
	if function := r.call.Child(syntax.FieldFunction); evaluates(r.call) {
		return function.Child(syntax.FieldObject)
	}
	return names.Argument(r.call, 0, "fetches")
}

// evaluates reports whether a call runs what it is a method of.
func evaluates(call syntax.Node) bool { return names.Method(call) == "eval" }

// sessionRuns returns the calls of a module of run on what is, or may be, a session.
func sessionRuns(p *rule.Pass, info *names.Info) []run {
	graphs := p.File.Releases().MayRunInGraph().Found()
	var out []run
	for _, call := range info.Calls {
		function := call.Child(syntax.FieldFunction)
		if made := info.DefiningExpr(function); function.Kind() == syntax.Identifier && info.Callee(made) == kerasFunction {
			if !graphs {
				continue
			}
			out = append(out, run{call: call, opened: made, maker: kerasFunction})
			continue
		}
		object := function.Child(syntax.FieldObject)
		if evaluates(call) {
			if object.Kind() == syntax.Identifier && info.Callee(call) == "" {
				out = append(out, run{call: call})
			}
			continue
		}
		if function.Kind() != syntax.Attribute || function.Child(syntax.FieldAttribute).Text() != "run" {
			continue
		}
		r := run{call: call}
		if bindings := info.ReachingDefs(object); object.Kind() == syntax.Identifier && len(bindings) == 1 && bindings[0].Value.Kind() == syntax.Call {
			r.opened, r.maker = bindings[0].Value, info.Callee(bindings[0].Value)
		}
		e := effects.Lookup(r.maker)
		if class := info.TypeOf(object).Class; e == nil || !e.Effects.Has(effects.OpensSession) || !strings.HasSuffix(r.maker, "Session") {
			r.opened = syntax.Node{}
			if r.maker = class; class != "" && !strings.HasSuffix(class, "Session") || info.TypeOf(object).Local != nil || info.Target(function).Function != nil {
				continue
			}
		}
		out = append(out, r)
	}
	return out
}

// kerasFunction makes a function that runs operations in the one session of Keras, and kerasGradients
// adds those of a gradient. It raises outside of a graph, so the graph is Keras's own: the one that
// the model was built in.
const (
	kerasFunction  = "tensorflow.keras.backend.function"
	kerasGradients = "tensorflow.keras.backend.gradients"
)

// keptByKeras returns the call by which each iteration of a loop, or each call of a function, runs the
// gradients that it adds, with a function that K.function makes for it, or nil.
func keptByKeras(info *names.Info, runs []run, gradients, within syntax.Node) *run {
	if info.Callee(gradients) != kerasGradients {
		return nil
	}
	for _, r := range runs {
		if r.maker == kerasFunction && r.call.Within(within) && r.opened.Within(within) && info.ScopeOf(r.call) == info.ScopeOf(gradients) {
			r.gradients = gradients
			return &r
		}
	}
	return nil
}

// ofLoop reports whether an expression of a loop, or of the function that a call in it runs, is made
// with what the loop goes through, such as the number of a filter: each iteration then needs
// gradients of its own. A class that the model predicts does not count: a placeholder could take it.
func ofLoop(info *names.Info, n, loop, call syntax.Node) bool {
	known, in := facts.Of(info), (*origins.Call)(nil)
	if fn := info.ScopeOf(n).Function(); fn != nil && call.Valid() {
		in = known.Enter(fn, call, nil)
	}
	return known.AnyUntil(origins.Place{Node: n, In: in}, func(origin origins.Place, same func(origins.Place) bool) bool {
		n := origin.Node
		if !n.Valid() || n.Kind() == syntax.Call && (strings.HasPrefix(info.Callee(n), "numpy.") || names.Method(n) == "predict") {
			return false
		}
		if n.Kind() == syntax.Identifier {
			return info.Used(n) && slices.ContainsFunc(info.ReachingDefs(n), func(b *names.Binding) bool { return b.Kind == names.ForBinding && b.Node.Within(loop) })
		}
		for part := range n.Children() {
			if same(origins.Place{Node: part, In: origin.In}) {
				return true
			}
		}
		return false
	}, func(p origins.Place) bool { return p.Node.Is(syntax.Call, syntax.Attribute, syntax.Subscript) })
}

// runBy returns the call, in the loop around an operation, that runs a session whose graph the
// operation is surely added to, or nil.
func runBy(info *names.Info, runs []run, operation, loop syntax.Node) *run {
	for i := range runs {
		r := &runs[i]
		if !r.call.Within(loop) || r.opened.Valid() && r.opened.Within(loop) {
			continue
		}
		// What is fetched is in the graph, whichever session it is.
		if fetched := r.fetched(); fetched.Valid() && (r.maker != "" && operation.Within(fetched) || direct(info, operation, fetched)) {
			return r
		}
		if r.maker != "" && graphMode(r, operation) {
			return r
		}
	}
	return nil
}

// savedBy returns the call, in the loop around a new tf.train.Saver, by which the saver runs its
// operations in a session that was opened before the loop, or nil. They are in that session's graph,
// or the call would raise.
func savedBy(info *names.Info, saver, loop syntax.Node, later setLaters) *run {
	if call := saves(info, saver); call.Valid() && call.Within(loop) && openBefore(info, names.Argument(call, 0, "sess"), loop, later) {
		return &run{call: call}
	}
	return nil
}

// saves returns a call by which a new tf.train.Saver that is bound to a name saves or restores a
// session, or none.
func saves(info *names.Info, saver syntax.Node) syntax.Node {
	if !strings.HasPrefix(info.Callee(saver), "tensorflow.") || !strings.HasSuffix(info.Callee(saver), ".train.Saver") {
		return syntax.Node{}
	}
	if function := saver.Parent(); savesBy(function) { // tf.train.Saver().save(sess, path)
		return function.Parent()
	}
	assignment := saver.Parent()
	target := assignment.Child(syntax.FieldLeft)
	if assignment.Kind() != syntax.Assignment || target.Kind() != syntax.Identifier {
		return syntax.Node{}
	}
	b := info.BindingAt(target)
	if b == nil {
		return syntax.Node{}
	}
	for _, use := range info.Uses(b) {
		if function := use.Parent(); savesBy(function) && len(info.ReachingDefs(use)) == 1 {
			return function.Parent()
		}
	}
	return syntax.Node{}
}

// savesBy reports whether an attribute that is called is the save or restore of a saver.
func savesBy(function syntax.Node) bool {
	method := function.Child(syntax.FieldAttribute).Text()
	return function.Kind() == syntax.Attribute && function.Field() == syntax.FieldFunction && (method == "save" || method == "restore")
}

// openBefore reports whether a session is surely the same in all iterations of a loop: a name that
// is bound before it, or an attribute, of such a name, that only constructors set.
func openBefore(info *names.Info, session, loop syntax.Node, later setLaters) bool {
	root := session
	if session.Kind() == syntax.Attribute {
		root = session.Child(syntax.FieldObject)
	}
	bindings := info.ReachingDefs(root)
	if root.Kind() != syntax.Identifier || len(bindings) == 0 || slices.ContainsFunc(bindings, func(b *names.Binding) bool { return b.Node.Within(loop) }) {
		return false
	}
	if root == session {
		return true
	}
	return !later.set(info, session)
}

// setLaters remembers what setLater said, by the name of the attribute: it walks the program.
type setLaters map[string]bool

func (l setLaters) set(info *names.Info, attribute syntax.Node) bool {
	name := attribute.Child(syntax.FieldAttribute).Text()
	if _, known := l[name]; !known {
		l[name] = setLater(info, name)
	}
	return l[name]
}

// setLater reports whether a method of the program other than a constructor sets an attribute of a
// name.
func setLater(info *names.Info, attribute string) bool {
	for _, module := range info.Program() {
		for s := range module.Tree.Statements() {
			later := false
			s.Walk(func(n syntax.Node) bool {
				if n.Kind() == syntax.Attribute && n.Child(syntax.FieldAttribute).Text() == attribute && sets(n) {
					fn := module.ScopeOf(n).Function()
					later = later || fn == nil || fn.Name != "__init__"
				}
				return !later
			})
			if later {
				return true
			}
		}
	}
	return false
}

// sets reports whether an attribute is the target of an assignment or a with statement.
func sets(attribute syntax.Node) bool {
	for n := attribute; n.Parent().Valid(); n = n.Parent() {
		switch n.Parent().Kind() {
		case syntax.Tuple, syntax.List, syntax.TuplePattern, syntax.ListPattern, syntax.PatternList, syntax.ParenthesizedExpression:
		case syntax.AsPatternTarget:
			return true
		case syntax.Assignment, syntax.ForStatement:
			return n.Field() == syntax.FieldLeft
		default:
			return false
		}
	}
	return false
}

// direct reports whether an operation is itself fetched: alone, as an item of a list, or through
// the name that it is bound to.
func direct(info *names.Info, operation, fetched syntax.Node) bool {
	defer info.Enter(operation).Leave()
	switch fetched.Kind() {
	case syntax.List, syntax.Tuple:
		return operation.Parent() == fetched || slices.ContainsFunc(slices.Collect(fetched.Children()), func(item syntax.Node) bool {
			return item.Kind() == syntax.Identifier && direct(info, operation, item)
		})
	case syntax.Identifier:
		given := false
		for _, b := range info.ReachingDefs(fetched) {
			e := effects.Lookup(info.Callee(b.Value))
			if b.Kind != names.AssignBinding || e == nil || !e.Effects.Has(effects.AddsOperation) {
				return false
			}
			given = given || b.Value == operation
		}
		return given
	}
	return operation == fetched
}

// graphMode reports whether code surely builds a graph rather than running eagerly. The session has
// a name that only TensorFlow 1 knows, or it is entered around the code.
func graphMode(r *run, n syntax.Node) bool {
	return strings.HasPrefix(r.maker, "tensorflow.") && !strings.HasPrefix(r.maker, "tensorflow.compat.") ||
		r.opened.Valid() && r.opened.Ancestor(syntax.WithClause, syntax.Block).Kind() == syntax.WithClause && n.Within(r.opened.Ancestor(syntax.WithStatement))
}
