package python

import (
	"path"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/library"
	"github.com/tfmem/tfmem/analyzer/value"
)

// standard returns the functions of the standard library, and of its like.
func standard() library.Table[value.Native] {
	rows := library.Table[value.Native]{}
	add, lenient := value.Adding(rows, false), value.Adding(rows, true)
	addItertools(add, lenient)
	addPatterns(add)
	addPaths(add)
	for _, some := range []func(value.Adder){addFunctions, addStructures, addEnvironment, addFiles, addSettings, addDotenv, addHydra, addHParams, addThreads, addListings} {
		some(lenient)
	}
	return rows
}

// addFunctions adds functions that return functions, or copies of values.
func addFunctions(lenient value.Adder) {
	identity := value.Value{X: value.Method(func(in *value.Interp, args *value.Args) value.Value { return value.Positional(args, 0) })}
	same := func(in *value.Interp, args *value.Args) value.Value {
		if v, ok := args.Get(0, "func"); ok {
			return v
		}
		return identity // tf.function(jit_compile=True)(f)
	}
	lenient(func(in *value.Interp, args *value.Args) value.Value { return interp.MakePartial(in, args) }, "functools.partial")
	lenient(same, "tensorflow.function", "tensorflow.autograph.experimental.do_not_convert", "functools.lru_cache", "functools.cache")
	lenient(func(in *value.Interp, args *value.Args) value.Value { return value.Positional(args, 1) }, "typing.cast")
	lenient(importModule, "importlib.import_module")
	lenient(func(*value.Interp, *value.Args) value.Value { return value.NoneValue }, "random.seed")
	lenient(func(*value.Interp, *value.Args) value.Value { return identity }, "functools.wraps")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		if over, ok := args.Get(0, "iterable"); ok {
			return over
		}
		return same(in, args)
	}, "tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.notebook.tqdm", "tqdm.tqdm_notebook", "tqdm.autonotebook.tqdm")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		return interp.Call(in, value.Value{X: value.External{Name: "builtins.range"}}, &value.Args{Positional: args.Positional, Open: args.Open, Node: args.Node})
	}, "tqdm.trange", "tqdm.auto.trange", "tqdm.notebook.trange")
	for python2, name := range map[string]string{"iteritems": "items", "iterkeys": "keys", "itervalues": "values"} {
		lenient(func(in *value.Interp, args *value.Args) value.Value {
			return interp.Call(in, interp.Attr(in, value.Positional(args, 0), name), &value.Args{Node: args.Node})
		}, "six."+python2)
	}
	lenient(reduce, "functools.reduce", "six.moves.reduce")
	lenient(func(in *value.Interp, args *value.Args) value.Value { return copied(in, value.Positional(args, 0), 1) }, "copy.copy")
	lenient(func(in *value.Interp, args *value.Args) value.Value { return copied(in, value.Positional(args, 0), 64) }, "copy.deepcopy")
	for op, name := range map[string]string{"+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow"} {
		lenient(func(in *value.Interp, args *value.Args) value.Value {
			return interp.Binary(in, op, value.Positional(args, 0), value.Positional(args, 1))
		}, "operator."+name)
	}
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		i := value.Positional(args, 0)
		return value.Value{X: value.Method(func(in *value.Interp, inner *value.Args) value.Value {
			return interp.Index(in, value.Positional(inner, 0), i)
		})}
	}, "operator.itemgetter")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		name, _ := value.Positional(args, 0).X.(string)
		return value.Value{X: value.Method(func(in *value.Interp, inner *value.Args) value.Value {
			return interp.Attr(in, value.Positional(inner, 0), name)
		})}
	}, "operator.attrgetter")
	for _, name := range []string{"random.sample", "random.choices"} {
		lenient(func(in *value.Interp, args *value.Args) value.Value { return drawn(in, name, args) }, name)
	}
	for _, name := range []string{"random.shuffle", "numpy.random.shuffle"} {
		lenient(func(in *value.Interp, args *value.Args) value.Value {
			if l, ok := value.Positional(args, 0).X.(*value.List); ok && l.Open == nil {
				in.Record(l)
				for i := range l.Items { // the length stays
					l.Items[i] = value.Because(value.Random, "the order that %s makes", name).On(args.Node).Unknown()
				}
			}
			return value.NoneValue
		}, name)
	}
}

