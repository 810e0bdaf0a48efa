package facts

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TextVaries reports whether an expression is a string, or the path of a file, that surely is another one in
// each iteration of a loop: a line of a file, the name of a file in a folder, what a person types, and text
// that is made of one of these or of a number that varies.
func (f *Facts) TextVaries(n syntax.Node, in *origins.Call, loop syntax.Node) Change {
	defer f.info.Enter(n).Leave()
	p := origins.Place{Node: n, In: in}
	end, ok := f.begins(texts, p)
	if !ok {
		return Change{}
	}
	defer end()
	found := f.origins.Until(p, f.decides)
	if len(found) != 1 || len(found[0].Path) > 0 {
		return Change{}
	}
	origin := found[0]
	of := func(n syntax.Node) Change { return f.TextVaries(n, origin.In, loop) }
	either := func(n syntax.Node) Change { // what becomes part of a text
		if c := f.Varies(n, origin.In, loop); c.Surely {
			return c
		}
		return of(n)
	}
	switch n := origin.Node; n.Kind() {
	case syntax.Identifier:
		if b := f.info.ReachingDefs(n); len(b) == 1 && b[0].Kind == names.ForBinding {
			return f.textOf(n, b[0], loop)
		}
	case syntax.String, syntax.ConcatenatedString:
		return anyPart(n, syntax.Interpolation, func(part syntax.Node) Change { return either(part.FirstChild()) })
	case syntax.BinaryOperator:
		left, right := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
		switch operator := n.Child(syntax.FieldOperator).Text(); {
		case operator == "+" || operator == "/": // of paths
			if c := of(left); c.Surely {
				return c
			}
			return of(right)
		case operator == "%" && f.Kinds(left, origin.In).Surely(Text):
			if right.Kind() == syntax.Tuple {
				return anyOf(slices.Collect(right.Children()), either)
			}
			return either(right)
		}
	case syntax.Attribute:
		if slices.Contains([]string{"name", "stem", "path"}, n.Child(syntax.FieldAttribute).Text()) {
			return of(n.Child(syntax.FieldObject)) // of a file in a folder
		}
	case syntax.Call:
		return f.textOfCall(origin, loop, of, either)
	}
	return Change{}
}

// keepText are the methods of strings whose result differs where the string does, but for spaces and
// letters that nobody tells apart.
var keepText = []string{"strip", "rstrip", "lstrip", "lower", "upper", "decode", "encode", "replace", "title", "removesuffix", "removeprefix", "as_posix", "resolve"}

func (f *Facts) textOfCall(origin origins.Place, loop syntax.Node, of, either func(syntax.Node) Change) Change {
	n := origin.Node
	function, arguments := n.Child(syntax.FieldFunction), slices.Collect(n.Child(syntax.FieldArguments).Children())
	switch callee := f.info.Callee(n); callee {
	case "os.path.join", "os.path.abspath", "os.path.basename", "os.fspath", "pathlib.Path", "tensorflow.io.read_file":
		return anyOf(arguments, of)
	case "tensorflow.constant", "tensorflow.convert_to_tensor":
		return Change{} // one trace
	case "":
	default:
		return Change{}
	}
	switch f.info.Builtin(n) {
	case "str", "repr":
		return either(names.Element(n.Child(syntax.FieldArguments), 0))
	case "input":
		return Change{Surely: f.Repeats(origin, loop)}
	case "":
	default:
		return Change{}
	}
	object := function.Child(syntax.FieldObject)
	switch method := names.Method(n); {
	case slices.Contains(keepText, method):
		return of(object)
	case method == "format" && f.Kinds(object, origin.In).Surely(Text), method == "join" && f.Kinds(object, origin.In).Surely(Text):
		return anyOf(arguments, either)
	case method == "read" || method == "read_text":
		if made, ok := f.Only(object, origin.In); ok && f.opens(made.Node) {
			object = names.Element(made.Node.Child(syntax.FieldArguments), 0)
		}
		return of(object)
	}
	return Change{}
}

