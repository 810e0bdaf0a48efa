package python

import (
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A fileName is the name of a file that a folder may have: a text or a path that only a run tells.
type fileName struct{ value.Opaque }

var aFileName = value.Value{X: fileName{value.Opaque{Base: "the name of a file"}}}

// listing returns the names of so many files as a folder has.
func listing(in *value.Interp, what string) value.Value {
	l := value.UnknownList(in.Unknown(value.Environment, "%s", what).Cause(), false)
	l.Typical = aFileName
	return value.Value{X: &l}
}

// isFileName reports whether a value is the name of a file that only a run tells.
func isFileName(v value.Value) bool { return v.X == aFileName.X }

// Shaped is what a tensor of it is.
func (fileName) Shaped() (tensor.Shape, tensor.DType, bool) { return tensor.Shape{}, "string", true }

// Widen joins it with another.
func (fileName) Widen(other value.Value) (value.Value, bool) { return aFileName, isFileName(other) }

// Binary joins it with another text or path.
func (f fileName) Binary(in *value.Interp, op string, other value.Value, _ bool) value.Value {
	if _, isText := value.PathText(other); op == "+" || op == "/" {
		if isText || isFileName(other) {
			return aFileName
		}
	}
	return in.Unknown(value.Environment, "%s of the name of a file", op)
}

func (f fileName) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "encode", "decode", "replace", "lower", "upper", "strip", "lstrip", "rstrip", "as_posix", "resolve", "absolute", "with_suffix", "__str__", "__fspath__":
		return value.Value{X: value.Method(func(*value.Interp, *value.Args) value.Value { return aFileName })}, true
	case "name", "stem", "parent", "suffix":
		return aFileName, true
	}
	return in.Unknown(value.Environment, "%s of the name of a file", name), true
}

func addListings(lenient value.Adder) {
	for _, name := range []string{"glob.glob", "glob.iglob", "os.listdir", "tensorflow.io.gfile.glob", "tensorflow.io.gfile.listdir"} {
		lenient(func(in *value.Interp, _ *value.Args) value.Value { return listing(in, "the files that "+name+" finds") }, name)
	}
}