// drawn returns a list of a known length with unknown items.
func drawn(in *value.Interp, name string, args *value.Args) value.Value {
	many, given := args.Get(map[bool]int{true: 1, false: -1}[name == "random.sample"], "k")
	n, ok := value.WholeOf(many)
	switch {
	case !given && name == "random.choices":
		n, ok = 1, true
	case !ok:
		l := value.UnknownList(value.Because(value.Random, "the number of items that %s draws is not known: %s", name, interp.Describe(in, many)), false)
		return value.Value{X: &l}
	}
	if n < 0 || n > value.MaxItems || !in.Spend(int(n)) {
		return in.Unknown(value.Random, "how many items %s draws", name)
	}
	item := in.Unknown(value.Random, "which items %s draws", name)
	if from, ok := value.Positional(args, 0).X.(*value.List); ok && in.Spend(len(from.Items)/8) {
		if v, ok := from.Widened(); ok && v.Known() {
			item = v
		}
	}
	return value.Value{X: &value.List{Items: slices.Repeat([]value.Value{item}, int(n))}}
}

// addStructures adds functions that create classes, objects and containers.
func addStructures(lenient value.Adder) {
	lenient(namedTuple, "collections.namedtuple", "typing.NamedTuple")
	lenient(toDict, "collections.OrderedDict")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		rest := *args
		d := &value.Dict{}
		if len(args.Positional) > 0 {
			if args.Positional[0].X != (value.None{}) {
				d.Missing = &args.Positional[0]
			}
			rest.Positional = args.Positional[1:]
		}
		interp.Update(in, d, toDict(in, &rest))
		return value.Value{X: d}
	}, "collections.defaultdict")
	lenient(func(in *value.Interp, args *value.Args) value.Value { return collectedArg(in, args) }, "collections.deque")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		return interp.PlainInstance(in, interp.SimpleNamespace, toDict(in, args).X.(*value.Dict))
	}, interp.SimpleNamespace, "argparse.Namespace")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		return interp.WithAttributes(in, toDict(in, args), interp.MaxNested)
	},
		"easydict.EasyDict", "ml_collections.ConfigDict", "ml_collections.config_dict.ConfigDict", "munch.Munch", "munch.munchify", "addict.Dict", "attrdict.AttrDict", "box.Box")
	lenient(dataclassField, "dataclasses.field")
	lenient(signature, "inspect.signature", "inspect.getfullargspec")
	lenient(asDict, "dataclasses.asdict")
	lenient(fieldsOf, "dataclasses.fields")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		switch x := value.Positional(args, 0).X.(type) {
		case value.Unknown:
			return value.Value{X: x}
		case *value.Class:
			return value.Value{X: x.Dataclass()}
		case *value.Instance:
			return value.Value{X: x.Class.Dataclass()}
		}
		return value.Value{X: false}
	}, "dataclasses.is_dataclass")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		o, ok := value.Positional(args, 0).X.(*value.Instance)
		if !ok || o.Class.Fields == nil {
			return in.Unknown(value.UnmodelledPython, "a copy of %s", interp.Describe(in, value.Positional(args, 0)))
		}
		rest := *args
		rest.Positional = nil
		return interp.ReplaceFields(in, o, &rest)
	}, "dataclasses.replace")
	lenient(func(*value.Interp, *value.Args) value.Value { return value.Value{X: value.Auto{}} }, "enum.auto")
}

