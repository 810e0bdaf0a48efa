package facts

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Change says how many values an expression has in the iterations of a loop.
type Change struct {
	// Surely is set if it has another value in each iteration.
	Surely bool
	// Values is how many it takes at most, or 0 if that is not known.
	Values int
}

// Varies reports whether an expression is a Python number that surely is another one in each iteration
// of a loop: what range or enumerate counts, a name that the body increases or multiplies, a number that
// random draws, and arithmetic on these with numbers that stay the same.
func (f *Facts) Varies(n syntax.Node, in *origins.Call, loop syntax.Node) Change {
	defer f.info.Enter(n).Leave()
	p := origins.Place{Node: n, In: in}
	end, ok := f.begins(varies, p)
	if !ok {
		return Change{}
	}
	defer end()
	found := f.origins.Until(p, f.decides)
	if len(found) != 1 {
		return Change{} // one may be in an iteration what the other is in the next
	}
	if origin := found[0]; len(origin.Path) == 1 && names.Method(origin.Node) == "tolist" && f.Repeats(origin, loop) {
		return f.drawnInteger(origins.Place{Node: origin.Node.Child(syntax.FieldFunction).Child(syntax.FieldObject), In: origin.In}, loop)
	} else if len(origin.Path) > 0 {
		return Change{}
	}
	return f.variesAt(found[0], loop)
}

// decides reports whether a place is not followed further by Varies: a name with several values may be
// a counter, and what a wrapped function returns may be no number.
func (f *Facts) decides(p origins.Place) bool {
	switch n := p.Node; n.Kind() {
	case syntax.Attribute:
		return true
	case syntax.Identifier:
		bindings := f.info.ReachingDefs(n)
		return len(bindings) > 1 || len(bindings) == 1 && bindings[0].Kind == names.AugmentedBinding
	case syntax.Call:
		t := f.info.Target(n.Child(syntax.FieldFunction))
		fn := t.Function
		return fn != nil && (t.Compiled || t.Wrapped || len(fn.Decorators) > 0 || len(fn.Returns) != 1 || names.HasSplat(n))
	}
	return false
}

func (f *Facts) variesAt(origin origins.Place, loop syntax.Node) Change {
	n := origin.Node
	of := func(n syntax.Node) Change { return f.Varies(n, origin.In, loop) }
	switch n.Kind() {
	case syntax.UnaryOperator:
		return of(n.Child(syntax.FieldArgument))
	case syntax.BinaryOperator:
		left, right := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
		switch n.Child(syntax.FieldOperator).Text() {
		case "+", "-", "*", "/":
			if f.other(right, origin.In, 0) {
				return of(left)
			}
			if f.other(left, origin.In, 0) {
				return of(right)
			}
		case "**":
			if f.other(right, origin.In, 0) {
				return of(left)
			}
			if f.other(left, origin.In, 0, 1) {
				return of(right)
			}
		}
	case syntax.Call:
		if f.info.Builtin(n) == "float" {
			return of(names.Argument(n, 0, "x"))
		}
		if bounded := f.bounded(n, origin.In); bounded.Kind() == syntax.BinaryOperator { // min(i, 3) has few values
			return Change{Surely: of(bounded).Surely} // from the bound on it stays the same
		}
		if f.Repeats(origin, loop) {
			if f.drawsNumber(n) || f.suggested(n) {
				return Change{true, f.Iterations(loop, nil)}
			}
			if !names.Argument(n, 2, "size").Valid() {
				return f.drawnInteger(origin, loop)
			}
		}
	case syntax.Identifier:
		bindings := f.info.ReachingDefs(n)
		if len(bindings) == 1 && bindings[0].Kind == names.ForBinding {
			return f.counted(n, bindings[0], loop)
		}
		if len(bindings) == 1 && bindings[0].Kind == names.ParameterBinding {
			return Change{Surely: f.countsCalls(bindings[0], loop)}
		}
		for _, b := range bindings {
			if b.Kind == names.AugmentedBinding || f.ofItself(b, origin.In) {
				return f.counter(n, b.Scope.Bindings(b.Name), nil, origin.In, loop)
			}
		}
	case syntax.Attribute:
		name := n.Child(syntax.FieldAttribute).Text()
		if t := f.info.TypeOf(n.Child(syntax.FieldObject)); t.Local != nil {
			return f.counter(n, f.info.Attribute(t.Local, name), f.increments(name), origin.In, loop)
		}
	}
	return Change{}
}

