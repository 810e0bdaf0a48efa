package pipeline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// first reports whether only the first item of an expression is read where it stands.
func first(n syntax.Node) bool {
	parent := n.Parent()
	if parent.Kind() != syntax.Subscript || n.Field() != syntax.FieldValue {
		return false
	}
	index := parent.Child(syntax.FieldSubscript)
	if index.Is(syntax.Tuple, syntax.ExpressionList) {
		index = index.FirstChild()
	}
	return index.Text() == "0" || index.Text() == "-1"
}

// single reports whether an expression is surely a batch of one example.
func (c *example) single(n syntax.Node, depth int) bool {
	defer c.info.Enter(n).Leave()
	if depth > 16 {
		return false
	}
	if n.Kind() == syntax.Attribute {
		before := len(c.leaves)
		if !c.every(n, func(b *names.Binding) bool { return c.singleBinding(b, depth) }) {
			return false
		}
		c.leaves = c.leaves[:before]
		c.note(n)
		return true
	}
	made := c.event.DefiningExpr(c.info, n)
	if b := c.info.ReachingDefs(n); !made.Valid() && len(b) == 1 && b[0].Kind == names.UnpackBinding && b[0].Value.Kind() == syntax.Call {
		return c.singleBinding(b[0], depth)
	}
	if !made.Valid() && n.Kind() == syntax.Identifier {
		return c.every(n, func(b *names.Binding) bool { return c.singleBinding(b, depth) })
	}
	switch made.Kind() {
	case syntax.List, syntax.Tuple: // the inputs of a model with several, each of as many examples
		return depth == 0 && names.Element(made, 1).Valid() && c.singleInput(made)
	case syntax.Subscript:
		index := made.Child(syntax.FieldSubscript)
		if c.newAxis(index) || one(index) {
			c.note(made.Child(syntax.FieldValue))
			c.note(index)
			return true
		}
		if index.Kind() == syntax.Slice && index.Text() == ":" {
			return c.single(made.Child(syntax.FieldValue), depth+1) // x[:, 1:]
		}
	case syntax.BinaryOperator: // x / 255.0
		left, right := made.Child(syntax.FieldLeft), made.Child(syntax.FieldRight)
		if depth == 0 && made.Child(syntax.FieldOperator).Text() == "+" && (left.Kind() == syntax.List || right.Kind() == syntax.List) {
			return c.singleInput(left) || c.singleInput(right)
		}
		return (c.broadcast || c.scalar(right, depth)) && c.single(left, depth+1) || c.scalar(left, depth) && c.single(right, depth+1)
	case syntax.Call:
		return c.singleCall(made, depth)
	}
	return false
}

// singleInput reports whether an item of a list is surely a batch of one example. Keras refuses inputs
// of a model that have other numbers of examples, as in [token] + states.
func (c *example) singleInput(list syntax.Node) bool {
	if !list.Is(syntax.List, syntax.Tuple) || !slices.ContainsFunc(slices.Collect(list.Children()), func(item syntax.Node) bool { return c.single(item, 1) }) {
		return false
	}
	c.note(list)
	return true
}

// singleBinding reports whether one of the values that a name may have is surely a batch of one
// example.
func (c *example) singleBinding(b *names.Binding, depth int) bool {
	defer c.info.Enter(b.Node).Leave()
	switch b.Kind {
	case names.UnpackBinding: // each of the results has as many examples
		return b.Value.Kind() == syntax.Call && (c.returned(b.Value, b.Path, depth+1) || c.singleCall(b.Value, depth+1))
	case names.AugmentedBinding: // x /= 255.0
		return c.scalar(b.Node.Parent().Child(syntax.FieldRight), depth) && c.every(b.Node, func(b *names.Binding) bool { return c.singleBinding(b, depth+1) })
	}
	given := c.given(b)
	return given.Valid() && c.single(given, depth+1)
}

