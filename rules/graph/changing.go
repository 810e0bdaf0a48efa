package graph

import (
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A scalar is a Python number that has another value in every turn of a loop.
type scalar struct {
	loop  syntax.Node
	turns int // how many values it takes; 0 where that is not known
}

// A follower finds out which of the expressions on the way to a call change from
// one call to the next.
type follower struct {
	info *names.Info
	path []syntax.Node // the calls on the way, as of an event
}

// changing is the scalar that an expression surely is when the call at the end of
// the path is made. A parameter is what the calls on the path pass for it.
func (f follower) changing(n syntax.Node) (s scalar, ok bool) {
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
		}
	case syntax.Call:
		if f.builtin(n, "float") {
			return f.changing(names.Argument(n, 0, "x"))
		}
		if loop := loopOf(n); loop.Valid() && f.draws(n) {
			return scalar{loop, f.turnsIn(loop)}, true
		}
	case syntax.Identifier:
		return f.changingName(n)
	}
	return scalar{}, false
}

// isNumber tells whether a node is a number other than zero: to add, subtract,
// multiply or divide by it maps different values to different ones.
func isNumber(n syntax.Node) bool {
	if !n.Is(syntax.Integer, syntax.Float) {
		return false
	}
	v, err := strconv.ParseFloat(n.Text(), 64)
	return err == nil && v != 0
}

// isConstant tells whether a node is a number other than zero, or a name that is given
// one, once.
func (f follower) isConstant(n syntax.Node) bool {
	if n.Kind() == syntax.Identifier {
		if b := f.info.Reaching(n); len(b) == 1 && b[0].Kind == names.AssignBinding && len(b[0].Scope.Bindings(b[0].Name)) == 1 {
			n = b[0].Value
		}
	}
	return isNumber(n)
}

// draws tells whether a call draws a number of Python's by chance: NumPy's functions return
// one where they are asked for no array (numpy/random/mtrand.pyx).
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
	bindings := f.info.Reaching(n)
	for _, b := range bindings {
		if b.Kind == names.AugmentedBinding || len(bindings) > 1 && f.ofItself(b) {
			return f.counter(n, b.Scope.Bindings(b.Name))
		}
	}
	if len(bindings) != 1 {
		return scalar{}, false
	}
	switch b := bindings[0]; b.Kind {
	case names.ForBinding:
		loop := b.Node.Ancestor(loops...)
		if !loop.Valid() || !n.Within(loop) || f.info.ScopeOf(n).Function() != f.info.ScopeOf(loop).Function() {
			return scalar{}, false
		}
		if turns, ok := f.counts(b); ok {
			return scalar{loop, turns}, true
		}
	case names.AssignBinding:
		if f.info.ScopeOf(n).Function() == b.Scope.Function() {
			return f.changing(b.Value)
		}
	case names.ParameterBinding:
		fn := b.Scope.Func
		for i := len(f.path) - 1; i >= 0 && fn != nil && len(b.Scope.Bindings(b.Name)) == 1; i-- {
			if argument := argumentFor(f.info, f.path[i], fn, b.Name); argument.Valid() {
				return follower{f.info, f.path[:i]}.changing(argument)
			}
		}
	}
	return scalar{}, false
}

// ofItself tells whether a binding gives a name its own value plus, minus, times or over a
// number: rate = rate * 0.99, or what is no less or no more of that and another number.
func (f follower) ofItself(b *names.Binding) bool {
	value := b.Value
	if value.Kind() == syntax.Call && (f.builtin(value, "max") || f.builtin(value, "min")) {
		first, second := names.Element(value.Child(syntax.FieldArguments), 0), names.Element(value.Child(syntax.FieldArguments), 1)
		if value = first; f.isConstant(first) {
			value = second
		}
	}
	left, right := value.Child(syntax.FieldLeft), value.Child(syntax.FieldRight)
	return b.Kind == names.AssignBinding && value.Kind() == syntax.BinaryOperator && left.Kind() == syntax.Identifier && left.Text() == b.Name &&
		f.changes(value.Child(syntax.FieldOperator).Text(), right)
}

// changes tells whether an operator and a number make another number of one.
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