func addPaths(add value.Adder) {
	onText := func(f func(string) value.Value) func(in *value.Interp, args *value.Args) value.Value {
		return func(in *value.Interp, args *value.Args) value.Value {
			s, ok := value.PathText(value.Positional(args, 0))
			if !ok {
				return in.Unknown(value.Environment, "a part of the path %s", interp.Describe(in, value.Positional(args, 0)))
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
	add(func(in *value.Interp, args *value.Args) value.Value {
		out := ""
		for i := range args.Positional {
			s, ok := value.PathText(args.Positional[i])
			switch {
			case isFileName(args.Positional[i]):
				return aFileName
			case !ok:
				return in.Unknown(value.Environment, "a path of %s", interp.Describe(in, args.Positional[i]))
			case strings.HasPrefix(s, "/") || i == 0:
				out = s
			case out == "" || strings.HasSuffix(out, "/"):
				out += s
			default:
				out += "/" + s
			}
			if len(out) > value.MaxText {
				return value.TextTooLong().Unknown()
			}
		}
		return value.Value{X: out}
	}, "os.path.join")
	part := func(f func(string) string) func(in *value.Interp, args *value.Args) value.Value {
		of := onText(func(s string) value.Value { return value.Value{X: f(s)} })
		return func(in *value.Interp, args *value.Args) value.Value {
			if isFileName(value.Positional(args, 0)) {
				return aFileName
			}
			return of(in, args)
		}
	}
	add(part(func(s string) string { _, tail := cut(s); return tail }), "os.path.basename")
	add(part(func(s string) string { head, _ := cut(s); return head }), "os.path.dirname")
	add(onText(func(s string) value.Value { head, tail := cut(s); return texts(head, tail) }), "os.path.split")
	add(onText(func(s string) value.Value {
		_, tail := cut(s)
		stem := strings.TrimLeft(tail, ".")
		i := strings.LastIndexByte(stem, '.')
		if i <= 0 {
			return texts(s, "")
		}
		end := len(s) - len(stem) + i
		return texts(s[:end], s[end:])
	}), "os.path.splitext")
	add(part(path.Clean), "os.path.normpath")
}

func addEnvironment(lenient value.Adder) {
	get := func(in *value.Interp, args *value.Args) value.Value {
		if name, ok := value.Positional(args, 0).X.(string); ok {
			if v, ok := in.Kept(value.Environ).Get(name); ok {
				return v
			}
		}
		v, ok := args.Get(1, "default")
		if !ok {
			v = value.NoneValue
		}
		v.Overridable = true
		return v
	}
	lenient(get, "os.environ.get", "os.getenv", "os.environ.pop")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		v := get(in, args)
		interp.SetItem(in, value.Value{X: value.External{Name: "os.environ"}}, value.Positional(args, 0), v)
		return v
	}, "os.environ.setdefault")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		d := &value.Dict{}
		interp.Update(in, d, value.Positional(args, 0))
		for i, key := range d.Keys {
			interp.SetItem(in, value.Value{X: value.External{Name: "os.environ"}}, key, d.Values[i])
		}
		return value.NoneValue
	}, "os.environ.update")
}

// families finds modelled functions by a pattern of their name.
func families(name string) (value.Native, bool) {
	if class, ok := strings.CutPrefix(name, "enum."); ok {
		return value.Native{TakesUnknown: true, Run: func(in *value.Interp, args *value.Args) value.Value {
			return in.Unknown(value.UnmodelledPython, "an enumeration that enum.%s makes", class)
		}}, true
	}
	if value.IsException(name) {
		return value.Native{TakesUnknown: true, Run: func(in *value.Interp, args *value.Args) value.Value {
			return in.Unknown(value.UnmodelledPython, "a %s", name)
		}}, true
	}
	return value.Native{}, false
}

func collectedArg(in *value.Interp, args *value.Args) value.Value {
	if len(args.Positional) == 0 {
		args = &value.Args{Positional: []value.Value{{X: &value.List{}}}, Keywords: args.Keywords}
	}
	l := collected(in, value.Positional(args, 0))
	if given, ok := args.Get(1, "maxlen"); ok && given.X != (value.None{}) {
		limit, known := given.Int()
		switch over := int64(len(l.Items)) - limit; {
		case !known || limit < 1:
			*l = value.UnknownList(value.Because(value.UnmodelledPython, "a deque of limited length"), false)
		case over > 0:
			l.Items = l.Items[over:]
		}
		l.Limit = max(limit, 0)
	}
	return value.Value{X: l}
}

func reduce(in *value.Interp, args *value.Args) value.Value {
	items, ok := interp.Iterate(in, value.Positional(args, 1))
	if !ok {
		return value.Value{X: value.Unknown{Cause: interp.WhyNotIterable(in, value.Positional(args, 1))}}
	}
	if len(args.Positional) > 2 {
		items = append([]value.Value{args.Positional[2]}, items...)
	}
	if len(items) == 0 {
		return in.Unknown(value.WillRaise, "a reduce of nothing: TypeError")
	}
	v := items[0]
	for _, item := range items[1:] {
		v = interp.Call(in, args.Positional[0], &value.Args{Positional: []value.Value{v, item}, Node: args.Node})
	}
	return v
}

