package facts

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// call evaluates a call of a function of a library, or of a method of an array.
func (t *trial) call(call syntax.Node, in *origins.Call) value.Value {
	function := call.Child(syntax.FieldFunction)
	name := t.info.Callee(call)
	if number := t.Number(call, in); number.Complete && t.varied == nil {
		return numeral(number)
	}
	if t.info.Builtin(call) == "len" || t.info.Builtin(call) == "float" || t.info.Builtin(call) == "int" {
		return t.functions.Array(tensor.Shape{}, t.unknownType)
	}
	if axes := axesOf(call); axes > 0 && axes != t.rank {
		return value.Value{}
	}
	first := names.Element(call.Child(syntax.FieldArguments), 0)
	object := value.Value{}
	var method value.Value
	if name == "" && function.Kind() == syntax.Attribute {
		object = t.array(function.Child(syntax.FieldObject), in)
		if object.X == nil {
			return object
		}
		if _, ok := object.X.(value.Object); ok {
			method = interp.Attr(t.functions.In, object, function.Child(syntax.FieldAttribute).Text())
		}
	}
	// What is not known among the arguments is an array or, where the function takes none there,
	// a number.
	for _, as := range []reading{{arrays: all}, {arrays: all, alike: true}, {arrays: 1}, {}, {opaque: true}} {
		args := t.arguments(call, in, as)
		var v value.Value
		switch {
		case args == nil || !mayBePictures(name, args):
			continue
		case name != "":
			if !t.functions.Models(name) {
				return t.prepared(call, first, in)
			}
			v = t.functions.Call(name, args)
		case method.Known():
			v = interp.Call(t.functions.In, method, args)
		default:
			return t.prepared(call, first, in)
		}
		if v = t.result(v); v.Known() {
			if to := call.Parent(); to.Kind() == syntax.Assignment && !first.Is(syntax.Identifier) {
				t.reads(to.Child(syntax.FieldLeft)) // it may be filled
			}
			return v
		}
	}
	if _, ok := object.X.(*numpy.Array); object.X != nil && !ok {
		return t.unknown(call)
	}
	for a := range call.Child(syntax.FieldArguments).Children() {
		if a.Kind() == syntax.KeywordArgument {
			a = a.Child(syntax.FieldValue)
		}
		if shape := shapeOf(t.array(a, in)); a != first && len(shape) > 0 && !t.sized && t.mayBroadcast(shape) {
			return t.unknown(call) // another argument may be what the function takes
		}
	}
	return value.Value{}
}

// axesOf returns how many axes an array has whose reshape names them one by one, as in
// x.reshape(-1, x.shape[0], x.shape[1]), or 0.
func axesOf(call syntax.Node) (axes int) {
	arguments := call.Child(syntax.FieldArguments)
	for c := range arguments.Children() {
		if c.Is(syntax.Tuple, syntax.List) {
			arguments = c
			break
		}
	}
	for c := range arguments.Children() {
		if c.Kind() == syntax.Subscript && c.Child(syntax.FieldValue).Child(syntax.FieldAttribute).Text() == "shape" && c.Child(syntax.FieldSubscript).Text() == strconv.Itoa(axes) {
			axes++
		} else if axes > 0 {
			return 0
		}
	}
	if names.Method(call) != "reshape" {
		return 0
	}
	return axes
}

// A reading says what the arguments of a call are of which nothing is known: the first so many are
// arrays, the others numbers. Those that are alike have as many dimensions as an array before them.
type reading struct {
	arrays int
	alike  bool
	opaque bool // they are neither, but for example names of files
}

const all = 1 << 10

// ofVectors are the functions that are called to make rows of vectors.
var ofVectors = []string{"numpy.atleast_2d", "numpy.vstack", "numpy.row_stack"}

