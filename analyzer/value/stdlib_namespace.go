package value

import (
	"path"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/library"
)

// simpleNamespace is the class of objects that only have attributes.
const simpleNamespace = "types.SimpleNamespace"

const maxNested = 64 // nesting of mappings and lists of settings

// withAttributes returns a copy of a dict whose keys are also attributes, as are those
// of the dicts inside it. It returns any other value unchanged.
func (in *Interp) withAttributes(v Value, depth int) Value { return in.below(nil, v, depth) }

// below is withAttributes inside the dict root, if there is one.
func (in *Interp) below(root *Dict, v Value, depth int) Value {
	d, ok := v.X.(*Dict)
	switch {
	case !ok || d.dotted:
		return v
	case depth == 0 || !in.Spend(len(d.Keys)):
		return in.Unknown(TooLong, "settings that are too deep to follow")
	}
	out := &Dict{Keys: slices.Clone(d.Keys), Open: d.Open, dotted: true, root: root}
	if root == nil {
		out.root = out
	}
	for _, item := range d.Values {
		out.Values = append(out.Values, in.below(out.root, item, depth-1))
	}
	v.X = out
	return v
}

// A partial is a functools.partial.
type partial struct {
	opaque
	f    Value
	args *Args
}

func (p *partial) GetAttr(in *Interp, name string) (Value, bool) {
	switch name {
	case "func":
		return p.f, true
	case "args":
		return Value{X: Tuple(p.args.Positional)}, true
	}
	return Value{}, false
}

func (p *partial) Call(in *Interp, args *Args) Value {
	all := &Args{Positional: slices.Concat(p.args.Positional, args.Positional), Open: args.Open, Node: args.Node}
	if all.Open == nil {
		all.Open = p.args.Open
	}
	for _, a := range []*Args{p.args, args} {
		for name, v := range a.Keywords.All() {
			all.Keywords.Put(name, v)
		}
	}
	return in.Call(p.f, all)
}

// makePartial evaluates functools.partial.
func (in *Interp) makePartial(args *Args) Value {
	rest := *args
	f, ok := args.Get(0, "func")
	if !ok || len(args.Positional) == 0 {
		return in.Unknown(MissingArgument, "a partial of nothing")
	}
	rest.Positional = args.Positional[1:]
	return Value{X: &partial{opaque{"a partial"}, f, &rest}}
}

// standard returns the functions of the standard library, and of its like.
func standard() library.Table[native] {
	rows := library.Table[native]{}
	add, lenient := adding(rows, false), adding(rows, true)
	addItertools(add, lenient)
	addPatterns(add)
	addPaths(add)
	for _, some := range []func(adder){addFunctions, addStructures, addEnvironment, addFiles, addSettings, addHydra} {
		some(lenient)
	}
	return rows
}

