package interp

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// External returns the External for a library's name in its canonical spelling.
func External(in *value.Interp, name string) value.Value {
	return named(in, value.Member{Name: name})
}

func canonical(in *value.Interp, m value.Member) string { return named(in, m).X.(value.External).Name }

func named(in *value.Interp, m value.Member) value.Value {
	v, ok := in.Externals[m]
	if !ok {
		name := m.Name
		if m.Of != "" {
			name = m.Of + "." + m.Name
		}
		v = value.Value{X: value.External{Name: effects.Library{}.Canonical(name)}}
		in.Externals[m] = v
	}
	return v
}

// externalAttr returns an attribute of a library's name: its constant if it is known,
// or the name.
func externalAttr(in *value.Interp, x value.External, name string) value.Value {
	return known(in, named(in, value.Member{Of: x.Name, Name: name}))
}

// constant returns the constant that a library's name stands for, or the name.
func constant(in *value.Interp, name string) value.Value {
	return known(in, External(in, name))
}

func known(in *value.Interp, x value.Value) value.Value {
	name := x.X.(value.External).Name
	if v, ok := in.Library.Constants.Lookup(name); ok {
		return value.Value{X: v}
	}
	if s, inside, ok := in.Library.Space(name); ok {
		return s.Get(in, inside)
	}
	if in.HostMuted == 0 {
		if v, ok := in.Host.Attr(in, name); ok {
			return v
		}
	}
	if v, ok := fallback(in, name); ok {
		return v
	}
	return x
}

// UnknownExternal returns the Unknown for a name that the program does not define.
func UnknownExternal(in *value.Interp, x value.External) value.Value {
	return in.Unknown(value.ExternalName, "%s is not in this program", x.Name)
}

// callExternal calls a library's function or class. What the settings say of a file that it reads
// counts for the result.
func callExternal(in *value.Interp, x value.External, args *value.Args) value.Value {
	v := external(in, x, args)
	return in.Said(in.Hints.OfFile(args), args.Node, v)
}

func external(in *value.Interp, x value.External, args *value.Args) value.Value {
	name, builtin := strings.CutPrefix(x.Name, "builtins.")
	f, native := in.Library.Function(name)
	if v := value.Positional(args, 0); f.Rounds && v.Many() {
		return v // also where the Host has the function for arrays
	}
	if !builtin {
		if in.HostMuted == 0 {
			if !in.Spend(value.HostCall) {
				return value.OutOfSteps.Unknown()
			}
			if v, ok := in.Host.Call(in, x.Name, in.HandedArgs(args)); ok {
				in.NoteArgsEscape(x.Name, args)
				return v
			}
		}
	}
	if native {
		return CallNative(in, f, args)
	}
	if builtin {
		if v, ok := unbound(in, name, args); ok {
			return v
		}
	}
	in.NoteArgsEscape(x.Name, args)
	if computes(x.Name) {
		if why := firstUnknown(args); why != nil {
			return value.Value{X: value.Unknown{Cause: why}}
		}
	}
	return in.Unknown(value.ExternalCall, "%s() is not in this program", x.Name)
}

// computes reports whether a function's result is unknown only because an argument is.
func computes(name string) bool {
	library, _, _ := strings.Cut(name, ".")
	return library == "numpy" || library == "tensorflow" || library == "math"
}

// CallNative calls a modelled function. Its result may be overridden if an argument may.
func CallNative(in *value.Interp, f value.Native, args *value.Args) value.Value {
	if !f.TakesUnknown {
		if why := firstUnknown(args); why != nil {
			return value.Value{X: value.Unknown{Cause: why}}
		}
	}
	v := f.Run(in, args)
	switch v.X.(type) {
	case int64, float64, bool, string, value.Tuple, value.Range, *value.List:
		for _, a := range args.Positional {
			v.Overridable = v.Overridable || a.Overridable
		}
		for _, a := range args.Keywords.All() {
			v.Overridable = v.Overridable || a.Overridable
		}
	}
	return v
}

// firstUnknown says why one of the arguments is unknown, or is nil.
func firstUnknown(args *value.Args) *value.Cause {
	for _, v := range args.Positional {
		if why := v.Cause(); why != nil {
			return why
		}
	}
	for _, v := range args.Keywords.All() {
		if why := v.Cause(); why != nil {
			return why
		}
	}
	return args.Open
}

// versionInfo returns sys.version_info of a recent Python.
func versionInfo(in *value.Interp) value.Value {
	c := &value.Class{Name: "sys.version_info", Attrs: in.Namespace(), Tuple: true}
	c.Mro = []value.Value{{X: c}}
	o := in.Allocate(c)
	for i, name := range []string{"major", "minor", "micro"} {
		c.Fields = append(c.Fields, value.Field{Name: name})
		o.Attrs.Put(name, value.Value{X: []int64{3, 11, 0}[i], Overridable: true})
	}
	return value.Value{X: o, Overridable: true}
}

// fallback returns the value of a library's name if the Host does not know it.
func fallback(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "sys.argv":
		return in.Unknown(value.CommandLine, "the command line is known only in a run"), true
	case "sys.version_info":
		return versionInfo(in), true
	case "sys.platform":
		return value.Value{X: "linux", Overridable: true}, true
	}
	if strings.HasSuffix(name, ".__version__") {
		return in.Unknown(value.Environment, "the version of %s", strings.TrimSuffix(name, ".__version__")), true
	}
	return value.Value{}, false
}
