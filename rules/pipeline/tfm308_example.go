package pipeline

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// An example is what a call in a loop predicts.
type example struct {
	info  *names.Info
	event *flow.Event
	loop  syntax.Node
	// again is set if loop is a function that a library calls again and again.
	again bool
	// leaves are the identifiers in it, and the attributes.
	leaves []syntax.Node
	// broadcast is set if the right operand of an operator may make one example into several.
	broadcast bool
	// batches is set if what the loop iterates over is batches, and elements if nothing else counts as
	// drawn.
	batches, elements bool
	// taken is set if what is taken from batches counts as drawn.
	taken *batchSource
	// inside are the calls of the program's functions whose results are being followed.
	inside []syntax.Node
	// holds is what was found of bindings. Those that are being followed hold.
	holds map[*names.Binding]bool
}

// isOne reports whether the prediction is surely of one example. It is made on a batch of one, or
// on a state of an environment, current or remembered, and what is read of it is the result for
// one example.
func (c *example) isOne(argument syntax.Node) bool {
	if c.single(argument, 0) {
		return true
	}
	c.leaves, c.holds, c.broadcast = nil, nil, true
	if c.single(argument, 0) && c.readsOne(c.event.Node, slices.Clone(c.event.Path), true) {
		return true
	}
	c.leaves, c.holds = nil, nil
	known, best := c.remembered(argument), false
	if c.steps() {
		known, best = known || argument.Kind() == syntax.Identifier, c.observed(argument, 0)
	}
	if !known && !best || !c.readsOne(c.event.Node, slices.Clone(c.event.Path), best) {
		return false
	}
	c.note(argument)
	return true
}

// changesInLoop reports whether the prediction is surely of one example that changes in each
// iteration of its loop, or of one around it: the same is then predicted several times.
func (c *example) changesInLoop() bool {
	defer func(loop syntax.Node) { c.loop = loop }(c.loop)
	loops := []syntax.Node{c.loop}
	if !c.again {
		loops = facts.LoopsAround(c.event)
	}
	for _, loop := range loops {
		if c.loop = loop; !c.again && !c.event.Loop.Within(loop) {
			break
		}
		if c.leaves, c.holds, c.broadcast = nil, nil, false; c.isOne(names.Argument(c.event.Node, 0, "x")) && c.changes(c.event) {
			return true
		}
	}
	return false
}

// steps reports whether each iteration takes a step in an environment with the action that one
// prediction gives.
func (c *example) steps() bool {
	found := false
	c.loop.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Assignment && n.Child(syntax.FieldRight).Kind() == syntax.Call {
			function := n.Child(syntax.FieldRight).Child(syntax.FieldFunction)
			targets := n.Child(syntax.FieldLeft)
			found = found || function.Child(syntax.FieldAttribute).Text() == "step" && targets.Is(syntax.PatternList, syntax.TuplePattern) && len(slices.Collect(targets.Children())) >= 4
		}
		return !found
	})
	return found
}

// remembered reports whether an expression stands for part of what the loop takes from a random
// sample of a replay memory.
func (c *example) remembered(n syntax.Node) bool {
	for range 8 { // state = sample[0]
		switch n.Kind() {
		case syntax.Subscript:
			if c.sampled(n.Child(syntax.FieldValue)) && c.bound(n.Child(syntax.FieldSubscript)) || c.chosen(n.Child(syntax.FieldSubscript)) {
				return true
			}
			n = n.Child(syntax.FieldValue)
			continue
		case syntax.Identifier:
		default:
			return false
		}
		bindings := c.info.ReachingDefs(n)
		if len(bindings) != 1 {
			return false
		}
		b := bindings[0]
		switch {
		case b.Node.Within(c.loop.Child(syntax.FieldLeft)):
			return c.sampled(c.loop.Child(syntax.FieldRight))
		case b.Kind != names.AssignBinding && b.Kind != names.UnpackBinding:
			return false
		}
		n = b.Value
	}
	return false
}