// addFunctions adds functions that return functions, or copies of values.
func addFunctions(lenient adder) {
	identity := Value{X: Method(func(in *Interp, args *Args) Value { return positional(args, 0) })}
	same := func(in *Interp, args *Args) Value {
		if v, ok := args.Get(0, "func"); ok {
			return v
		}
		return identity // tf.function(jit_compile=True)(f)
	}
	lenient(func(in *Interp, args *Args) Value { return in.makePartial(args) }, "functools.partial")
	lenient(same, "tensorflow.function", "tensorflow.autograph.experimental.do_not_convert", "functools.lru_cache", "functools.cache")
	lenient(func(in *Interp, args *Args) Value { return positional(args, 1) }, "typing.cast")
	lenient((*Interp).importModule, "importlib.import_module")
	lenient(func(*Interp, *Args) Value { return noneValue }, "random.seed")
	lenient(func(*Interp, *Args) Value { return identity }, "functools.wraps")
	lenient(same, "tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.notebook.tqdm", "tqdm.tqdm_notebook", "tqdm.autonotebook.tqdm")
	lenient(func(in *Interp, args *Args) Value {
		return in.Call(Value{X: External{"builtins.range"}}, &Args{Positional: args.Positional, Open: args.Open, Node: args.Node})
	}, "tqdm.trange", "tqdm.auto.trange", "tqdm.notebook.trange")
	for python2, name := range map[string]string{"iteritems": "items", "iterkeys": "keys", "itervalues": "values"} {
		lenient(func(in *Interp, args *Args) Value {
			return in.Call(in.Attr(positional(args, 0), name), &Args{Node: args.Node})
		}, "six."+python2)
	}
	lenient(reduce, "functools.reduce", "six.moves.reduce")
	lenient(func(in *Interp, args *Args) Value { return in.copied(positional(args, 0), 1) }, "copy.copy")
	lenient(func(in *Interp, args *Args) Value { return in.copied(positional(args, 0), 64) }, "copy.deepcopy")
	for op, name := range map[string]string{"+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow"} {
		lenient(func(in *Interp, args *Args) Value { return in.Binary(op, positional(args, 0), positional(args, 1)) }, "operator."+name)
	}
	lenient(func(in *Interp, args *Args) Value {
		i := positional(args, 0)
		return Value{X: Method(func(in *Interp, inner *Args) Value { return in.Index(positional(inner, 0), i) })}
	}, "operator.itemgetter")
	lenient(func(in *Interp, args *Args) Value {
		name, _ := positional(args, 0).X.(string)
		return Value{X: Method(func(in *Interp, inner *Args) Value { return in.Attr(positional(inner, 0), name) })}
	}, "operator.attrgetter")
	for _, name := range []string{"random.sample", "random.choices"} {
		lenient(func(in *Interp, args *Args) Value { return in.drawn(name, args) }, name)
	}
	for _, name := range []string{"random.shuffle", "numpy.random.shuffle"} {
		lenient(func(in *Interp, args *Args) Value {
			if l, ok := positional(args, 0).X.(*List); ok && l.Open == nil {
				in.touch(l)
				for i := range l.Items { // the length stays
					l.Items[i] = Because(Random, "the order that %s makes", name).On(args.Node).Unknown()
				}
			}
			return noneValue
		}, name)
	}
}

// drawn returns a list of a known length with unknown items.
func (in *Interp) drawn(name string, args *Args) Value {
	many, given := args.Get(map[bool]int{true: 1, false: -1}[name == "random.sample"], "k")
	n, ok := wholeOf(many)
	switch {
	case !given && name == "random.choices":
		n, ok = 1, true
	case !ok:
		l := unknownList(Because(Random, "how many items %s draws is not known: %s", name, in.describe(many)), false)
		return Value{X: &l}
	}
	if n < 0 || n > maxItems || !in.Spend(int(n)) {
		return in.Unknown(Random, "how many items %s draws", name)
	}
	item := in.Unknown(Random, "which items %s draws", name)
	if from, ok := positional(args, 0).X.(*List); ok && in.Spend(len(from.Items)/8) {
		if v, ok := from.widened(); ok && v.Known() {
			item = v
		}
	}
	return Value{X: &List{Items: slices.Repeat([]Value{item}, int(n))}}
}