// scalar reports whether an expression is surely one number.
func (c *example) scalar(n syntax.Node, depth int) bool {
	defer c.info.Enter(n).Leave()
	if n = c.event.DefiningExpr(c.info, n); depth > 16 {
		return false
	}
	switch n.Kind() {
	case syntax.Integer, syntax.Float:
		return true
	case syntax.UnaryOperator:
		return c.scalar(n.Child(syntax.FieldArgument), depth+1)
	case syntax.BinaryOperator:
		return c.scalar(n.Child(syntax.FieldLeft), depth+1) && c.scalar(n.Child(syntax.FieldRight), depth+1)
	case syntax.Call:
		switch function := n.Child(syntax.FieldFunction); c.info.Callee(n) {
		case "numpy.max", "numpy.min", "numpy.amax", "numpy.amin":
			return !names.Argument(n, 1, "axis").Valid()
		case "":
			return c.info.Lookup(function) == nil && (function.Text() == "float" || function.Text() == "int" || function.Text() == "len")
		}
	}
	return false
}

// keepsExamples reports whether a function, by its name, prepares examples and returns as many: those
// of scikit-learn's scalers and of programs themselves.
func keepsExamples(function syntax.Node) bool {
	name := function.Text()
	if function.Kind() == syntax.Attribute {
		name = function.Child(syntax.FieldAttribute).Text()
	}
	name = strings.ToLower(name)
	return name == "transform" || strings.Contains(name, "preprocess") || strings.Contains(name, "normalize") || strings.Contains(name, "normalise") || strings.Contains(name, "standardize")
}

func (c *example) singleCall(call syntax.Node, depth int) bool {
	defer c.info.Enter(call).Leave()
	arguments := call.Child(syntax.FieldArguments)
	first := names.Element(arguments, 0)
	switch c.info.Callee(call) {
	case "numpy.expand_dims", "tensorflow.expand_dims", "tensorflow.keras.ops.expand_dims":
		if names.Argument(call, 1, "axis").Text() == "0" {
			c.note(first)
			return true
		}
		return c.single(first, depth+1)
	case "tensorflow.keras.utils.pad_sequences", "tensorflow.keras.preprocessing.sequence.pad_sequences",
		"numpy.array", "numpy.asarray", "numpy.stack", "numpy.vstack", "tensorflow.constant", "tensorflow.convert_to_tensor", "tensorflow.stack":
		return c.listOfOne(first) || c.single(first, depth+1)
	case "numpy.reshape", "tensorflow.reshape":
		if shape := names.Argument(call, 1, "shape"); startsWithOne(shape) || c.ofWhole(first, shape) || c.ofImage(first, shape) {
			c.note(first)
			return true
		}
		return false
	case "tensorflow.cast", "numpy.float32":
		return c.single(first, depth+1)
	case "numpy.append", "numpy.concatenate", "tensorflow.concat", "numpy.roll": // along another axis than the first
		position := 1
		if rule.Method(call) == "append" || rule.Method(call) == "roll" {
			position = 2
		}
		if first.Is(syntax.List, syntax.Tuple) {
			first = names.Element(first, 0)
		}
		axis := names.Argument(call, position, "axis")
		if axis.Kind() != syntax.Integer || axis.Text() == "0" || !c.single(first, depth+1) {
			return false
		}
		c.note(arguments)
		return true
	case "numpy.zeros", "numpy.ones", "numpy.empty", "numpy.full":
		if startsWithOne(names.Argument(call, 0, "shape")) {
			c.note(filled(call))
			return true
		}
		return false
	case "numpy.random.rand", "numpy.random.randn", "numpy.random.normal", "numpy.random.uniform", "tensorflow.random.normal", "tensorflow.random.uniform":
		if drawsOne(call) {
			c.note(filled(call))
			return true
		}
		return false
	}
	function := call.Child(syntax.FieldFunction)
	switch function.Child(syntax.FieldAttribute).Text() {
	case "reshape":
		shape := first
		if shape.Next().Valid() {
			shape = arguments
		}
		if first.Text() == "1" && first.Next().Valid() || startsWithOne(first) || c.ofWhole(function.Child(syntax.FieldObject), shape) || c.ofImage(function.Child(syntax.FieldObject), shape) {
			c.note(function.Child(syntax.FieldObject))
			return true
		}
	case "texts_to_sequences", "texts_to_matrix":
		return c.listOfOne(first)
	case "astype", "numpy", "copy":
		return c.single(function.Child(syntax.FieldObject), depth+1)
	}
	if c.returned(call, nil, depth+1) || keepsExamples(function) && c.single(first, depth+1) {
		return true
	}
	return c.readsFirst() && c.ofOne(arguments)
}

