package graph

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// A scalar is a Python number that has a different value in every loop iteration.
type scalar struct {
	loop       syntax.Node
	iterations int // how many values it takes, or 0 if that is unknown
}

// A follower determines which expressions on the path to a call change from one call to the next.
type follower struct {
	info  *names.Info
	path  []syntax.Node // the calls on the path, as in an event
	steps int           // how many names it followed so far
}

// changing returns the scalar that an expression surely is when the call at the end of the path is
// made. A parameter is what the calls on the path pass for it.
func (f follower) changing(n syntax.Node) (s scalar, ok bool) {
	defer f.info.Enter(n).Leave()
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return f.changing(n.FirstChild())
	case syntax.UnaryOperator:
		return f.changing(n.Child(syntax.FieldArgument))
	case syntax.BinaryOperator:
		left, right := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
		switch n.Child(syntax.FieldOperator).Text() {
		case "+", "-", "*", "/":
			if f.isConstant(right) {
				return f.changing(left)
			}
			if f.isConstant(left) {
				return f.changing(right)
			}
		case "**":
			if f.isConstant(right) {
				return f.changing(left)
			}
			if f.isConstant(left) && !isOne(f.info.DefiningExpr(left)) {
				return f.changing(right)
			}
		}
	case syntax.Call:
		if fn := f.info.Target(n.Child(syntax.FieldFunction)).Function; fn != nil {
			return f.returned(fn, n)
		}
		if rule.Builtin(f.info, n, "float") {
			return f.changing(names.Argument(n, 0, "x"))
		}
		if bounded := f.bounded(n); bounded.Kind() == syntax.BinaryOperator { // min(i, 3) has few values
			s, ok = f.changing(bounded)
			s.iterations = 0 // from the bound on it stays the same
			return s, ok
		}
		if loop := loopOf(n); loop.Valid() && f.draws(n) {
			return scalar{loop, facts.Of(f.info).Iterations(loop, nil)}, true
		}
	case syntax.Identifier:
		return f.changingName(n)
	case syntax.Attribute:
		if t := f.info.TypeOf(n.Child(syntax.FieldObject)); t.Local != nil {
			return f.counter(n, f.info.Attribute(t.Local, n.Child(syntax.FieldAttribute).Text()))
		}
	}
	return scalar{}, false
}

// bounded returns the argument that max or min bounds by a number, or none.
func (f follower) bounded(call syntax.Node) syntax.Node {
	first, second := names.Element(call.Child(syntax.FieldArguments), 0), names.Element(call.Child(syntax.FieldArguments), 1)
	switch {
	case !rule.Builtin(f.info, call, "max") && !rule.Builtin(f.info, call, "min"), names.Element(call.Child(syntax.FieldArguments), 2).Valid():
		return syntax.Node{}
	case f.isConstant(first):
		return second
	case f.isConstant(second):
		return first
	}
	return syntax.Node{}
}

// returned returns the scalar that a function of the program surely returns to a call.
func (f follower) returned(fn *names.Function, call syntax.Node) (scalar, bool) {
	if fn.Class != nil || fn.Yields || len(fn.Decorators) > 0 || len(fn.Returns) != 1 || len(f.path) >= maxSteps || f.steps > maxSteps || names.HasSplat(call) {
		return scalar{}, false
	}
	return follower{f.info, append(slices.Clone(f.path), call), f.steps + 1}.changing(fn.Returns[0])
}

// isOne reports whether a node is the number one, whose powers are all the same.
func isOne(n syntax.Node) bool {
	v, err := strconv.ParseFloat(n.Text(), 64)
	return err == nil && v == 1
}

// isNumber reports whether a node is a number other than zero. Adding, subtracting, multiplying or
// dividing by it maps different values to different ones.
func isNumber(n syntax.Node) bool {
	if !n.Is(syntax.Integer, syntax.Float) {
		return false
	}
	v, err := strconv.ParseFloat(n.Text(), 64)
	return err == nil && v != 0
}

// isConstant reports whether a node is a number other than zero, or a name that is bound to one,
// once.
func (f follower) isConstant(n syntax.Node) bool {
	if n.Kind() == syntax.Identifier {
		if b := f.info.ReachingDefs(n); len(b) == 1 && b[0].Kind == names.AssignBinding && len(b[0].Scope.Bindings(b[0].Name)) == 1 {
			n = b[0].Value
		}
	}
	return isNumber(n)
}

// draws reports whether a call draws a random Python number. NumPy's functions return one unless
// they are asked for an array (numpy/random/mtrand.pyx).
func (f follower) draws(call syntax.Node) bool {
	if names.HasSplat(call) {
		return false
	}
	switch f.info.Callee(call) {
	case "random.random", "random.uniform", "random.gauss", "random.normalvariate", "random.betavariate":
		return true
	case "numpy.random.rand", "numpy.random.randn", "numpy.random.random", "numpy.random.random_sample":
		return !call.Child(syntax.FieldArguments).FirstChild().Valid()
	case "numpy.random.uniform", "numpy.random.normal":
		return !names.Argument(call, 2, "size").Valid()
	}
	return false
}

