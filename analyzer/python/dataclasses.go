package python

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/value"
)

func dataclassField(in *value.Interp, args *value.Args) value.Value {
	s := &value.FieldSpec{}
	s.Value = args.Keywords.Value("default")
	s.Factory = args.Keywords.Value("default_factory")
	init, ok := args.Keywords.Get("init")
	s.Inert = ok && init.X == false
	return value.Value{X: s}
}

// namedTuple evaluates collections.namedtuple and typing.NamedTuple.
func namedTuple(in *value.Interp, args *value.Args) value.Value {
	name, _ := args.Get(0, "typename")
	names, ok := args.Get(1, "field_names")
	if !ok {
		return in.Unknown(value.MissingArgument, "a named tuple without names")
	}
	c := &value.Class{Attrs: in.Namespace(), Tuple: true}
	c.Name, _ = name.X.(string)
	c.Mro = []value.Value{{X: c}}
	var fields []string
	if s, ok := names.X.(string); ok {
		fields = strings.Fields(strings.ReplaceAll(s, ",", " "))
	} else {
		items, ok := interp.Iterate(in, names)
		if !ok {
			return value.Value{X: value.Unknown{Cause: interp.WhyNotIterable(in, names)}}
		}
		for _, v := range items {
			if pair, ok := value.SequenceOf(v); ok && len(pair) > 0 { // a (name, type) pair of typing.NamedTuple
				v = pair[0]
			}
			s, ok := v.X.(string)
			if !ok {
				return in.Unknown(value.UnmodelledPython, "the names of %s", c.Name)
			}
			fields = append(fields, s)
		}
	}
	for _, f := range fields {
		c.Fields = append(c.Fields, value.Field{Name: f})
	}
	if defaults, ok := args.Keywords.Get("defaults"); ok {
		items, _ := interp.Iterate(in, defaults)
		for i, v := range items {
			if at := len(c.Fields) - len(items) + i; at >= 0 {
				c.Fields[at].Value = v
			}
		}
	}
	return value.Value{X: c}
}

// fieldsOf evaluates dataclasses.fields.
func fieldsOf(in *value.Interp, args *value.Args) value.Value {
	c, ok := value.Positional(args, 0).X.(*value.Class)
	if o, isObject := value.Positional(args, 0).X.(*value.Instance); isObject {
		c, ok = o.Class, true
	}
	if !ok || !c.Dataclass() {
		return in.Unknown(value.WrongType, "the fields of %s", interp.Describe(in, value.Positional(args, 0)))
	}
	missing := value.Value{X: value.External{Name: "dataclasses.MISSING"}}
	var out value.Tuple
	for _, f := range c.Fields {
		d := &value.Dict{}
		d.Put(value.Value{X: "name"}, value.Value{X: f.Name})
		standard, factory, initialized := f.Value, missing, true
		if spec, ok := f.Value.X.(*value.FieldSpec); ok {
			standard, initialized = spec.Value, !spec.Inert
			if spec.Factory.X != nil {
				factory = spec.Factory
			}
		}
		if standard.X == nil {
			standard = missing
		}
		d.Put(value.Value{X: "default"}, standard)
		d.Put(value.Value{X: "default_factory"}, factory)
		d.Put(value.Value{X: "init"}, value.Value{X: initialized})
		d.Put(value.Value{X: "type"}, in.Unknown(value.UnmodelledPython, "the type of the field %s", f.Name))
		out = append(out, interp.PlainInstance(in, "dataclasses.Field", d))
	}
	return value.Value{X: out}
}

// asDict evaluates dataclasses.asdict.
func asDict(in *value.Interp, args *value.Args) value.Value {
	v, _ := args.Get(0, "obj")
	return dictOfFields(in, v, 16)
}

func dictOfFields(in *value.Interp, v value.Value, depth int) value.Value {
	if depth == 0 || !in.Spend(1) {
		return in.Unknown(value.TooLong, "a structure that is too deep to follow")
	}
	switch x := v.X.(type) {
	case *value.Instance:
		if x.Class.Fields != nil {
			d := x.FieldDict().X.(*value.Dict)
			for i := range d.Values {
				d.Values[i] = dictOfFields(in, d.Values[i], depth-1)
			}
			return value.Value{X: d}
		}
	case *value.List:
		l := &value.List{Items: slices.Clone(x.Items), Open: x.Open}
		for i := range l.Items {
			l.Items[i] = dictOfFields(in, l.Items[i], depth-1)
		}
		return value.Value{X: l}
	case value.Tuple:
		t := slices.Clone(x)
		for i := range t {
			t[i] = dictOfFields(in, t[i], depth-1)
		}
		return value.Value{X: t}
	case *value.Dict:
		d := in.CopyDict(x)
		for i := range d.Values {
			d.Values[i] = dictOfFields(in, d.Values[i], depth-1)
		}
		return value.Value{X: d}
	}
	return v
}
