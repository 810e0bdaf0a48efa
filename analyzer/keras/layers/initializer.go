package layers

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

func NewInitializer(c *state.Call) value.Value {
	name := c.Name[strings.LastIndex(c.Name, ".")+1:]
	i := &initializer{Opaque: state.Opaque{Base: "an initializer"}, h: c.H, class: classOf(strings.TrimSuffix(name, "_initializer"))}
	if given, ok := c.Args.Get(0, "value"); ok && i.class == "constant" {
		if a, isArray := given.X.(*numpy.Array); isArray && len(a.Shape) > 0 {
			i.class = "array"
		}
	}
	return value.Value{X: i}
}

// An initializer returns an array of the shape that it is called with.
type initializer struct {
	state.Opaque
	h     *state.Host
	class string
}

func (i *initializer) Call(_ *value.Interp, args *value.Args) value.Value {
	given, ok := args.Get(0, "shape")
	shape, known := objects.Dims(given)
	if !ok || !known {
		return numpy.Unknown(given)
	}
	return i.h.Arrays.Array(shape, numpy.DTypeArgument(args, "float32"))
}

// classOf returns the class of an initializer, in lower case, by a name that Keras knows it by
// (keras/src/initializers/__init__.py, ALL_OBJECTS_DICT).
func classOf(name string) string {
	name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
	switch name {
	case "normal":
		return "randomnormal"
	case "uniform":
		return "randomuniform"
	case "one", "zero":
		return name + "s"
	case "orthogonalinitializer":
		return "orthogonal"
	case "identityinitializer":
		return "identity"
	}
	return name
}

// InitializerOf returns the class of an initializer argument in lower case, "array" for an array of
// numbers, or "" if it is not known.
func InitializerOf(v value.Value) string {
	switch x := v.X.(type) {
	case *initializer:
		return x.class
	case string:
		return classOf(x)
	case *value.Dict: // of a configuration
		name, _ := x.Get("class_name")
		if class, ok := name.X.(string); ok {
			return classOf(class)
		}
	}
	return ""
}

// Initialized reads the initializer arguments of a layer, by weight name without "_kernel".
func Initialized(args *value.Args) map[string]string {
	var out map[string]string
	for name, v := range args.Keywords.All() {
		of, ok := strings.CutSuffix(name, "_initializer")
		if _, none := v.X.(value.None); !ok || none {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[of] = InitializerOf(v)
	}
	return out
}
