package value

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Class is a class of the program.
type Class struct {
	Name  string
	Node  syntax.Node
	Bases []Value // *Class, External, or Unknown
	Attrs *Namespace

	mro     []Value // the class itself and what it inherits from, in order of look-up
	fields  []field // of a dataclass or a named tuple
	tuple   bool    // a named tuple
	members []Value // of an enumeration
	mixed   bool    // an enumeration whose members are numbers or texts too
	made    bool    // by dataclasses.dataclass
}

// A field of a dataclass, with its default where it has one.
type field struct {
	name  string
	value Value
}

// An Object is an instance of a class of the program.
type Object struct {
	Class *Class
	Attrs *Namespace // what is set on the instance
	Host  HostValue  // what stands behind it, or nil; see Host.Instance
	Args  *Args      // that it was made with; nil while it is being made
	holds any        // the *Dict or *List that it also is; nil for most
	keyed bool       // its keys are its attributes, too
	// past are attributes that were set past what its class does when one is, as by
	// object.__setattr__ or in __dict__.
	past map[string]bool
}

// Past reports whether an attribute was set directly, bypassing __setattr__ of the object's
// class.
func (o *Object) Past(name string) bool { return o.past[name] }

func (o *Object) setPast(name string) {
	if o.past == nil {
		o.past = map[string]bool{}
	}
	o.past[name] = true
}

type (
	staticMethod struct{ f Value }
	classMethod  struct{ f Value }
	property     struct{ get, set Value }
)

// A super is what super() returns.
type super struct {
	self  Value
	class *Class // of self
	after *Class // beyond which to look
}

// lookup finds a name in a class and the classes of the program it inherits
// from.
func (c *Class) lookup(name string) (Value, bool) {
	for _, k := range c.mro {
		if k, ok := k.X.(*Class); ok {
			if v, ok := k.Attrs.Get(name); ok {
				return v, true
			}
		}
	}
	return Value{}, false
}

// inert are library classes that add nothing that matters here.
var inert = map[string]bool{
	"builtins.object": true, "abc.ABC": true, "typing.Generic": true, "typing.Protocol": true, "typing.NamedTuple": true,
}

func isEnum(name string) bool { return strings.HasPrefix(name, "enum.") }

// libraryBases are the library classes a class inherits from, in order of
// look-up, those left out that add nothing.
func (c *Class) libraryBases() []string {
	var out []string
	for _, k := range c.mro {
		if x, ok := k.X.(External); ok && !inert[x.Name] && !isEnum(x.Name) {
			out = append(out, x.Name)
		}
	}
	return out
}

// Inherits reports whether a class is, or inherits from, a library's class, by
// name.
func (c *Class) Inherits(name string) bool {
	return c.inheritsAny(func(base string) bool { return isSubclass(base, name) })
}

// open is why more may be inherited than is known, or empty.
func (c *Class) open() string {
	for _, k := range c.mro {
		if why := k.Why(); why != "" {
			return why
		}
	}
	if bases := c.libraryBases(); len(bases) > 0 {
		return "an attribute of " + bases[0] + ", which is not in this program"
	}
	return ""
}

