package python

import (
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/library"
	"github.com/tfmem/tfmem/analyzer/value"
)

// special returns the methods behind Python's own syntax.
func special() library.Table[func(in *value.Interp, self value.Value, args *value.Args) value.Value] {
	return library.Table[func(in *value.Interp, self value.Value, args *value.Args) value.Value]{
		"__getitem__": func(in *value.Interp, self value.Value, args *value.Args) value.Value {
			return interp.Index(in, self, value.Positional(args, 0))
		},
		"__setitem__": func(in *value.Interp, self value.Value, args *value.Args) value.Value {
			interp.SetItem(in, self, value.Positional(args, 0), value.Positional(args, 1))
			return value.NoneValue
		},
		"__delitem__": func(in *value.Interp, self value.Value, args *value.Args) value.Value {
			interp.DeleteItem(in, self, value.Positional(args, 0))
			return value.NoneValue
		},
		"__contains__": func(in *value.Interp, self value.Value, args *value.Args) value.Value {
			truth, known := interp.Member(in, self, value.Positional(args, 0))
			if !known {
				return in.Unknown(value.WrongType, "whether %s is in %s", interp.Describe(in, value.Positional(args, 0)), interp.Describe(in, self))
			}
			return value.Value{X: truth}
		},
		"__len__": func(in *value.Interp, self value.Value, _ *value.Args) value.Value {
			return length(in, &value.Args{Positional: []value.Value{self}})
		},
		"__iter__": func(in *value.Interp, self value.Value, _ *value.Args) value.Value {
			return iterator(in, &value.Args{Positional: []value.Value{self}})
		},
		"__repr__": func(in *value.Interp, self value.Value, _ *value.Args) value.Value { return interp.Repr(in, self) },
		"__init__": func(in *value.Interp, self value.Value, args *value.Args) value.Value {
			switch x := self.X.(type) {
			case *value.Dict:
				return updateDict(in, x, args)
			case *value.List:
				if len(args.Positional) > 0 {
					interp.Extend(in, x, value.Positional(args, 0))
				}
			}
			return value.NoneValue
		},
	}
}