// Repeats reports whether each iteration of a loop evaluates a place again.
func (f *Facts) Repeats(p origins.Place, loop syntax.Node) bool {
	if p.Node.Within(loop) {
		return !p.Node.Within(loop.Child(syntax.FieldRight)) && !p.Node.Within(loop.Child(syntax.FieldParameters))
	}
	for c := f.Own(p); c != nil; c = c.From {
		if c.Node.Valid() && c.Node.Within(loop) {
			return true
		}
	}
	return false
}

// Own returns how the function that has a place's code is reached, or nil: a place may be in a function
// of the program while its node, such as what a global name is bound to, is not.
func (f *Facts) Own(p origins.Place) *origins.Call {
	fn, c := f.info.ScopeOf(p.Node).Function(), p.In
	for c != nil && c.Function != fn {
		c = c.From
	}
	return c
}

// other reports whether an expression surely is a number, and none of the given ones.
func (f *Facts) other(n syntax.Node, in *origins.Call, than ...float64) bool {
	number, ok := f.Number(n, in).Exactly()
	return ok && !slices.Contains(than, number)
}

// bounded returns the argument that max or min bounds by a number, or none.
func (f *Facts) bounded(call syntax.Node, in *origins.Call) syntax.Node {
	arguments := call.Child(syntax.FieldArguments)
	first, second := names.Element(arguments, 0), names.Element(arguments, 1)
	if name := f.info.Builtin(call); name != "max" && name != "min" || names.Element(arguments, 2).Valid() {
		return syntax.Node{}
	}
	switch {
	case f.other(first, in, 0):
		return second
	case f.other(second, in, 0):
		return first
	}
	return syntax.Node{}
}

