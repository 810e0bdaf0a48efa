package graph

import (
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// A retraced says for which arguments a tf.function, made of a step, would be traced again and
// again. It has one trace per Python number, and one per length of a list and shape of a tensor.
type retraced struct {
	numbers []string // parameters that are Python numbers, which differ from call to call
	lists   []string // parameters that are lists, which the program fills as it runs
	arrays  []string // parameters that are made of lists with another number of items in each call, perhaps
	lengths []string // what a Python loop of the step has the length of
	endless bool     // whether the length of one of them surely differs from call to call
}

// retracedBy returns what would retrace a step that a tape on some path records.
func retracedBy(p *rule.Pass, step *names.Function, tape *flow.Event) retraced {
	info := p.File.Names()
	if step == nil {
		return retraced{}
	}
	r := retraced{lengths: unrolled(step.Info, step.Node)}
	at := slices.IndexFunc(tape.Path, func(call syntax.Node) bool {
		return call.Kind() == syntax.Call && info.Target(call.Child(syntax.FieldFunction)).Function == step
	})
	if at < 0 {
		return r
	}
	known := p.File.Facts()
	a := argument{known, info, known.At(&flow.Event{Path: tape.Path[:at], Node: tape.Path[at]}), facts.LoopsAround(tape)}
	for _, parameter := range step.Params {
		given := rule.ArgumentFor(info, tape.Path[at], step, parameter.Name)
		if !given.Valid() {
			continue
		}
		if a.number(given) {
			r.numbers = append(r.numbers, parameter.Name)
		} else if list, differs := a.list(given); list {
			r.lists = append(r.lists, parameter.Name)
			r.endless = r.endless || differs
		} else if a.episode(given) {
			r.arrays = append(r.arrays, parameter.Name)
		}
	}
	return r
}

// advice says what to do before the step is compiled, or returns "".
func (r retraced) advice() string {
	const compile = " and compile it with @tf.function, which is traced again for each "
	switch {
	case len(r.numbers) > 0:
		return "Pass " + strings.Join(r.numbers, " and ") + " as a tensor" + compile + "Python number."
	case len(r.lists) > 0:
		return "Pass " + strings.Join(r.lists, " and ") + " as a tensor" + compile + "length of a Python list and each number in it."
	case len(r.arrays) > 0:
		return "Compile it with @tf.function(reduce_retracing=True), or pad " + strings.Join(r.arrays, " and ") +
			" to one length: if each call has another number of them, as episodes do, a plain @tf.function is traced for each."
	case len(r.lengths) > 0:
		return "Pad the batches to one length" + compile + "length of its Python loop over " + strings.Join(r.lengths, " and ") + "."
	}
	return ""
}

// An argument is one of a call that the loops repeat.
type argument struct {
	*facts.Facts
	info  *names.Info
	in    *origins.Call // the call's own code
	loops []syntax.Node
}

// number reports whether an argument surely is a Python number that differs from call to call, of
// which the loops make new ones.
func (a argument) number(n syntax.Node) bool {
	if slices.ContainsFunc(a.loops, func(loop syntax.Node) bool {
		c := a.Varies(n, a.in, loop)
		return c.Surely && (c.Values == 0 || c.Values >= warnedIterations)
	}) {
		return true
	}
	made := a.Until(n, a.in, func(p origins.Place) bool { return p.Node.Is(syntax.Attribute, syntax.Call) })
	return !slices.ContainsFunc(made, func(origin origins.Place) bool { return !a.isNew(origin) })
}

// isNew reports whether an origin is a Python number that the loops make anew.
func (a argument) isNew(origin origins.Place) bool {
	n := origin.Node
	switch {
	case n.Kind() == syntax.Attribute:
		return (&frozen{classes: map[*names.Class]changed{}}).changes(a.info, n)
	case n.Kind() != syntax.Call || !slices.ContainsFunc(a.loops, n.Within):
		return false
	case len(origin.Path) > 0:
		return len(origin.Path) == 1 && origin.Path[0] == 1 && a.StepsEnvironment(n) // the reward
	}
	switch a.info.Callee(n) {
	case "random.randint", "random.randrange":
		return true
	case "numpy.random.randint":
		return !names.Argument(n, 2, "size").Valid()
	}
	return a.info.Builtin(n) == "int" || a.info.Builtin(n) == "float"
}

// list reports whether an argument surely is a list of Python's that one of the loops makes and fills
// anew, and whether its length surely differs from call to call, because a while loop fills it. A list
// that is written down, such as that of a model's inputs, always has as many items.
func (a argument) list(n syntax.Node) (list, differs bool) {
	filled := func(b *names.Binding) bool {
		inFor, inWhile := a.filledIn(b)
		return inFor || inWhile
	}
	for _, origin := range a.Until(n, a.in, func(p origins.Place) bool {
		return p.Node.Kind() == syntax.Call || slices.ContainsFunc(a.info.ReachingDefs(p.Node), filled)
	}) {
		n := origin.Node
		bindings := a.info.ReachingDefs(n)
		if len(origin.Path) > 0 || !n.Valid() {
			return false, false
		}
		if len(bindings) > 0 {
			for _, b := range bindings {
				if !filled(b) || !slices.ContainsFunc(a.loops, b.Node.Within) {
					return false, false
				}
				_, inWhile := a.filledIn(b)
				differs = differs || inWhile
			}
		} else if !slices.ContainsFunc(a.loops, n.Within) || !a.makesList(n) {
			return false, false
		}
		list = true
	}
	return list, list && differs
}

// makesList reports whether an expression makes a list of which the code does not show the length.
func (a argument) makesList(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.ListComprehension:
		return a.Iterations(n, nil) == 0
	case syntax.Call:
		q, first := a.info.Callee(n), names.Element(n.Child(syntax.FieldArguments), 0)
		return q == "random.sample" || q == "random.choices" || names.Method(n) == "tolist" && (q == "" || strings.HasPrefix(q, "numpy.")) ||
			(a.info.Builtin(n) == "list" || a.info.Builtin(n) == "sorted") && first.Valid()
	}
	return false
}