// addStructures adds functions that create classes, objects and containers.
func addStructures(lenient adder) {
	lenient(namedTuple, "collections.namedtuple", "typing.NamedTuple")
	lenient(toDict, "collections.OrderedDict")
	lenient(func(in *Interp, args *Args) Value {
		rest := *args
		d := &Dict{}
		if len(args.Positional) > 0 {
			if args.Positional[0].X != (None{}) {
				d.missing = &args.Positional[0]
			}
			rest.Positional = args.Positional[1:]
		}
		in.update(d, toDict(in, &rest))
		return Value{X: d}
	}, "collections.defaultdict")
	lenient(func(in *Interp, args *Args) Value { return in.collectedArg(args) }, "collections.deque")
	lenient(func(in *Interp, args *Args) Value {
		return in.plainInstance(simpleNamespace, toDict(in, args).X.(*Dict))
	}, simpleNamespace, "argparse.Namespace")
	lenient(func(in *Interp, args *Args) Value { return in.withAttributes(toDict(in, args), maxNested) },
		"easydict.EasyDict", "ml_collections.ConfigDict", "ml_collections.config_dict.ConfigDict", "munch.Munch", "addict.Dict", "box.Box")
	lenient(dataclassField, "dataclasses.field")
	lenient(signature, "inspect.signature", "inspect.getfullargspec")
	lenient(asDict, "dataclasses.asdict")
	lenient(fieldsOf, "dataclasses.fields")
	lenient(func(in *Interp, args *Args) Value {
		switch x := positional(args, 0).X.(type) {
		case Unknown:
			return Value{X: x}
		case *Class:
			return Value{X: x.dataclass()}
		case *Instance:
			return Value{X: x.Class.dataclass()}
		}
		return Value{X: false}
	}, "dataclasses.is_dataclass")
	lenient(func(in *Interp, args *Args) Value {
		o, ok := positional(args, 0).X.(*Instance)
		if !ok || o.Class.fields == nil {
			return in.Unknown(UnmodelledPython, "a copy of %s", in.describe(positional(args, 0)))
		}
		rest := *args
		rest.Positional = nil
		return in.replaceFields(o, &rest)
	}, "dataclasses.replace")
	lenient(func(*Interp, *Args) Value { return Value{X: auto{}} }, "enum.auto")
}

func addPaths(add adder) {
	onText := func(f func(string) Value) func(in *Interp, args *Args) Value {
		return func(in *Interp, args *Args) Value {
			s, ok := in.pathText(positional(args, 0))
			if !ok {
				return in.Unknown(Environment, "a part of the path %s", in.describe(positional(args, 0)))
			}
			return f(s)
		}
	}
	cut := func(s string) (head, tail string) {
		i := strings.LastIndexByte(s, '/') + 1
		head, tail = s[:i], s[i:]
		if trimmed := strings.TrimRight(head, "/"); trimmed != "" {
			head = trimmed
		}
		return head, tail
	}
	add(func(in *Interp, args *Args) Value {
		out := ""
		for i := range args.Positional {
			s, ok := in.pathText(args.Positional[i])
			switch {
			case !ok:
				return in.Unknown(Environment, "a path of %s", in.describe(args.Positional[i]))
			case strings.HasPrefix(s, "/") || i == 0:
				out = s
			case out == "" || strings.HasSuffix(out, "/"):
				out += s
			default:
				out += "/" + s
			}
			if len(out) > maxText {
				return textTooLong().Unknown()
			}
		}
		return Value{X: out}
	}, "os.path.join")
	add(onText(func(s string) Value { _, tail := cut(s); return Value{X: tail} }), "os.path.basename")
	add(onText(func(s string) Value { head, _ := cut(s); return Value{X: head} }), "os.path.dirname")
	add(onText(func(s string) Value { head, tail := cut(s); return texts(head, tail) }), "os.path.split")
	add(onText(func(s string) Value {
		_, tail := cut(s)
		stem := strings.TrimLeft(tail, ".")
		i := strings.LastIndexByte(stem, '.')
		if i <= 0 {
			return texts(s, "")
		}
		end := len(s) - len(stem) + i
		return texts(s[:end], s[end:])
	}), "os.path.splitext")
	add(onText(func(s string) Value { return Value{X: path.Clean(s)} }), "os.path.normpath")
}

func addEnvironment(lenient adder) {
	get := func(in *Interp, args *Args) Value {
		if name, ok := positional(args, 0).X.(string); ok {
			if v, ok := in.environ.Get(name); ok {
				return v
			}
		}
		v, ok := args.Get(1, "default")
		if !ok {
			v = noneValue
		}
		v.Overridable = true
		return v
	}
	lenient(get, "os.environ.get", "os.getenv", "os.environ.pop")
	lenient(func(in *Interp, args *Args) Value {
		v := get(in, args)
		in.setItem(Value{X: External{"os.environ"}}, positional(args, 0), v)
		return v
	}, "os.environ.setdefault")
	lenient(func(in *Interp, args *Args) Value {
		d := &Dict{}
		in.update(d, positional(args, 0))
		for i, key := range d.Keys {
			in.setItem(Value{X: External{"os.environ"}}, key, d.Values[i])
		}
		return noneValue
	}, "os.environ.update")
}