// returned reports whether a function of the program returns a batch of one example, in this part of
// its result.
func (c *example) returned(call syntax.Node, path []int, depth int) bool {
	f := c.info.Target(call.Child(syntax.FieldFunction)).Function
	if f == nil || f.Yields || f.Class != nil && f.Name == "__init__" || len(f.Returns) == 0 || len(f.Returns) > 4 || depth > 8 {
		return false
	}
	before := len(c.leaves)
	for _, r := range f.Returns {
		for _, i := range path {
			if !r.Is(syntax.Tuple, syntax.ExpressionList) {
				return false
			}
			r = names.Element(r, i)
		}
		if !r.Valid() || !c.single(r, depth+1) {
			c.leaves = c.leaves[:before]
			return false
		}
	}
	c.leaves = c.leaves[:before]
	c.note(call.Child(syntax.FieldArguments))
	return true
}

// filled returns the name that an array is bound to where it is made.
func filled(call syntax.Node) syntax.Node {
	if call.Parent().Kind() == syntax.Assignment {
		return call.Parent().Child(syntax.FieldLeft)
	}
	return syntax.Node{}
}

// drawsOne reports whether a call draws random numbers for one example: rand(1, 100), or a shape
// or size that is written with a leading 1.
func drawsOne(call syntax.Node) bool {
	for a := range call.Child(syntax.FieldArguments).Children() {
		if name := a.Child(syntax.FieldName).Text(); a.Kind() == syntax.KeywordArgument && (name == "size" || name == "shape") {
			a = a.Child(syntax.FieldValue)
		}
		if startsWithOne(a) {
			return true
		}
	}
	method := rule.Method(call)
	arguments := call.Child(syntax.FieldArguments)
	return (method == "rand" || method == "randn") && names.Element(arguments, 0).Text() == "1" && names.Element(arguments, 1).Valid()
}

// readsFirst reports whether only the first of the predictions is read.
func (c *example) readsFirst() bool { return first(c.event.Node) }

// ofOne reports whether all arguments of a call are lists of one example each.
func (c *example) ofOne(arguments syntax.Node) bool {
	lists := 0
	for a := range arguments.Children() {
		if a.Kind() == syntax.KeywordArgument {
			continue
		}
		if lists++; !c.listOfOne(a) {
			return false
		}
	}
	return lists > 0
}

// listOfOne reports whether an expression is a list of one item.
func (c *example) listOfOne(n syntax.Node) bool {
	if n.Kind() != syntax.List || !names.Element(n, 0).Valid() || names.Element(n, 0).Next().Valid() {
		return false
	}
	c.note(n)
	return true
}

// newAxis reports whether an index begins with a new axis.
func (c *example) newAxis(index syntax.Node) bool {
	if index.Is(syntax.Tuple, syntax.ExpressionList) {
		index = index.FirstChild()
	}
	q := c.info.Qualified(index)
	return index.Kind() == syntax.NoneLiteral || q == "numpy.newaxis" || q == "tensorflow.newaxis"
}

// one reports whether an index is a slice of one item: i:i+1, 3:4, :1 or -1:.
func one(index syntax.Node) bool {
	from, to, ok := strings.Cut(strings.ReplaceAll(index.Text(), " ", ""), ":")
	switch {
	case !ok || index.Kind() != syntax.Slice:
		return false
	case from == "-1" && to == "", from != "" && (to == from+"+1" || to == "1+"+from):
		return true
	case from == "":
		from = "0"
	}
	start, err := strconv.Atoi(from)
	return err == nil && start != -1 && to == strconv.Itoa(start+1)
}

// startsWithOne reports whether a shape is written with a leading 1: (1, 28, 28), (1, *shape)
// or (1,) + shape.
func startsWithOne(shape syntax.Node) bool {
	if left := shape.Child(syntax.FieldLeft); shape.Kind() == syntax.BinaryOperator && shape.Child(syntax.FieldOperator).Text() == "+" {
		return left.Is(syntax.Tuple, syntax.List) && names.Element(left, 0).Text() == "1"
	}
	first := names.Element(shape, 0)
	return shape.Is(syntax.Tuple, syntax.List) && first.Text() == "1" && first.Next().Valid()
}

