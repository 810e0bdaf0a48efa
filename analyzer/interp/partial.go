package interp

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// A Partial is a functools.partial.
type Partial struct {
	value.Opaque
	f    value.Value
	args *value.Args
}

func (p *Partial) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "func":
		return p.f, true
	case "args":
		return value.Value{X: value.Tuple(p.args.Positional)}, true
	}
	return value.Value{}, false
}

func (p *Partial) Call(in *value.Interp, args *value.Args) value.Value {
	all := &value.Args{Positional: slices.Concat(p.args.Positional, args.Positional), Open: args.Open, Node: args.Node}
	if all.Open == nil {
		all.Open = p.args.Open
	}
	for _, a := range []*value.Args{p.args, args} {
		for name, v := range a.Keywords.All() {
			all.Keywords.Put(name, v)
		}
	}
	return Call(in, p.f, all)
}

// MakePartial evaluates functools.partial.
func MakePartial(in *value.Interp, args *value.Args) value.Value {
	rest := *args
	f, ok := args.Get(0, "func")
	if !ok || len(args.Positional) == 0 {
		return in.Unknown(value.MissingArgument, "a partial of nothing")
	}
	rest.Positional = args.Positional[1:]
	return value.Value{X: &Partial{value.Opaque{Base: "a partial"}, f, &rest}}
}