// class makes the class of a definition.
func (in *Interp) class(n syntax.Node) Value {
	c := &Class{Name: n.Child(syntax.FieldName).Text(), Node: n, Attrs: in.namespace()}
	if bases := n.Child(syntax.FieldSuperclasses); bases.Valid() {
		for b := range bases.Children() {
			if !b.Is(syntax.KeywordArgument, syntax.Comment, syntax.ListSplat, syntax.DictionarySplat) {
				base := in.Eval(b)
				switch base.X.(type) {
				case *Class, External, Unknown:
				default:
					base = in.Unknown("the base %s of %s", b.Text(), c.Name)
				}
				c.Bases = append(c.Bases, Value{X: base.X})
			}
		}
	}
	if !in.linearizable(c) {
		c.Bases = []Value{in.Unknown("%s inherits from more than %d classes", c.Name, maxBases)}
	}
	c.linearize()
	def := in.frame.info.ClassAt(n)
	if def == nil {
		return in.Unknown("the class on line %d", in.line(n))
	}
	body := &frame{info: in.frame.info, scope: def.Scope, module: in.frame.module, outer: in.frame, vars: c.Attrs, class: true, building: c}
	in.inFrame(body, func() {
		in.closeExits(body, 0, in.block(n.Child(syntax.FieldBody)))
	})
	switch {
	case c.inheritsAny(isEnum):
		in.enumerate(c)
	case c.named() != nil: // what is annotated in its body is no field
		c.fields, c.tuple = c.named().fields, true
	case c.Inherits("typing.NamedTuple"):
		c.fields, c.tuple = body.fields, true
	default:
		c.annotated(body.fields)
	}
	in.announce(c, n.Child(syntax.FieldSuperclasses))
	return Value{X: c}
}

// announce tells the __init_subclass__ that a class inherits of it: so do classes enter
// themselves into a registry.
func (in *Interp) announce(c *Class, bases syntax.Node) {
	for _, k := range c.mro[1:] {
		k, ok := k.X.(*Class)
		if !ok {
			continue
		}
		if hook, ok := k.Attrs.Get("__init_subclass__"); ok {
			args := &Args{Node: c.Node}
			for b := range bases.Children() {
				switch {
				case b.Is(syntax.DictionarySplat):
					args.Open = "the arguments of class " + c.Name
				case b.Is(syntax.KeywordArgument) && b.Child(syntax.FieldName).Text() != "metaclass":
					args.Keywords.Put(b.Child(syntax.FieldName).Text(), in.Eval(b.Child(syntax.FieldValue)))
				}
			}
			if f, ok := hook.X.(*Func); ok {
				hook = Value{X: &classMethod{f: Value{X: f}}}
			}
			in.Call(in.bound(Value{X: c}, hook), args)
			return
		}
	}
}

// named is the named tuple that a class inherits from, or nil.
func (c *Class) named() *Class {
	for _, k := range c.mro[1:] {
		if k, ok := k.X.(*Class); ok && k.tuple {
			return k
		}
	}
	return nil
}

func (c *Class) inheritsAny(is func(string) bool) bool {
	return slices.ContainsFunc(c.mro, func(k Value) bool { x, ok := k.X.(External); return ok && is(x.Name) })
}

// maxBases is how many classes a class inherits from, at most: each look-up of an attribute
// goes through them.
const maxBases = 64

// linearizable reports whether a class has few enough ancestors to order them, which
// compares each with each.
func (in *Interp) linearizable(c *Class) bool {
	n := len(c.Bases)
	for _, b := range c.Bases {
		if k, ok := b.X.(*Class); ok {
			n += len(k.mro)
		}
	}
	return n <= maxBases && in.Spend(n/2) && (len(c.Bases) == 1 || in.Spend(n*n/64))
}

// linearize orders what a class inherits from as Python's C3 does; where that
// has no answer, by depth.
func (c *Class) linearize() {
	if len(c.Bases) == 1 {
		c.mro = append(c.mro, Value{X: c}, c.Bases[0])
		if k, ok := c.Bases[0].X.(*Class); ok {
			c.mro = append(c.mro[:1], k.mro...)
		}
		return
	}
	var lists [][]Value
	for _, b := range c.Bases {
		if k, ok := b.X.(*Class); ok {
			lists = append(lists, slices.Clone(k.mro))
		} else {
			lists = append(lists, []Value{b})
		}
	}
	lists = append(lists, slices.Clone(c.Bases))
	c.mro = []Value{{X: c}}
	isTail := func(v Value) bool {
		return slices.ContainsFunc(lists, func(l []Value) bool { return len(l) > 0 && indexOf(l[1:], v) >= 0 })
	}
	for {
		lists = slices.DeleteFunc(lists, func(l []Value) bool { return len(l) == 0 })
		if len(lists) == 0 {
			return
		}
		head := lists[0][0]
		for _, l := range lists {
			if !isTail(l[0]) {
				head = l[0]
				break
			}
		}
		c.mro = append(c.mro, head)
		for i, l := range lists {
			if at := indexOf(l, head); at >= 0 {
				lists[i] = slices.Delete(l, at, at+1)
			}
		}
	}
}