// episode reports whether an argument is made of a list that the program fills until something ends,
// and then begins again, so that its length may differ from call to call.
func (a argument) episode(n syntax.Node) bool {
	filled := func(b *names.Binding) bool { return slices.ContainsFunc(a.loops, b.Node.Within) && a.filledUntil(b) }
	return a.AllUntil(n, a.in, func(origin origins.Place, same func(origins.Place) bool) bool {
		n := origin.Node
		of := func(n syntax.Node) bool { return same(origins.Place{Node: n, In: origin.In}) }
		switch bindings := a.info.ReachingDefs(n); {
		case len(origin.Path) > 0:
			return false
		case n.Kind() == syntax.Attribute:
			if made := a.info.DefiningExpr(n); made.Kind() == syntax.Call {
				return of(made)
			}
			return refilled(a.info, n.Child(syntax.FieldAttribute).Text())
		case n.Kind() == syntax.Identifier:
			return len(bindings) > 0 && !slices.ContainsFunc(bindings, func(b *names.Binding) bool { return !filled(b) })
		case n.Kind() == syntax.Call && keepsLength[names.Method(n)] && a.info.Callee(n) == "", names.Method(n) == "astype":
			return of(n.Child(syntax.FieldFunction).Child(syntax.FieldObject))
		case n.Kind() == syntax.Call && keepsLength[a.info.Callee(n)[strings.LastIndexByte(a.info.Callee(n), '.')+1:]]:
			return of(names.Element(n.Child(syntax.FieldArguments), 0))
		}
		return false
	}, func(p origins.Place) bool {
		return p.Node.Is(syntax.Attribute, syntax.Call) || slices.ContainsFunc(a.info.ReachingDefs(p.Node), filled)
	})
}

// keepsLength are functions and methods whose result has as many rows as their first argument, or
// grows with it.
var keepsLength = map[string]bool{
	"array": true, "asarray": true, "stack": true, "vstack": true, "hstack": true, "concatenate": true, "concat": true, "convert_to_tensor": true,
	"constant": true, "cast": true, "float32": true, "squeeze": true, "expand_dims": true, "one_hot": true, "reshape": true, "list": true,
}

// filledUntil reports whether a loop that ends by itself, a while loop or one with a break, appends to
// a list that a name is bound to before it, without items.
func (a argument) filledUntil(b *names.Binding) bool {
	inFor, inWhile := a.filledIn(b)
	return inWhile || inFor && slices.ContainsFunc(a.info.Uses(b), func(use syntax.Node) bool {
		loop := facts.LoopOf(use)
		return loop.Valid() && !b.Node.Within(loop) && contains(loop, syntax.BreakStatement)
	})
}