// chosen reports whether an index is one of those that the loop goes through, which are drawn at
// random.
func (c *example) chosen(index syntax.Node) bool {
	b := c.info.ReachingDefs(index)
	return index.Kind() == syntax.Identifier && len(b) == 1 && b[0].Node == c.loop.Child(syntax.FieldLeft) && c.drawn(c.loop.Child(syntax.FieldRight), 0)
}

// sampled reports whether an expression is a random sample of a list.
func (c *example) sampled(n syntax.Node) bool {
	for range 4 {
		if n = c.info.DefiningExpr(n); n.Kind() != syntax.Call {
			return false
		}
		if c.info.Callee(n) == "random.sample" {
			return true
		}
		if function := n.Child(syntax.FieldFunction); function.Text() == "enumerate" {
			n = names.Element(n.Child(syntax.FieldArguments), 0)
		} else if f := c.info.Target(function).Function; f != nil && len(f.Returns) == 1 {
			n = f.Returns[0]
		} else {
			return false
		}
	}
	return false
}

// observed reports whether an expression is the state that an environment returns, perhaps with
// another form.
func (c *example) observed(n syntax.Node, depth int) bool {
	defer c.info.Enter(n).Leave()
	if depth > 16 {
		return false
	}
	depth++
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return c.observed(n.FirstChild(), depth)
	case syntax.Identifier:
		return c.every(n, func(b *names.Binding) bool {
			if b.Kind == names.UnpackBinding {
				function := b.Value.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text()
				return len(b.Path) == 1 && b.Path[0] == 0 && (function == "step" || function == "reset")
			}
			return c.observed(c.given(b), depth)
		})
	case syntax.BinaryOperator:
		return c.observed(n.Child(syntax.FieldLeft), depth) && c.scalar(n.Child(syntax.FieldRight), depth)
	case syntax.Call:
		function := n.Child(syntax.FieldFunction)
		argument := names.Element(n.Child(syntax.FieldArguments), 0)
		switch c.info.Callee(n) {
		case "numpy.array", "numpy.asarray", "numpy.atleast_2d", "numpy.reshape", "numpy.expand_dims", "numpy.float32", "tensorflow.constant", "tensorflow.convert_to_tensor", "tensorflow.cast", "tensorflow.expand_dims", "tensorflow.reshape":
			return c.observed(argument, depth)
		}
		if function.Child(syntax.FieldAttribute).Text() == "reset" {
			return true
		}
		if f := c.info.Target(function).Function; f != nil && !f.Yields && len(f.Returns) > 0 && len(f.Returns) <= 4 && len(c.inside) < 4 {
			c.inside = append(c.inside, n)
			defer func() { c.inside = c.inside[:len(c.inside)-1] }()
			return !slices.ContainsFunc(f.Returns, func(r syntax.Node) bool { return !c.observed(r, depth) })
		}
		switch function.Child(syntax.FieldAttribute).Text() {
		case "reshape", "astype", "copy":
			return c.observed(function.Child(syntax.FieldObject), depth)
		}
		return keepsExamples(function) && c.observed(argument, depth)
	}
	return false
}

// every reports whether something holds for all bindings that a name may have, at least one. For one
// that is being followed already, such as that of x = x / 2 in a loop, the others decide.
func (c *example) every(n syntax.Node, holds func(*names.Binding) bool) bool {
	bindings := c.bindings(n)
	if len(bindings) > 8 {
		return false
	}
	for _, b := range bindings {
		known, followed := c.holds[b]
		if !followed {
			if c.holds == nil {
				c.holds = map[*names.Binding]bool{}
			}
			c.holds[b] = true
			known = holds(b)
			c.holds[b] = known
		}
		if !known {
			return false
		}
	}
	return len(bindings) > 0
}

// bindings returns those that a name or an attribute may have. An attribute that is None holds no
// example. A name of an enclosing function has the bindings that reach the call of the inner one.
func (c *example) bindings(n syntax.Node) []*names.Binding {
	if n.Kind() != syntax.Attribute {
		scope := c.info.Lookup(n)
		if scope != nil && scope.Function() != c.info.ScopeOf(n).Function() {
			for _, call := range c.event.Path {
				if call.Kind() == syntax.Call && c.info.ScopeOf(call) == scope {
					return c.info.ReachingBefore(scope, n.Text(), call)
				}
			}
		}
		return c.info.ReachingDefs(n)
	}
	class := c.info.TypeOf(n.Child(syntax.FieldObject)).Local
	if class == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.info.Attribute(class, n.Child(syntax.FieldAttribute).Text())), func(b *names.Binding) bool {
		return b.Value.Kind() == syntax.NoneLiteral
	})
}

