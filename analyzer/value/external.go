package value

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
)

// A member is a name in a library's namespace.
type member struct{ of, name string }

// external returns the External for a library's name in its canonical spelling.
func (in *Interp) external(name string) Value {
	return in.named(member{name: name})
}

func (in *Interp) canonical(m member) string { return in.named(m).X.(External).Name }

func (in *Interp) named(m member) Value {
	v, ok := in.externals[m]
	if !ok {
		name := m.name
		if m.of != "" {
			name = m.of + "." + m.name
		}
		v = Value{X: External{effects.Library{}.Canonical(name)}}
		in.externals[m] = v
	}
	return v
}

// externalAttr returns an attribute of a library's name: its constant if it is known,
// or the name.
func (in *Interp) externalAttr(x External, name string) Value {
	return in.known(in.named(member{x.Name, name}))
}

// constant returns the constant that a library's name stands for, or the name.
func (in *Interp) constant(name string) Value {
	return in.known(in.external(name))
}

func (in *Interp) known(x Value) Value {
	name := x.X.(External).Name
	if v, ok := in.library.constants.Lookup(name); ok {
		return Value{X: v}
	}
	if s, inside, ok := in.library.space(name); ok {
		return s.get(in, inside)
	}
	if in.hostMuted == 0 {
		if v, ok := in.host.Attr(in, name); ok {
			return v
		}
	}
	if v, ok := in.fallback(name); ok {
		return v
	}
	return x
}

// libraries are the packages whose names stand for modules, functions and classes
// unless they are known constants.
var libraries = map[string]bool{
	"tensorflow": true, "numpy": true, "builtins": true, "math": true, "os": true, "functools": true, "itertools": true,
	"collections": true, "operator": true, "random": true, "time": true, "typing": true, "keras_cv": true, "keras_nlp": true,
	"tensorflow_datasets": true, "tensorflow_hub": true, "tensorflow_addons": true,
}

// isLibrary reports whether a name is of one of the libraries.
func isLibrary(name string) bool {
	first, _, _ := strings.Cut(name, ".")
	return libraries[first]
}

// unknownExternal returns the Unknown for a name that the program does not define.
func (in *Interp) unknownExternal(x External) Value {
	return in.Unknown(ExternalName, "%s, which is not in this program", x.Name)
}

// callExternal calls a library's function or class.
func (in *Interp) callExternal(x External, args *Args) Value {
	name, builtin := strings.CutPrefix(x.Name, "builtins.")
	if !builtin {
		if in.hostMuted == 0 {
			if !in.Spend(hostCall) {
				return tooLong.Unknown()
			}
			if v, ok := in.host.Call(in, x.Name, in.handedArgs(args)); ok {
				in.noteArgsEscape(x.Name, args)
				return v
			}
		}
		name = x.Name
	}
	if f, ok := in.library.function(name); ok {
		return in.callNative(f, args)
	}
	if builtin {
		if v, ok := in.unbound(name, args); ok {
			return v
		}
	}
	in.noteArgsEscape(x.Name, args)
	if computes(x.Name) {
		if why := firstUnknown(args); why != nil {
			return Value{X: Unknown{why}}
		}
	}
	return in.Unknown(ExternalCall, "the result of %s(), which is not in this program", x.Name)
}

// computes reports whether a function's result is unknown only because an argument is.
func computes(name string) bool {
	library, _, _ := strings.Cut(name, ".")
	return library == "numpy" || library == "tensorflow" || library == "math"
}

// A native is a modelled function of a [Library].
type native struct {
	run func(in *Interp, args *Args) Value
	// takesUnknown is set if the function can say something about its result even if an
	// argument is unknown.
	takesUnknown bool
}

// callNative calls a modelled function. Its result may be overridden if an argument may.
func (in *Interp) callNative(f native, args *Args) Value {
	if !f.takesUnknown {
		if why := firstUnknown(args); why != nil {
			return Value{X: Unknown{why}}
		}
	}
	v := f.run(in, args)
	switch v.X.(type) {
	case int64, float64, bool, string, Tuple, Range, *List:
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
func firstUnknown(args *Args) *Cause {
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