// ofWhole reports whether a shape has an axis for as many examples as fit, and then all axes of the
// array itself: x.reshape(-1, *x.shape), x.reshape((-1,) + x.shape) or x.reshape(-1, x.shape[0]).
func (c *example) ofWhole(array, shape syntax.Node) bool {
	if array.Kind() == syntax.Call && (c.info.Callee(array) == "numpy.array" || c.info.Callee(array) == "numpy.asarray") {
		array = names.Element(array.Child(syntax.FieldArguments), 0)
	}
	own := array.Text() + ".shape"
	if left, right := shape.Child(syntax.FieldLeft), shape.Child(syntax.FieldRight); shape.Kind() == syntax.BinaryOperator {
		return left.Is(syntax.Tuple, syntax.List) && names.Element(left, 0).Text() == "-1" && !names.Element(left, 1).Valid() && strings.TrimSpace(right.Text()) == own
	}
	if !shape.Is(syntax.Tuple, syntax.List, syntax.ArgumentList) || names.Element(shape, 0).Text() != "-1" {
		return false
	}
	axes := 0
	for item := range shape.Children() {
		switch {
		case item == shape.FirstChild(), item.Kind() == syntax.Comment:
		case item.Kind() == syntax.ListSplat && item.FirstChild().Text() == own && axes == 0:
			return !item.Next().Valid()
		case item.Kind() == syntax.Subscript && item.Text() == fmt.Sprintf("%s[%d]", own, axes):
			axes++
		default:
			return false
		}
	}
	return axes > 0
}

// ofImage reports whether a shape has an axis for as many examples as fit, and then the height, the
// width and the channels of an array that is one image, which was resized to them.
func (c *example) ofImage(array, shape syntax.Node) bool {
	if !shape.Is(syntax.Tuple, syntax.List, syntax.ArgumentList) || names.Element(shape, 0).Text() != "-1" || !names.Element(shape, 3).Valid() || names.Element(shape, 4).Valid() {
		return false
	}
	size := c.info.DefiningExpr(c.resized(array))
	if !size.Is(syntax.Tuple, syntax.List) || names.Element(size, 2).Valid() {
		return false
	}
	height, width := names.Element(shape, 1).Text(), names.Element(shape, 2).Text()
	a, b := names.Element(size, 0).Text(), names.Element(size, 1).Text()
	return a == width && b == height || a == height && b == width // each library has its order
}

// resized returns the size to which an image, or an array of its pixels, was resized, or none.
func (c *example) resized(n syntax.Node) syntax.Node {
	for range 12 {
		n = c.info.DefiningExpr(n)
		function := n.Child(syntax.FieldFunction)
		switch n.Kind() {
		case syntax.BinaryOperator: // x / 255.0
			if !c.scalar(n.Child(syntax.FieldRight), 0) {
				return syntax.Node{}
			}
			n = n.Child(syntax.FieldLeft)
			continue
		case syntax.Call:
		default:
			return syntax.Node{}
		}
		switch name := c.info.Callee(n); name {
		case "cv2.resize":
			return names.Argument(n, 1, "dsize")
		case "tensorflow.keras.utils.load_img", "tensorflow.keras.preprocessing.image.load_img":
			return names.Argument(n, -1, "target_size")
		case "cv2.cvtColor", "numpy.array", "numpy.asarray", "numpy.float32", "tensorflow.keras.utils.img_to_array", "tensorflow.keras.preprocessing.image.img_to_array":
			n = names.Element(n.Child(syntax.FieldArguments), 0)
			continue
		}
		switch rule.Method(n) {
		case "resize":
			if opened := c.info.DefiningExpr(function.Child(syntax.FieldObject)); strings.HasPrefix(c.info.Callee(opened), "PIL.Image.") || rule.Method(opened) == "convert" {
				return names.Argument(n, 0, "size")
			}
			return syntax.Node{}
		case "astype", "copy", "convert":
			n = function.Child(syntax.FieldObject)
		default:
			return syntax.Node{}
		}
	}
	return syntax.Node{}
}