// copied returns a copy of a value, to a depth.
func copied(in *value.Interp, v value.Value, depth int) value.Value {
	if depth == 0 || !in.Spend(1) {
		return v
	}
	all := func(items []value.Value) []value.Value {
		items = slices.Clone(items)
		in.Spend(len(items))
		for i := range items {
			items[i] = copied(in, items[i], depth-1)
		}
		return items
	}
	switch x := v.X.(type) {
	case *value.List:
		l := *x
		l.Items = all(x.Items)
		v.X = &l
	case value.Tuple:
		v.X = value.Tuple(all(x))
	case *value.Dict:
		d := in.CopyDict(x)
		d.Values = all(d.Values)
		v.X = d
	case *value.Set:
		v.X = &value.Set{Items: slices.Clone(x.Items), Open: x.Open}
	case *value.Instance:
		if x.Host != nil {
			return in.Unknown(value.UnmodelledPython, "a copy of a %s", x.Class.Name)
		}
		if x.Class.Members != nil {
			return v
		}
		o := in.Allocate(x.Class)
		if x.Holds != nil {
			o.Holds, o.Keyed = copied(in, value.Held(v), depth-1).X, x.Keyed
		}
		for name, v := range x.Attrs.All() {
			o.Attrs.Put(name, copied(in, v, depth-1))
		}
		v.X = o
	case *interp.Partial:
	case value.Object:
		return in.Unknown(value.UnmodelledPython, "a copy of %s", interp.Describe(in, v))
	}
	return v
}

// importModule evaluates importlib.import_module(name, package) for a module of the
// program or a library.
func importModule(in *value.Interp, args *value.Args) value.Value {
	given, _ := args.Get(0, "name")
	name, ok := given.X.(string)
	up := len(name) - len(strings.TrimLeft(name, "."))
	if up > 0 { // relative to the package, one level up for each further dot
		of, _ := args.Get(1, "package")
		pack, _ := of.X.(string)
		parts := strings.Split(pack, ".")
		if pack == "" || up > len(parts) {
			ok = false
		} else {
			name = strings.Join(append(parts[:len(parts)-up+1:len(parts)], name[up:]), ".")
		}
	}
	if !ok || name == "" {
		return in.Unknown(value.UnmodelledPython, "which module importlib.import_module imports")
	}
	return imported(in, name)
}

func imported(in *value.Interp, name string) value.Value {
	if _, last := interp.Chain(in, name); last != nil {
		return value.Value{X: last}
	}
	return interp.External(in, name)
}

// dunderImport evaluates __import__(name, globals, locals, fromlist): the module if names are taken
// from it, the outermost package otherwise.
func dunderImport(in *value.Interp, args *value.Args) value.Value {
	called, _ := args.Get(0, "name")
	name, ok := called.X.(string)
	level, _ := args.Get(4, "level")
	if !ok || name == "" || level.X != nil && level.X != int64(0) {
		return in.Unknown(value.UnmodelledPython, "which module __import__ imports")
	}
	module := imported(in, name)
	from, given := args.Get(3, "fromlist")
	if some, known := interp.Truth(in, from); given && !known {
		return in.Unknown(value.UnmodelledPython, "whether __import__ takes names from %s", name)
	} else if some {
		return module
	}
	top, _, _ := strings.Cut(name, ".")
	return imported(in, top)
}

func issubclass(in *value.Interp, v, class value.Value) (truth, known bool) {
	if c, ok := v.X.(*value.Class); ok {
		return value.Isinstance(value.Value{X: &value.Instance{Class: c}}, class)
	}
	x, ok := v.X.(value.External)
	if !ok {
		return false, false
	}
	switch of := class.X.(type) {
	case value.Tuple:
		known = true
		for _, one := range of {
			t, k := issubclass(in, v, one)
			if t && k {
				return true, true
			}
			known = known && k
		}
		return false, known
	case *value.Class:
		return false, strings.HasPrefix(x.Name, "builtins.")
	case value.External:
		if value.IsSubclass(x.Name, of.Name) {
			return true, true
		}
		return value.IsSubtype(x.Name, of.Name)
	}
	return false, false
}
