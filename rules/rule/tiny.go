package rule

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// FewBytes is GPU memory that no user misses, once in a program. A finding about so little is a hint.
const FewBytes = 16 << 20

const (
	// mostTiny is how many elements a tiny list or shape has at most. The outer product of two such
	// tensors has 4 MB. fewNumbers is as many as an author looks at one by one.
	mostTiny, fewNumbers = 1000, 16
	// mostTinySteps bounds the expressions that a question about a block looks at.
	mostTinySteps = 2000
)

// Tiny reports whether a block surely computes only tensors of few elements, by operators and
// functions of TensorFlow from numbers, literal lists and variables that are made of them. What it
// keeps is not worth a word then.
func Tiny(info *names.Info, block syntax.Node) bool {
	return newTiny(mostTiny).block(info, block)
}

// FewNumbers reports whether an expression surely is a number, a tensor or variable of a few numbers,
// or a list of such.
func FewNumbers(info *names.Info, n syntax.Node) bool { return newTiny(fewNumbers).expression(info, n) }

func newTiny(most int) *tiny {
	return &tiny{most: most, names: map[*names.Binding]bool{}, called: map[*names.Function]bool{}, steps: mostTinySteps}
}

type tiny struct {
	most   int                     // elements of a list or shape
	names  map[*names.Binding]bool // found to be tiny, or asked at the moment
	called map[*names.Function]bool
	steps  int
}

// block reports whether all expressions of a statement, or of all in a block, are tiny.
func (t *tiny) block(info *names.Info, n syntax.Node) bool {
	defer info.Enter(n).Leave()
	switch n.Kind() {
	case syntax.FunctionDefinition, syntax.ClassDefinition, syntax.ImportStatement, syntax.ImportFromStatement,
		syntax.PassStatement, syntax.BreakStatement, syntax.ContinueStatement, syntax.DeleteStatement, syntax.Comment, syntax.GlobalStatement:
		return true
	case syntax.Assignment:
		value := n.Child(syntax.FieldRight)
		return !value.Valid() || t.expression(info, value)
	case syntax.Block, syntax.ExpressionStatement, syntax.ReturnStatement, syntax.IfStatement, syntax.ElifClause, syntax.ElseClause,
		syntax.WhileStatement, syntax.WithStatement:
		return t.all(n, func(c syntax.Node) bool { return t.block(info, c) })
	case syntax.WithClause, syntax.WithItem, syntax.AsPattern:
		return t.all(n, func(c syntax.Node) bool { return t.block(info, c) })
	case syntax.AsPatternTarget:
		return true
	case syntax.ForStatement:
		return counts(info, n.Child(syntax.FieldRight)) && t.block(info, n.Child(syntax.FieldBody))
	}
	return t.expression(info, n)
}

func (t *tiny) all(n syntax.Node, is func(syntax.Node) bool) bool {
	for c := range n.Children() {
		if !is(c) {
			return false
		}
	}
	return true
}

// counts reports whether an iterable yields numbers.
func counts(info *names.Info, iterable syntax.Node) bool { return info.Builtin(iterable) == "range" }

func (t *tiny) expression(info *names.Info, n syntax.Node) bool {
	defer info.Enter(n).Leave()
	if t.steps--; t.steps < 0 {
		return false
	}
	inside := func(c syntax.Node) bool { return t.expression(info, c) }
	switch n.Kind() {
	case syntax.Integer, syntax.Float, syntax.True, syntax.False, syntax.NoneLiteral, syntax.String, syntax.ConcatenatedString, syntax.Operator, syntax.Comment:
		return true
	case syntax.List, syntax.Tuple, syntax.ExpressionList:
		items := 0
		return t.all(n, func(c syntax.Node) bool { items++; return items <= t.most && inside(c) })
	case syntax.BinaryOperator:
		// [0] * 100000 is long.
		return !n.Child(syntax.FieldLeft).Is(syntax.List, syntax.Tuple) && !n.Child(syntax.FieldRight).Is(syntax.List, syntax.Tuple) && t.all(n, inside)
	case syntax.UnaryOperator, syntax.NotOperator, syntax.BooleanOperator, syntax.ComparisonOperator, syntax.ConditionalExpression,
		syntax.ParenthesizedExpression, syntax.Subscript, syntax.Slice, syntax.AugmentedAssignment, syntax.ArgumentList:
		return t.all(n, inside)
	case syntax.KeywordArgument:
		return inside(n.Child(syntax.FieldValue))
	case syntax.Attribute:
		// A name of a module, such as tf.float32, rather than what an object of TensorFlow's holds.
		if strings.HasPrefix(info.Qualified(n.Child(syntax.FieldObject)), "tensorflow") {
			return true
		}
		if c := classOf(info, n.Child(syntax.FieldObject)); c != nil {
			return t.attribute(info, c, n.Child(syntax.FieldAttribute).Text())
		}
		return inside(n.Child(syntax.FieldObject))
	case syntax.Identifier:
		return t.name(info, n)
	case syntax.Call:
		return t.call(info, n)
	}
	return false
}

// attribute reports whether all that an attribute of a class's instances is set to is tiny.
func (t *tiny) attribute(info *names.Info, c *names.Class, name string) bool {
	bindings := info.Attribute(c, name)
	for _, b := range bindings {
		if b.Kind != names.AssignBinding || !t.expression(info, b.Value) {
			return false
		}
	}
	return len(bindings) > 0
}