// mayBePictures reports whether what a function on pictures is given first may be some. No picture has a
// height of 1.
func mayBePictures(function string, args *value.Args) bool {
	shape := shapeOf(objects.First(args))
	switch {
	case strings.HasPrefix(function, "tensorflow.image."):
		return len(shape) <= 4 && !(len(shape) == 3 && shape[0] == 1)
	case strings.HasPrefix(function, "cv2."):
		return len(shape) <= 3
	}
	return true
}

// arguments evaluates the arguments of a call.
func (t *trial) arguments(call syntax.Node, in *origins.Call, as reading) *value.Args {
	defer func(numbers, alike, opaque bool, rank int) {
		t.numbers, t.alike, t.opaque, t.rank = numbers, alike, opaque, rank
	}(t.numbers, t.alike, t.opaque, t.rank)
	t.alike, t.opaque = as.alike, as.opaque
	if slices.Contains(ofVectors, t.info.Callee(call)) {
		t.rank = 1
	}
	args := &value.Args{Node: call}
	for a := range call.Child(syntax.FieldArguments).Children() {
		name, n := "", a
		switch a.Kind() {
		case syntax.Comment:
			continue
		case syntax.DictionarySplat:
			return nil
		case syntax.ListSplat:
			more, ok := t.array(a.FirstChild(), in).X.(value.Tuple)
			if !ok {
				return nil
			}
			args.Positional = append(args.Positional, more...)
			continue
		case syntax.KeywordArgument:
			name, n = a.Child(syntax.FieldName).Text(), a.Child(syntax.FieldValue)
		}
		later := len(args.Positional) > 0 || name != "" && !objects.NamesFirst(name)
		t.numbers = len(args.Positional) >= as.arrays || name != "" && as.arrays != all || later && n.Is(syntax.Tuple, syntax.List)
		v := t.of(origins.Place{Node: n, In: in})
		if v.X == nil {
			return nil
		}
		if convert := interp.Attr(t.functions.In, v, "convert"); t.sized && shapeOf(v) == nil && convert.Known() {
			v = interp.Call(t.functions.In, convert, &value.Args{Positional: []value.Value{{X: "RGB"}}})
		}
		if shape := shapeOf(v); as.alike && len(shape) > 0 {
			t.rank = len(shape)
		}
		if name != "" {
			args.Keywords.Put(name, v)
		} else {
			args.Positional = append(args.Positional, v)
		}
	}
	return args
}

// prepared evaluates a call of a function that is not modelled. One that prepares examples returns as
// many as it gets. One that gets lists of one example is assumed to, too.
func (t *trial) prepared(call, first syntax.Node, in *origins.Call) value.Value {
	arguments := call.Child(syntax.FieldArguments)
	m := names.Method(call)
	if m == "texts_to_sequences" || m == "texts_to_matrix" || t.assumed && !prepares(call) {
		for a := range arguments.Children() {
			if n, ok := origins.Length(a); a.Kind() != syntax.KeywordArgument && (!ok || n != 1 || a.Kind() != syntax.List) {
				return t.unknown(call)
			}
		}
		if first.Kind() == syntax.List {
			t.reads(arguments)
			return t.functions.Array(slices.Repeat(tensor.Shape{tensor.None}, max(t.rank, 2)).With(0, 1), t.unknownType)
		}
	}
	if first.Valid() && prepares(call) {
		return t.of(origins.Place{Node: first, In: in})
	}
	return t.unknown(call)
}

// prepares reports whether a function, by its name, prepares examples and returns as many: those of
// scikit-learn's scalers and of programs themselves.
func prepares(call syntax.Node) bool {
	function := call.Child(syntax.FieldFunction)
	if function.Kind() == syntax.Attribute {
		function = function.Child(syntax.FieldAttribute)
	}
	name := strings.ToLower(function.Text())
	return name == "transform" || slices.ContainsFunc([]string{"preprocess", "normalize", "normalise", "standardize"}, func(part string) bool { return strings.Contains(name, part) })
}