func contains(n syntax.Node, kind syntax.Kind) bool {
	found := false
	n.Walk(func(c syntax.Node) bool {
		found = found || c.Kind() == kind
		return !found && !c.Is(definitions...)
	})
	return found
}

// refilled reports whether the program appends to an attribute of some object, and empties it again
// elsewhere than in a constructor that nothing else calls.
func refilled(info *names.Info, attribute string) bool {
	fills, empties := false, false
	for _, module := range info.Program() {
		for _, n := range module.Identifiers(attribute) {
			target := n.Parent()
			if n.Field() != syntax.FieldAttribute || target.Kind() != syntax.Attribute {
				continue
			}
			fn := module.ScopeOf(n).Function()
			switch method := target.Parent().Child(syntax.FieldAttribute).Text(); {
			case target.Field() == syntax.FieldObject && method == "append":
				fills = true
			case target.Field() == syntax.FieldObject && method == "clear":
				empties = true
			case fn != nil && fn.Name != "__init__" && (facts.IsTarget(target) || target.Parent().Is(syntax.PatternList, syntax.TuplePattern)):
				empties = empties || target.Ancestor(syntax.Assignment).Child(syntax.FieldRight).Is(syntax.List, syntax.ExpressionList, syntax.Tuple)
			}
		}
	}
	return fills && empties
}

// empty reports whether an expression makes a list without items.
func empty(info *names.Info, n syntax.Node) bool {
	return n.Kind() == syntax.List && !names.Element(n, 0).Valid() ||
		info.Builtin(n) == "list" && !names.Element(n.Child(syntax.FieldArguments), 0).Valid()
}

// filledIn reports whether for loops, or while loops, append to a list that a name is bound to before
// the loop, without items. Variables of a model do not count: a list of them is always the same.
func (a argument) filledIn(b *names.Binding) (inFor, inWhile bool) {
	made := b.Value
	if b.Kind == names.UnpackBinding && len(b.Path) == 1 {
		made = names.Element(made, b.Path[0])
	}
	if b.Kind != names.AssignBinding && b.Kind != names.UnpackBinding || !empty(a.info, made) {
		return false, false
	}
	for _, use := range a.info.Uses(b) {
		call, loop := use.Parent().Parent(), facts.LoopOf(use)
		if method := names.Method(call); method != "append" && method != "extend" || use.Field() != syntax.FieldObject || !loop.Valid() || b.Node.Within(loop) {
			continue
		}
		item := names.Element(call.Child(syntax.FieldArguments), 0)
		if strings.Contains(item.Child(syntax.FieldAttribute).Text(), "variables") || a.info.InstanceOf(item, "tensorflow.Variable") {
			return false, false
		}
		inFor, inWhile = inFor || loop.Kind() == syntax.ForStatement, inWhile || loop.Kind() == syntax.WhileStatement
	}
	return inFor, inWhile
}

// unrolled returns what code, and the functions of the program that it calls, take the length of to
// loop over it in Python. A tf.function repeats the body of such a loop, and has a trace for each
// length.
func unrolled(info *names.Info, code syntax.Node) (found []string) {
	for n, in := range obstacles.Nodes(info, code) {
		if n.Kind() == syntax.ForStatement {
			if of := lengthOf(in.Info, n.Child(syntax.FieldRight)); of != "" && !slices.Contains(found, of) {
				found = append(found, of)
			}
		}
	}
	return found
}

// lengthOf returns the parameter of a function whose length, or size along an axis, a range counts
// to, or "".
func lengthOf(info *names.Info, counts syntax.Node) string {
	if info.Builtin(counts) != "range" {
		return ""
	}
	of := ""
	for end := range counts.Child(syntax.FieldArguments).Children() {
		end.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Identifier {
				n = info.DefiningExpr(n)
			}
			sized := syntax.Node{}
			switch {
			case info.Builtin(n) == "len":
				sized = names.Argument(n, 0, "obj")
			case n.Kind() == syntax.Subscript && n.Child(syntax.FieldValue).Child(syntax.FieldAttribute).Text() == "shape":
				sized = n.Child(syntax.FieldValue).Child(syntax.FieldObject)
			}
			if sized.Kind() == syntax.Identifier && slices.ContainsFunc(info.ReachingDefs(sized), func(b *names.Binding) bool {
				return b.Kind == names.ParameterBinding && !b.IsInstance()
			}) {
				of = sized.Text()
			}
			return of == ""
		})
	}
	return of
}