// classOf returns the class of the program whose instance an expression surely is, also for a
// parameter that all calls pass such an instance for; or nil.
func classOf(info *names.Info, n syntax.Node) *names.Class {
	if c := info.TypeOf(n).Local; c != nil {
		return c
	}
	bindings := info.ReachingDefs(n)
	if n.Kind() != syntax.Identifier || len(bindings) != 1 || bindings[0].Kind != names.ParameterBinding || bindings[0].Scope.Func == nil {
		return nil
	}
	var found *names.Class
	for _, call := range info.CallsOf(bindings[0].Scope.Func) {
		c := info.TypeOf(bindings[0].Scope.Func.Passed(call, n.Text())).Local
		if c == nil || found != nil && c != found {
			return nil
		}
		found = c
	}
	return found
}

// name reports whether all values that a name may have are tiny.
func (t *tiny) name(info *names.Info, n syntax.Node) bool {
	defer info.Enter(n).Leave()
	bindings := info.ReachingDefs(n)
	for _, b := range bindings {
		if t.names[b] {
			continue
		}
		switch b.Kind {
		case names.ParameterBinding:
			if f := b.Scope.Function(); f == nil || !t.called[f] {
				return false
			}
		case names.AssignBinding, names.UnpackBinding, names.AugmentedBinding, names.WithBinding:
			// What depends on itself is as tiny as the rest that it depends on.
			t.names[b] = true
			if !b.Value.Valid() || !t.expression(info, b.Value) {
				t.names[b] = false
				return false
			}
		case names.ForBinding:
			if !counts(info, b.Value) {
				return false
			}
		default:
			return false
		}
	}
	return len(bindings) > 0
}

// resizes are functions of TensorFlow whose result may have more elements than their arguments, and
// takeShape those whose first argument is a shape.
var (
	resizes = map[string]bool{
		"eye": true, "range": true, "tile": true, "repeat": true, "one_hot": true, "broadcast_to": true,
		"pad": true, "resize": true, "sequence_mask": true, "meshgrid": true, "map_fn": true, "while_loop": true, "scan": true,
		"concat": true, "stack": true, "vectorized_map": true, "py_function": true, "numpy_function": true, "scatter_nd": true,
	}
	takeShape = map[string]bool{
		"zeros": true, "ones": true, "fill": true, "normal": true, "uniform": true, "truncated_normal": true,
	}
	// tinyModules hold functions of tensors alone: no layers, models, data sets or files.
	tinyModules = map[string]bool{
		"tensorflow": true, "tensorflow.math": true, "tensorflow.linalg": true, "tensorflow.nn": true, "tensorflow.random": true,
		"tensorflow.keras.losses": true, "tensorflow.keras.backend": true,
	}
)

// call reports whether a call returns something tiny and computes nothing else.
func (t *tiny) call(info *names.Info, call syntax.Node) bool {
	defer info.Enter(call).Leave()
	arguments := call.Child(syntax.FieldArguments)
	qualified := info.Callee(call)
	module, function := "", qualified
	if i := strings.LastIndexByte(qualified, '.'); i >= 0 {
		module, function = qualified[:i], qualified[i+1:]
	}
	switch {
	case info.Builtin(call) == "print", info.Builtin(call) == "len", info.Builtin(call) == "float", info.Builtin(call) == "int":
		return t.expression(info, arguments)
	case takeShape[function] && tinyModules[module]:
		return t.shape(info, names.Argument(call, 0, "shape")) || t.shape(info, names.Argument(call, 0, "dims"))
	case function == "linspace" && (module == "tensorflow" || module == "numpy"):
		n := facts.Of(info).Most(names.Argument(call, 2, "num"), nil)
		return n > 0 && n <= t.most
	case qualified == "numpy.array", qualified == "numpy.asarray", qualified == "numpy.float32", qualified == "numpy.float64",
		qualified == "tensorflow.GradientTape", tinyModules[module] && !resizes[function]:
		return t.expression(info, arguments)
	case module == "tensorflow.GradientTape", module == "tensorflow.Variable":
		object := call.Child(syntax.FieldFunction).Child(syntax.FieldObject)
		return object.Valid() && t.expression(info, object) && t.expression(info, arguments)
	case qualified != "":
		return false
	}
	target := info.Target(call.Child(syntax.FieldFunction))
	if f := target.Function; f != nil && target.Class == nil && f.Class == nil && !f.Yields && !target.Wrapped {
		if !t.expression(info, arguments) {
			return false
		}
		if t.called[f] {
			return true
		}
		t.called[f] = true
		if f.Body.Is(syntax.Block) {
			return t.block(f.Info, f.Body)
		}
		return t.expression(f.Info, f.Body)
	}
	// A method of something tiny: v.assign_sub(…), y.numpy().
	method := call.Child(syntax.FieldFunction)
	return method.Kind() == syntax.Attribute && !target.Wrapped && target.Function == nil &&
		t.expression(info, method.Child(syntax.FieldObject)) && t.expression(info, arguments)
}

// shape reports whether a literal shape has few elements.
func (t *tiny) shape(info *names.Info, shape syntax.Node) bool {
	if !shape.Is(syntax.List, syntax.Tuple) {
		n := facts.Of(info).Most(shape, nil)
		return n > 0 && n <= t.most
	}
	elements := 1
	for c := range shape.Children() {
		n := facts.Of(info).Most(c, nil)
		if n <= 0 || n > t.most {
			return false
		}
		if elements *= n; elements > t.most {
			return false
		}
	}
	return true
}