// environment evaluates os.environ[index].
func (in *Interp) environment(index Value) Value {
	name, ok := index.X.(string)
	if !ok {
		return in.Unknown(Environment, "an environment variable")
	}
	if v, ok := in.environ.Get(name); ok {
		return v
	}
	return in.Unknown(Environment, "the environment variable %s", name)
}

// families finds modelled functions by a pattern of their name.
func families(name string) (native, bool) {
	if class, ok := strings.CutPrefix(name, "enum."); ok {
		return native{takesUnknown: true, run: func(in *Interp, args *Args) Value {
			return in.Unknown(UnmodelledPython, "an enumeration that enum.%s makes", class)
		}}, true
	}
	if isException(name) {
		return native{takesUnknown: true, run: func(in *Interp, args *Args) Value { return in.Unknown(UnmodelledPython, "a %s", name) }}, true
	}
	return native{}, false
}

// plainInstance returns an object with the given attributes.
func (in *Interp) plainInstance(class string, attrs *Dict) Value {
	c := &Class{Name: class, Attrs: in.namespace()}
	c.mro = []Value{{X: c}}
	if attrs.Open != nil {
		c.mro = append(c.mro, Value{X: Unknown{attrs.Open}})
	}
	o := in.allocate(c)
	for i, key := range attrs.Keys {
		if name, ok := key.X.(string); ok {
			o.Attrs.put(name, attrs.Values[i])
		}
	}
	return Value{X: o}
}

func (in *Interp) collectedArg(args *Args) Value {
	if len(args.Positional) == 0 {
		return Value{X: &List{}}
	}
	if len(args.Positional)+args.Keywords.Len() > 1 {
		l := unknownList(Because(UnmodelledPython, "a deque of limited length"), false)
		return Value{X: &l}
	}
	return Value{X: in.collected(positional(args, 0))}
}

func reduce(in *Interp, args *Args) Value {
	items, ok := in.Iterate(positional(args, 1))
	if !ok {
		return Value{X: Unknown{in.whyNotIterable(positional(args, 1))}}
	}
	if len(args.Positional) > 2 {
		items = append([]Value{args.Positional[2]}, items...)
	}
	if len(items) == 0 {
		return in.Unknown(WillRaise, "a reduce of nothing: TypeError")
	}
	v := items[0]
	for _, item := range items[1:] {
		v = in.Call(args.Positional[0], &Args{Positional: []Value{v, item}, Node: args.Node})
	}
	return v
}

// copied returns a copy of a value, to a depth.
func (in *Interp) copied(v Value, depth int) Value {
	if depth == 0 || !in.Spend(1) {
		return v
	}
	all := func(items []Value) []Value {
		items = slices.Clone(items)
		in.Spend(len(items))
		for i := range items {
			items[i] = in.copied(items[i], depth-1)
		}
		return items
	}
	switch x := v.X.(type) {
	case *List:
		l := *x
		l.Items = all(x.Items)
		v.X = &l
	case Tuple:
		v.X = Tuple(all(x))
	case *Dict:
		d := in.copyDict(x)
		d.Values = all(d.Values)
		v.X = d
	case *Set:
		v.X = &Set{Items: slices.Clone(x.Items), Open: x.Open}
	case *Instance:
		if x.Host != nil {
			return in.Unknown(UnmodelledPython, "a copy of a %s", x.Class.Name)
		}
		if x.Class.members != nil {
			return v
		}
		o := in.allocate(x.Class)
		if x.holds != nil {
			o.holds, o.keyed = in.copied(held(v), depth-1).X, x.keyed
		}
		for name, v := range x.Attrs.All() {
			o.Attrs.put(name, in.copied(v, depth-1))
		}
		v.X = o
	case *partial:
	case Object:
		return in.Unknown(UnmodelledPython, "a copy of %s", in.describe(v))
	}
	return v
}