// counter tells of a name that a number is added to, or that is multiplied by one, in every
// turn of the loop around a node whether it is set to nothing but numbers, and those outside.
func (f follower) counter(n syntax.Node, bindings []*names.Binding) (scalar, bool) {
	loop := loopOf(n)
	if !loop.Valid() {
		return scalar{}, false
	}
	counts := false
	for _, b := range bindings {
		switch statement := b.Node.Parent(); {
		case b.Kind == names.AssignBinding && b.Value.Is(syntax.Integer, syntax.Float) && !b.Node.Within(loop):
		case b.Kind == names.AugmentedBinding && f.changes(statement.Child(syntax.FieldOperator).Text(), b.Value), f.ofItself(b):
			counts = counts || statement.Parent().Parent() == loop.Child(syntax.FieldBody)
		default:
			return scalar{}, false
		}
	}
	return scalar{loop: loop}, counts
}

// counts tells whether what a for binds is a Python number that is another one in
// each of its turns, and how many turns there are, or 0.
func (f follower) counts(b *names.Binding) (turns int, ok bool) {
	target, iterable := b.Node, b.Value
	for {
		if iterable.Kind() != syntax.Call || names.HasSplat(iterable) {
			return 0, false
		}
		first := names.Argument(iterable, 0, "iterable")
		switch q := f.info.Callee(iterable); {
		case f.builtin(iterable, "range"), f.builtin(iterable, "xrange"), q == "tqdm.trange", q == "tqdm.auto.trange", q == "tqdm.notebook.trange":
			return f.turnsOfRange(iterable), !isElement(target)
		case f.builtin(iterable, "enumerate"):
			pattern := target.Parent()
			return f.turnsOf(first), isElement(target) && pattern.Field() == syntax.FieldLeft && pattern.FirstChild() == target
		case q == "itertools.count":
			return 0, !isElement(target)
		case f.builtin(iterable, "reversed"), q == "tqdm.tqdm", q == "tqdm.auto.tqdm", q == "tqdm.notebook.tqdm", q == "tqdm.std.tqdm":
			iterable = first
		default:
			return 0, false
		}
	}
}

// isElement tells whether a target is one of several that are unpacked.
func isElement(target syntax.Node) bool {
	return target.Parent().Is(syntax.PatternList, syntax.TuplePattern, syntax.ListPattern)
}

func (f follower) builtin(call syntax.Node, name string) bool {
	function := call.Child(syntax.FieldFunction)
	return function.Kind() == syntax.Identifier && function.Text() == name && f.info.Lookup(function) == nil
}

// turnsIn is how many turns a loop has, where the code says so, or 0.
func (f follower) turnsIn(loop syntax.Node) int {
	iterable := loop.Child(syntax.FieldRight)
	for iterable.Kind() == syntax.Call && (f.builtin(iterable, "enumerate") || f.builtin(iterable, "reversed")) {
		iterable = names.Argument(iterable, 0, "iterable")
	}
	return f.turnsOf(iterable)
}

// turnsOf is how many items an iterable has, or 0.
func (f follower) turnsOf(iterable syntax.Node) int {
	if iterable.Kind() == syntax.Identifier {
		// A list that is given a name once, and of which nothing else is done.
		bindings := f.info.Reaching(iterable)
		if len(bindings) != 1 || bindings[0].Kind != names.AssignBinding || len(bindings[0].Scope.Bindings(iterable.Text())) != 1 || len(f.info.Uses(bindings[0])) != 1 {
			return 0
		}
		iterable = bindings[0].Value
	}
	if iterable.Is(syntax.List, syntax.Tuple) {
		n := 0
		for c := range iterable.Children() {
			switch c.Kind() {
			case syntax.Comment:
			case syntax.ListSplat:
				return 0
			default:
				n++
			}
		}
		return n
	}
	if iterable.Kind() == syntax.Call && f.builtin(iterable, "range") {
		return f.turnsOfRange(iterable)
	}
	return 0
}

// turnsOfRange is how many numbers a range of constants has, or 0.
func (f follower) turnsOfRange(call syntax.Node) int {
	first, second := names.Argument(call, 0, "start"), names.Argument(call, 1, "stop")
	if names.Argument(call, 2, "step").Valid() {
		return 0
	}
	from, to := 0, f.constant(first)
	if second.Valid() {
		from, to = to, f.constant(second)
		if from == 0 && first.Text() != "0" {
			return 0
		}
	}
	return max(to-from, 0)
}

// constant is the number that a node, or a name that is given its value once,
// stands for, or 0.
func (f follower) constant(n syntax.Node) int {
	if n.Kind() == syntax.Identifier {
		if b := f.info.Reaching(n); len(b) == 1 && b[0].Kind == names.AssignBinding {
			n = b[0].Value
		}
	}
	if n.Kind() != syntax.Integer {
		return 0
	}
	v, _ := strconv.Atoi(n.Text())
	return v
}