func indexOf(values []Value, v Value) int {
	return slices.IndexFunc(values, func(o Value) bool { return comparableType(o.X) && comparableType(v.X) && o.X == v.X })
}

// annotated notes the annotated names of a class: what they are is for
// dataclasses.dataclass to say.
func (c *Class) annotated(own []field) {
	for i := len(c.mro) - 1; i > 0; i-- {
		if k, ok := c.mro[i].X.(*Class); ok {
			for _, f := range k.fields {
				c.addField(f)
			}
		}
	}
	for _, f := range own {
		c.addField(f)
	}
}

func (c *Class) addField(f field) {
	if i := slices.IndexFunc(c.fields, func(o field) bool { return o.name == f.name }); i >= 0 {
		c.fields[i] = f
		return
	}
	c.fields = append(c.fields, f)
}

// instantiate calls a class.
func (in *Interp) instantiate(c *Class, args *Args) Value {
	if c.members != nil {
		return in.memberByValue(c, args)
	}
	if method, ok := c.lookup("__new__"); ok {
		v := in.Call(method, args.With(Value{X: c}))
		if o, ok := v.X.(*Object); ok && o.Class == c {
			if c.tuple { // whose items __new__ has given it
				o.Args = args
				return v
			}
			return in.initialize(o, args)
		}
		return v
	}
	return in.initialize(in.allocate(c), args)
}

// tupleOf makes a named tuple as tuple.__new__ does, past a __new__ of its class.
func (in *Interp) tupleOf(c *Class, args *Args) Value {
	o := in.allocate(c)
	if made := in.initializeFields(o, args); !made.Known() {
		return made
	}
	o.Args = args
	return Value{X: o}
}

// allocate makes an object that is not initialized yet.
func (in *Interp) allocate(c *Class) *Object {
	o := &Object{Class: c, Attrs: in.namespace()}
	o.Attrs.object = o
	bases := c.libraryBases()
	for _, base := range bases {
		if make, ok := heldTypes[base]; ok {
			o.holds = make()
			return o
		}
	}
	if in.hostMuted == 0 {
		for _, base := range bases {
			if o.Host = in.host.Instance(in, o, base); o.Host != nil {
				break
			}
		}
	}
	return o
}

func (in *Interp) initialize(o *Object, args *Args) Value {
	v := Value{X: o}
	made := Value{X: None{}}
	init, ok := o.Class.lookup("__init__")
	switch {
	case ok && !o.Class.generated():
		made = in.callMember(v, init, args)
	case o.Class.tuple || o.Class.dataclass():
		made = in.initializeFields(o, args)
	case o.holds != nil:
		made = special["__init__"](in, held(v), args)
	case o.Host != nil && in.hostMuted == 0:
		if init, ok := o.Host.Attr(in, "__init__"); ok {
			in.Call(init, args)
		}
	}
	if !made.Known() {
		return made // it raises
	}
	o.Args = args
	return v
}

func (in *Interp) callObject(o *Object, args *Args) Value {
	if method, ok := o.Class.lookup("__call__"); ok {
		return in.callMember(Value{X: o}, method, args)
	}
	switch {
	case in.hostMuted > 0:
		return in.unasked()
	case o.Host != nil:
		if in.Spend(hostCall) {
			return o.Host.Call(in, in.handedArgs(args))
		}
	}
	return in.Unknown("the result of calling a %s", o.Class.Name)
}