// given returns the expression that a binding gives its name where the prediction happens, or none.
func (c *example) given(b *names.Binding) syntax.Node {
	switch b.Kind {
	case names.AssignBinding:
		return b.Value
	case names.ParameterBinding:
		for _, call := range slices.Backward(c.inside) {
			if f := c.info.Target(call.Child(syntax.FieldFunction)).Function; f != nil && f == b.Scope.Func {
				return f.Passed(call, b.Name)
			}
		}
		return c.event.Passed(c.info, b)
	}
	return syntax.Node{}
}

// readsOne reports whether only the first item of a call's result is read or, with best, the result
// as a single vector. It may be used directly, through a name or, if it is returned, through the
// previous call on the path. A model may also be fitted to a name.
func (c *example) readsOne(call syntax.Node, path []syntax.Node, best bool) bool {
	defer c.info.Enter(call).Leave()
	parent := call.Parent()
	switch {
	case first(call), best && c.flat(call):
		return true
	case parent.Kind() == syntax.ReturnStatement:
		return len(path) > 0 && c.readsOne(path[len(path)-1], path[:len(path)-1], best)
	case parent.Kind() != syntax.Assignment || parent.Child(syntax.FieldLeft).Kind() != syntax.Identifier:
		return false
	}
	b := c.info.BindingAt(parent.Child(syntax.FieldLeft))
	if b == nil {
		return false
	}
	read := false
	for _, use := range c.info.Uses(b) {
		switch parent := use.Parent(); {
		case first(use), best && c.flat(use):
			read = true
		case parent.Kind() == syntax.ReturnStatement && len(path) > 0 && c.readsOne(path[len(path)-1], path[:len(path)-1], best):
			read = true
		case parent.Kind() == syntax.ArgumentList && rule.Method(parent.Parent()) == "fit":
		default:
			return false
		}
	}
	return read
}

// flat reports whether a result is read as if it had no axis of examples.
func (c *example) flat(n syntax.Node) bool {
	parent := n.Parent()
	if parent.Kind() == syntax.Attribute && n.Field() == syntax.FieldObject && parent.Field() == syntax.FieldFunction {
		switch parent.Child(syntax.FieldAttribute).Text() {
		case "flatten", "ravel", "squeeze", "argmax", "item":
			return !parent.Parent().Child(syntax.FieldArguments).FirstChild().Valid()
		}
		return false
	}
	if parent.Kind() != syntax.ArgumentList || parent.FirstChild() != n || n.Next().Valid() {
		return false
	}
	switch c.info.Callee(parent.Parent()) {
	case "numpy.argmax", "numpy.squeeze", "numpy.ravel":
		return true
	}
	return false
}

func (c *example) note(n syntax.Node) {
	if n.Valid() {
		n.Walk(func(m syntax.Node) bool {
			if m.Kind() == syntax.Attribute || m.Kind() == syntax.Identifier && m.Field() != syntax.FieldAttribute {
				c.leaves = append(c.leaves, m)
			}
			return true
		})
	}
}

// reassigned reports whether the loop gives an attribute another value, itself or in a function that
// it runs.
func (c *example) reassigned(n syntax.Node) bool {
	if n.Kind() != syntax.Attribute {
		return false
	}
	return slices.ContainsFunc(c.bindings(n), func(b *names.Binding) bool {
		f := c.info.ScopeOf(b.Node).Function()
		return b.Node.Within(c.loop) || f != nil && f.Name != "__init__" && c.runs(f)
	})
}