func anyOf(parts []syntax.Node, is func(syntax.Node) Change) Change {
	for _, part := range parts {
		if part.Kind() == syntax.KeywordArgument {
			part = part.Child(syntax.FieldValue)
		}
		if c := is(part); c.Surely {
			return c
		}
	}
	return Change{}
}

// anyPart asks for the parts of a kind in a node.
func anyPart(n syntax.Node, kind syntax.Kind, is func(syntax.Node) Change) (c Change) {
	n.Walk(func(part syntax.Node) bool {
		if part.Kind() == kind && !c.Surely {
			c = is(part)
		}
		return !c.Surely && part.Kind() != kind
	})
	return c
}

// textOf reports whether a name is the element of a loop over different texts.
func (f *Facts) textOf(n syntax.Node, b *names.Binding, loop syntax.Node) Change {
	of := b.Node.Ancestor(syntax.ForStatement, syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression)
	if of != loop || !n.Within(loop) || f.info.ScopeOf(n).Function() != f.info.ScopeOf(loop).Function() {
		return Change{}
	}
	iterable, pattern := b.Value, b.Node.Parent()
	if pattern.Is(syntax.PatternList, syntax.TuplePattern) {
		if f.info.Builtin(iterable) != "enumerate" || pattern.Field() != syntax.FieldLeft || pattern.FirstChild() == b.Node {
			return Change{}
		}
	} else if f.info.Builtin(iterable) == "enumerate" {
		return Change{}
	}
	if f.texts(origins.Place{Node: iterable}) {
		return Change{true, f.Items(iterable, nil)}
	}
	return Change{}
}

// texts reports whether the items of an iterable are texts of which surely most differ.
func (f *Facts) texts(p origins.Place) bool {
	defer f.info.Enter(p.Node).Leave()
	return f.origins.All(p, func(origin origins.Place, same func(origins.Place) bool) bool {
		n := origin.Node
		if len(origin.Path) > 0 || !n.Valid() {
			return false
		}
		of := func(n syntax.Node) bool { return n.Valid() && same(origins.Place{Node: n, In: origin.In}) }
		switch n.Kind() {
		case syntax.Attribute:
			return f.info.Qualified(n) == "sys.stdin"
		case syntax.ListComprehension, syntax.GeneratorExpression:
			return f.TextVaries(n.Child(syntax.FieldBody), origin.In, n).Surely
		case syntax.Call:
		default:
			return false
		}
		if f.opens(n) {
			return true
		}
		switch f.info.Callee(n) {
		case "os.listdir", "os.scandir", "glob.glob", "glob.iglob", "tensorflow.io.gfile.glob", "tensorflow.io.gfile.listdir", "tensorflow.io.matching_files":
			return true
		}
		switch f.iterableKind(n) {
		case "enumerate", "reversed", "list", "tuple", "sorted", "set", "iter", "tqdm":
			return of(names.Element(n.Child(syntax.FieldArguments), 0))
		}
		object := n.Child(syntax.FieldFunction).Child(syntax.FieldObject)
		switch names.Method(n) {
		case "readlines":
			made, ok := f.Only(object, origin.In)
			return ok && f.opens(made.Node)
		case "splitlines", "split": // the lines, or the words, of a file
			made, ok := f.Only(object, origin.In)
			read := made.Node.Child(syntax.FieldFunction).Child(syntax.FieldObject)
			file, opened := f.Only(read, made.In)
			return ok && names.Method(made.Node) == "read" && opened && f.opens(file.Node)
		case "glob", "rglob", "iterdir":
			made, ok := f.Only(object, origin.In)
			return ok && f.info.Callee(made.Node) == "pathlib.Path"
		}
		return false
	})
}

// opens reports whether a call opens a file for reading text.
func (f *Facts) opens(call syntax.Node) bool {
	if call.Kind() != syntax.Call {
		return false
	}
	switch f.info.Callee(call) {
	case "io.open", "codecs.open", "tensorflow.io.gfile.GFile":
	default:
		if f.info.Builtin(call) != "open" {
			return false
		}
	}
	mode, ok := names.StringValue(names.Argument(call, 1, "mode"))
	return !names.Argument(call, 1, "mode").Valid() || ok && mode != "" && mode[0] == 'r' && !slices.Contains([]byte(mode), 'b')
}