func (in *Interp) objectItem(o *Object, index Value) Value {
	if method, ok := o.Class.lookup("__getitem__"); ok {
		return in.callMember(Value{X: o}, method, &Args{Positional: []Value{index}})
	}
	if o.Class.tuple {
		return in.Index(Value{X: Tuple(o.fieldValues())}, index)
	}
	if o.holds != nil {
		if v, ok := in.missingKey(o, index); ok {
			return v
		}
		return in.Index(held(Value{X: o}), index)
	}
	if o.Host != nil && in.hostMuted == 0 {
		return o.Host.Index(in, in.handed(index))
	}
	return in.Unknown("an item of a %s", o.Class.Name)
}

// super evaluates a call of super.
func (in *Interp) super(n syntax.Node) Value {
	args := in.arguments(n)
	s := &super{}
	if len(args.Positional) >= 2 {
		s.after, _ = args.Positional[0].X.(*Class)
		s.self = args.Positional[1]
	} else {
		f := in.frame
		for f != nil && (f.comprehension || f.call == nil || f.call.Class == nil) {
			f = f.outer
		}
		if f != nil {
			s.after, s.self = f.call.Class, f.self
		}
	}
	switch x := s.self.X.(type) {
	case *Object:
		s.class = x.Class
	case *Class:
		s.class = x
	}
	if s.after == nil || s.class == nil {
		return in.Unknown("super() on line %d", in.line(n))
	}
	return Value{X: s}
}

func (in *Interp) superAttr(s *super, name string) Value {
	at := indexOf(s.class.mro, Value{X: s.after})
	for _, k := range s.class.mro[at+1:] {
		switch k := k.X.(type) {
		case *Class:
			if v, ok := k.Attrs.Get(name); ok {
				return in.bound(s.self, v)
			}
		case Unknown:
			return Value{X: k}
		}
	}
	o, _ := s.self.X.(*Object)
	if o != nil && o.holds != nil {
		if m, ok := methodOf(held(s.self), name); ok {
			return Value{X: m}
		}
	}
	if o != nil && o.Host != nil && in.hostMuted == 0 {
		if v, ok := o.Host.Attr(in, name); ok {
			return v
		}
	}
	switch name {
	case "__new__":
		return Value{X: Method(func(in *Interp, args *Args) Value {
			if v, ok := args.Get(0, "cls"); ok {
				if c, ok := v.X.(*Class); ok {
					if rest := *args; c.tuple {
						if len(rest.Positional) > 0 {
							rest.Positional = rest.Positional[1:]
						}
						return in.tupleOf(c, &rest)
					}
					return Value{X: in.allocate(c)}
				}
			}
			return in.Unknown("what %s.__new__ makes", s.class.Name)
		})}
	case "__init__", "__init_subclass__", "__post_init__":
		return Value{X: Method(func(*Interp, *Args) Value { return Value{X: None{}} })}
	case "__setattr__":
		return Value{X: Method(func(in *Interp, args *Args) Value {
			if len(args.Positional) == 2 && o != nil {
				if name, ok := args.Positional[0].X.(string); ok {
					in.store(o, name, args.Positional[1])
				}
			}
			return Value{X: None{}}
		})}
	}
	why := s.class.open()
	if why == "" {
		why = s.class.Name + " inherits no " + name
	}
	return in.Unknown("%s", why)
}

// isinstance reports whether v is an instance of a class.
func (in *Interp) isinstance(v, class Value) (truth, known bool) {
	switch c := class.X.(type) {
	case Tuple:
		known = true
		for _, one := range c {
			t, k := in.isinstance(v, one)
			if t && k {
				return true, true
			}
			known = known && k
		}
		return false, known
	case *Class:
		switch o := v.X.(type) {
		case *Object:
			if indexOf(o.Class.mro, class) >= 0 {
				return true, true
			}
			return false, !slices.ContainsFunc(o.Class.mro, func(k Value) bool { return !k.Known() })
		case Unknown, External:
			return false, false
		}
		return false, true
	case External:
		return in.isBuiltin(v, c.Name)
	}
	return false, false
}