// handed reports whether a name is a parameter that the calls on the path give an attribute to which the
// loop gives another value each time.
func (c *example) handed(n syntax.Node, depth int) bool {
	defer c.info.Enter(n).Leave()
	if n.Kind() != syntax.Identifier || depth > 4 {
		return false
	}
	return slices.ContainsFunc(c.info.ReachingDefs(n), func(b *names.Binding) bool {
		if b.Kind != names.ParameterBinding {
			return false
		}
		given, found := c.event.Passed(c.info, b), false
		if !given.Valid() {
			return false
		}
		given.Walk(func(m syntax.Node) bool {
			found = found || c.reassigned(m) || m.Field() != syntax.FieldAttribute && c.handed(m, depth+1)
			return !found
		})
		return found
	})
}

// runs reports whether the loop calls a function of the program, itself or in one that it calls.
func (c *example) runs(f *names.Function) bool {
	code, seen := []syntax.Node{c.loop}, map[*names.Function]bool{}
	for i := 0; i < len(code) && i < mostRun && !seen[f]; i++ {
		code[i].Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Call {
				if called := c.info.Target(n.Child(syntax.FieldFunction)).Function; called != nil && !seen[called] {
					seen[called] = true
					code = append(code, called.Node)
				}
			}
			return true
		})
	}
	return seen[f]
}

// mostRun bounds the functions that are looked at for one loop.
const mostRun = 64

// changes reports whether each iteration predicts another example with the same model.
func (c *example) changes(e *flow.Event) bool {
	model := e.Node.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	if c.reassigned(model) {
		return false
	}
	if slices.ContainsFunc(c.leaves, func(n syntax.Node) bool { return c.reassigned(n) || c.handed(n, 0) }) {
		return !c.bound(model)
	}
	if !e.Node.Within(c.loop) {
		// The loop is around a call of the function, so its parameters change.
		if slices.ContainsFunc(c.leaves, c.bound) {
			return true
		}
		at := slices.IndexFunc(e.Path, func(call syntax.Node) bool { return call.Within(c.loop) })
		if at < 0 || !c.bound(e.Path[at].Child(syntax.FieldArguments)) {
			return false
		}
		return slices.ContainsFunc(c.leaves, func(n syntax.Node) bool {
			return slices.ContainsFunc(c.info.ReachingDefs(n), func(b *names.Binding) bool {
				return b.Kind == names.ParameterBinding && b.Name != "self" || b.Kind != names.ParameterBinding && c.info.ScopeOf(n).Function() == b.Scope.Function() && b.Scope.Function() != nil
			})
		})
	}
	return !c.bound(model) && slices.ContainsFunc(c.leaves, func(n syntax.Node) bool { return c.bound(n) || c.grows(n) })
}

// grows reports whether the loop changes the list that a name stands for.
func (c *example) grows(n syntax.Node) bool {
	found := c.assignsItem(n.Text())
	c.loop.Walk(func(call syntax.Node) bool {
		if function := call.Child(syntax.FieldFunction); call.Kind() == syntax.Call {
			switch function.Child(syntax.FieldAttribute).Text() {
			case "append", "extend", "insert", "pop":
				found = found || function.Child(syntax.FieldObject).Text() == n.Text()
			}
		}
		return !found
	})
	return found
}

// assignsItem reports whether the loop assigns an item of what a name stands for.
func (c *example) assignsItem(name string) bool {
	found := false
	c.loop.Walk(func(m syntax.Node) bool {
		if left := m.Child(syntax.FieldLeft); m.Is(syntax.Assignment, syntax.AugmentedAssignment) && left.Kind() == syntax.Subscript {
			found = found || left.Child(syntax.FieldValue).Text() == name
		}
		return !found
	})
	return found
}

// bound reports whether an expression reads a name that the loop binds, or the request that is
// answered.
func (c *example) bound(n syntax.Node) bool {
	found := false
	n.Walk(func(m syntax.Node) bool {
		if m.Kind() == syntax.Identifier && m.Field() != syntax.FieldAttribute {
			found = found || c.again && c.info.Qualified(m) == "flask.request" || slices.ContainsFunc(c.info.ReachingDefs(m), func(b *names.Binding) bool { return b.Node.Within(c.loop) })
		}
		return !found
	})
	return found
}
