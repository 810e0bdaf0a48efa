package gym

import (
	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A space is an observation or action space: of arrays of a shape, or of n numbers.
type space struct {
	value.Base
	lib   *numpy.Library
	shape tensor.Shape
	dtype tensor.DType
	n     int64
}

func (s *space) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "shape":
		return objects.ShapeValue(s.shape), true
	case "dtype":
		return value.Value{X: string(s.dtype)}, true
	case "sample":
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return s.lib.Array(s.shape, s.dtype) })
	case "seed":
		return objects.Method(objects.Nothing)
	case "n":
		if s.n > 0 {
			return value.Value{X: s.n}, true
		}
	case "low", "high":
		if s.n == 0 {
			return s.lib.Array(s.shape, s.dtype), true
		}
	}
	return s.Base.GetAttr(in, name)
}

// spaces are the classes of spaces (gymnasium/spaces).
var spaces = map[string]numpy.Function{
	"Box": func(c *numpy.Call) value.Value {
		dtype := numpy.DTypeAt(c.Args, 3, "dtype", "float32")
		if v, given := objects.Given(c.Args, 2, "shape"); given {
			shape, ok := objects.Dims(v)
			if !ok {
				return value.Value{}
			}
			return value.Value{X: &space{"a space", c.Lib, shape, dtype, 0}}
		}
		for i, name := range []string{"low", "high"} {
			bound, _ := c.Args.Get(i, name)
			if shape, _, ok := numpy.Of(bound); ok && len(shape) > 0 {
				return value.Value{X: &space{"a space", c.Lib, shape, dtype, 0}}
			}
		}
		return value.Value{}
	},
	"Discrete": func(c *numpy.Call) value.Value {
		n, _ := c.Args.Get(0, "n")
		if many, ok := value.WholeOf(n); ok && many > 0 {
			return value.Value{X: &space{"a space", c.Lib, tensor.Shape{}, "int64", many}}
		}
		return value.Value{}
	},
	"MultiBinary": func(c *numpy.Call) value.Value {
		n, _ := c.Args.Get(0, "n")
		if many, ok := value.WholeOf(n); ok && many > 0 {
			return value.Value{X: &space{"a space", c.Lib, tensor.Shape{many}, "int8", 0}}
		}
		return value.Value{}
	},
	"MultiDiscrete": func(c *numpy.Call) value.Value {
		sizes, _ := c.Args.Get(0, "nvec")
		if shape, _, ok := numpy.Of(sizes); ok && len(shape) > 0 {
			return value.Value{X: &space{"a space", c.Lib, shape, "int64", 0}}
		}
		return value.Value{}
	},
}