// abstract are the names under which the types of Python are asked for.
var abstract = map[string][]string{
	"int": {"int", "bool"}, "float": {"float"}, "bool": {"bool"}, "str": {"str"}, "list": {"list"}, "tuple": {"tuple"},
	"dict": {"dict"}, "set": {"set"}, "range": {"range"}, "NoneType": {"NoneType"}, "object": nil,
	"numbers.Number": {"int", "bool", "float"}, "numbers.Real": {"int", "bool", "float"}, "numbers.Integral": {"int", "bool"},
	"collections.abc.Sequence": {"list", "tuple", "str", "range"}, "typing.Sequence": {"list", "tuple", "str", "range"},
	"collections.abc.Iterable": {"list", "tuple", "str", "range", "dict", "set"}, "typing.Iterable": {"list", "tuple", "str", "range", "dict", "set"},
	"collections.abc.Mapping": {"dict"}, "typing.Mapping": {"dict"}, "typing.Dict": {"dict"}, "typing.List": {"list"}, "typing.Tuple": {"tuple"},
	"collections.OrderedDict": {}, "bytes": {}, "complex": {}, "frozenset": {}, "bytearray": {},
	"six.string_types": {"str"}, "six.integer_types": {"int", "bool"}, "collections.abc.Callable": {"function"}, "typing.Callable": {"function"},
}

func (in *Interp) isBuiltin(v Value, class string) (truth, known bool) {
	short := strings.TrimPrefix(class, "builtins.")
	if short == "object" {
		return true, true
	}
	if o, ok := v.X.(*Object); ok {
		if o.Class.Inherits(class) || o.Class.tuple && slices.Contains(abstract[short], "tuple") {
			return true, true
		}
		if o.Host != nil {
			if c, ok := o.Host.(Classed); ok {
				return c.IsInstance(class)
			}
		}
		_, python := abstract[short]
		return false, o.Class.open() == "" || python && !slices.ContainsFunc(o.Class.mro, func(k Value) bool { return !k.Known() })
	}
	if c, ok := v.X.(Classed); ok {
		return c.IsInstance(class)
	}
	names, python := abstract[short]
	kind := typeName(v)
	switch {
	case !python && isException(short):
		return false, kind != ""
	case !python && strings.HasPrefix(class, "tensorflow."), !python && strings.HasPrefix(class, "numpy."), !python && strings.HasPrefix(class, "pathlib."):
		return false, kind != "" && kind != "function" // a number or text of Python is none of a library's
	case !python, kind == "":
		if _, ok := v.X.(HostValue); ok && python {
			return false, true // what a Host models is none of Python's types
		}
		return false, false
	}
	return slices.Contains(names, kind), true
}

// typeName is the name of the Python type of a value, or empty where it is of
// no type of Python's own.
func typeName(v Value) string {
	switch x := v.X.(type) {
	case int64:
		return "int"
	case float64:
		return "float"
	case bool:
		return "bool"
	case string:
		return "str"
	case None:
		return "NoneType"
	case *List:
		if x.consumed || x.view {
			return "iterator"
		}
		return "list"
	case Tuple:
		return "tuple"
	case *Dict:
		return "dict"
	case *Set:
		return "set"
	case Range:
		return "range"
	case *Func, *Bound, Method, *staticMethod:
		return "function"
	case *Class:
		return "type"
	case Slice:
		return "slice"
	}
	return ""
}

// isSubclass reports whether a library's class is, or inherits from, another.
func isSubclass(class, ancestor string) bool {
	for range 16 {
		if class == ancestor {
			return class != ""
		}
		class = library.Base(class)
	}
	return false
}