func (f follower) changingName(n syntax.Node) (scalar, bool) {
	bindings := f.info.ReachingDefs(n)
	for _, b := range bindings {
		if b.Kind == names.AugmentedBinding || len(bindings) > 1 && f.ofItself(b) {
			return f.counter(n, b.Scope.Bindings(b.Name))
		}
	}
	if len(bindings) != 1 || f.steps > maxSteps {
		return scalar{}, false
	}
	switch b := bindings[0]; b.Kind {
	case names.ForBinding:
		loop := b.Node.Ancestor(loops...)
		if !loop.Valid() || !n.Within(loop) || f.info.ScopeOf(n).Function() != f.info.ScopeOf(loop).Function() {
			return scalar{}, false
		}
		if iterations, ok := f.counts(b); ok {
			return scalar{loop, iterations}, true
		}
	case names.AssignBinding:
		if f.info.ScopeOf(n).Function() == b.Scope.Function() {
			f.steps++ // rate = rate * 0.9 may be all that binds rate
			return f.changing(b.Value)
		}
	case names.ParameterBinding:
		fn := b.Scope.Func
		for i := len(f.path) - 1; i >= 0 && fn != nil && len(b.Scope.Bindings(b.Name)) == 1; i-- {
			if argument := rule.ArgumentFor(f.info, f.path[i], fn, b.Name); argument.Valid() {
				return follower{f.info, f.path[:i], f.steps + 1}.changing(argument)
			}
		}
	}
	return scalar{}, false
}

// ofItself reports whether a binding gives a name its own value plus, minus, times or divided by a
// number: rate = rate * 0.99, or the minimum or maximum of that and another number.
func (f follower) ofItself(b *names.Binding) bool {
	value := b.Value
	if bounded := f.bounded(value); bounded.Valid() {
		value = bounded
	}
	left, right := value.Child(syntax.FieldLeft), value.Child(syntax.FieldRight)
	return b.Kind == names.AssignBinding && value.Kind() == syntax.BinaryOperator && left.Is(syntax.Identifier, syntax.Attribute) && left.Text() == target(b).Text() &&
		f.changes(value.Child(syntax.FieldOperator).Text(), right)
}

// target returns what an assignment binds: a name, or an attribute of self.
func target(b *names.Binding) syntax.Node {
	if b.Node.Field() == syntax.FieldAttribute {
		return b.Node.Parent()
	}
	return b.Node
}

// changes reports whether an operator and a number change the other operand.
func (f follower) changes(operator string, number syntax.Node) bool {
	switch strings.TrimSuffix(operator, "=") {
	case "+", "-":
		return f.isConstant(number)
	case "*", "/":
		v, err := strconv.ParseFloat(number.Text(), 64)
		return f.isConstant(number) && !(err == nil && v == 1)
	}
	return false
}

// counter reports whether a name or an attribute that is increased or multiplied in every iteration of
// the loop around a node is otherwise set to numbers only, and only outside the loop.
func (f follower) counter(n syntax.Node, bindings []*names.Binding) (scalar, bool) {
	loop := loopOf(n)
	if !loop.Valid() {
		return scalar{}, false
	}
	counts := false
	for _, b := range bindings {
		switch statement := target(b).Parent(); {
		case b.Kind == names.AssignBinding && b.Value.Is(syntax.Integer, syntax.Float) && !b.Node.Within(loop):
		case b.Kind == names.AugmentedBinding && f.changes(statement.Child(syntax.FieldOperator).Text(), b.Value), f.ofItself(b):
			counts = counts || statement.Parent().Parent() == loop.Child(syntax.FieldBody)
		default:
			return scalar{}, false
		}
	}
	return scalar{loop: loop}, counts
}

// counts reports whether the target of a for loop is a Python number that differs in each
// iteration, and returns the number of iterations, or 0.
func (f follower) counts(b *names.Binding) (iterations int, ok bool) {
	target, iterable := b.Node, b.Value
	for {
		if iterable.Kind() != syntax.Call || names.HasSplat(iterable) {
			return 0, false
		}
		first := names.Argument(iterable, 0, "iterable")
		switch q := f.info.Callee(iterable); {
		case rule.Builtin(f.info, iterable, "range"), rule.Builtin(f.info, iterable, "xrange"), q == "tqdm.trange", q == "tqdm.auto.trange", q == "tqdm.notebook.trange":
			return facts.Of(f.info).Range(iterable, nil), !isElement(target)
		case rule.Builtin(f.info, iterable, "enumerate"):
			pattern := target.Parent()
			return facts.Of(f.info).Items(first, nil), isElement(target) && pattern.Field() == syntax.FieldLeft && pattern.FirstChild() == target
		case q == "itertools.count":
			return 0, !isElement(target)
		case rule.Builtin(f.info, iterable, "reversed"), q == "tqdm.tqdm", q == "tqdm.auto.tqdm", q == "tqdm.notebook.tqdm", q == "tqdm.std.tqdm":
			iterable = first
		default:
			return 0, false
		}
	}
}

// isElement reports whether a target is one of several that are unpacked.
func isElement(target syntax.Node) bool {
	return target.Parent().Is(syntax.PatternList, syntax.TuplePattern, syntax.ListPattern)
}