// drawsNumber reports whether a call draws a random Python number. NumPy's functions return one unless
// they are asked for an array (numpy/random/mtrand.pyx).
func (f *Facts) drawsNumber(call syntax.Node) bool {
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

// fewDraws is the number of values that a random integer may have so that many draws are the same.
const fewDraws = 4

// drawnInteger reports whether a call draws random whole numbers from so many that most draws differ.
func (f *Facts) drawnInteger(p origins.Place, loop syntax.Node) Change {
	n := p.Node
	if n.Kind() != syntax.Call || names.HasSplat(n) {
		return Change{}
	}
	switch f.info.Callee(n) {
	case "random.randint", "random.randrange", "numpy.random.randint":
	default:
		return Change{}
	}
	low, high := f.Number(names.Element(n.Child(syntax.FieldArguments), 0), p.In), f.Number(names.Element(n.Child(syntax.FieldArguments), 1), p.In)
	if !low.Complete || !high.Complete || high.Low-low.High <= fewDraws {
		return Change{}
	}
	values := int(min(high.High-low.Low, many))
	if n := f.Iterations(loop, nil); n > 0 {
		values = min(values, n)
	}
	return Change{true, values}
}

// suggested reports whether a call asks a trial of Optuna for a number of an interval.
func (f *Facts) suggested(call syntax.Node) bool {
	return f.Suggests(call) && names.Method(call) != "suggest_categorical"
}

// countsCalls reports whether a parameter of a function that Keras calls again and again is the number of the
// epoch or of the batch (keras/src/callbacks/callback.py).
func (f *Facts) countsCalls(b *names.Binding, function syntax.Node) bool {
	fn := b.Scope.Func
	if fn == nil || fn.Node != function || fn.Class == nil || len(fn.Params) < 2 || fn.Params[1].Name != b.Name {
		return false
	}
	r := f.RepeatOf(fn)
	return r != nil && (r.Each == "epoch" || r.Each == "batch")
}

// ofItself reports whether a binding gives a name its own value plus, minus, times or divided by a
// number, as in rate = rate * 0.99, or the minimum or maximum of that and another number.
func (f *Facts) ofItself(b *names.Binding, in *origins.Call) bool {
	value := b.Value
	if bounded := f.bounded(value, in); bounded.Valid() {
		value = bounded
	}
	left := value.Child(syntax.FieldLeft)
	return b.Kind == names.AssignBinding && value.Kind() == syntax.BinaryOperator && left.Is(syntax.Identifier, syntax.Attribute) && left.Text() == target(b).Text() &&
		f.moves(value.Child(syntax.FieldOperator).Text(), value.Child(syntax.FieldRight), in)
}

// target returns what an assignment binds: a name, or an attribute of self.
func target(b *names.Binding) syntax.Node {
	if b.Node.Field() == syntax.FieldAttribute {
		return b.Node.Parent()
	}
	return b.Node
}

// moves reports whether an operator and a number change the other operand.
func (f *Facts) moves(operator string, number syntax.Node, in *origins.Call) bool {
	switch strings.TrimSuffix(operator, "=") {
	case "+", "-":
		return f.other(number, in, 0)
	case "*", "/":
		return f.other(number, in, 0, 1)
	}
	return false
}

// counter reports whether a name or an attribute that the body of a loop increases or multiplies in every
// iteration is otherwise set to numbers only, and only outside the loop.
func (f *Facts) counter(n syntax.Node, bindings []*names.Binding, increments []syntax.Node, in *origins.Call, loop syntax.Node) Change {
	if !n.Within(loop.Child(syntax.FieldBody)) && !n.Within(loop.Child(syntax.FieldCondition)) {
		return Change{}
	}
	counts := false
	inBody := func(statement syntax.Node) {
		counts = counts || statement.Parent().Parent() == loop.Child(syntax.FieldBody)
	}
	for _, b := range bindings {
		switch {
		case b.Kind == names.AssignBinding && b.Value.Is(syntax.Integer, syntax.Float) && !b.Node.Within(loop):
		case b.Kind == names.AugmentedBinding:
			increments = append(increments, b.Node.Parent())
		case f.ofItself(b, in):
			inBody(target(b).Parent())
		default:
			return Change{}
		}
	}
	for _, by := range increments {
		if by.Child(syntax.FieldLeft).Text() != n.Text() || !f.moves(by.Child(syntax.FieldOperator).Text(), by.Child(syntax.FieldRight), in) {
			return Change{}
		}
		inBody(by)
	}
	return Change{Surely: counts}
}

// counted reports whether a name is the target of a for loop whose items are different Python numbers.
func (f *Facts) counted(n syntax.Node, b *names.Binding, loop syntax.Node) Change {
	of := b.Node.Ancestor(syntax.ForStatement, syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression)
	if of != loop || !n.Within(loop) || f.info.ScopeOf(n).Function() != f.info.ScopeOf(loop).Function() {
		return Change{}
	}
	element := b.Node.Parent().Is(syntax.PatternList, syntax.TuplePattern, syntax.ListPattern)
	for iterable := b.Value; iterable.Kind() == syntax.Call && !names.HasSplat(iterable); {
		called, member, of := f.info.Builtin(iterable), "", f.info.Callee(iterable)
		if strings.HasPrefix(of, "tqdm.") {
			member = of[strings.LastIndexByte(of, '.')+1:]
		}
		switch {
		case called == "range", called == "xrange", member == "trange", of == "itertools.count":
			return Change{!element, f.Items(b.Value, nil)}
		case called == "enumerate":
			pattern := b.Node.Parent()
			return Change{element && pattern.Field() == syntax.FieldLeft && pattern.FirstChild() == b.Node, f.Items(b.Value, nil)}
		case called == "reversed", member == "tqdm":
			iterable = names.Argument(iterable, 0, "iterable")
		default:
			return Change{}
		}
	}
	return Change{}
}

// LoopOf returns the innermost loop, in the same function, whose iterations run a node.
func LoopOf(n syntax.Node) syntax.Node {
	for child, p := n, n.Parent(); p.Valid() && !p.Is(syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition); child, p = p, p.Parent() {
		switch p.Kind() {
		case syntax.ForStatement, syntax.WhileStatement:
			if child.Field() == syntax.FieldBody || child.Field() == syntax.FieldCondition {
				return p
			}
		case syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression:
			return p
		}
	}
	return syntax.Node{}
}
