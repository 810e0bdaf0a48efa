package numpy

import (
	"math"
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// limits are the largest number of a type, the smallest normal one above 0, and the distance from
// 1 to the next number (numpy/_core/getlimits.py; in tensorflow/python/framework/dtypes.py the
// smallest is the most negative one).
type limits struct{ most, tiny, eps float64 }

var floats = map[tensor.DType]limits{
	"float16":  {65504, 0x1p-14, 0x1p-10},
	"bfloat16": {0x1.fep127, 0x1p-126, 0x1p-7},
	"float32":  {math.MaxFloat32, 0x1p-126, 0x1p-23},
	"float64":  {math.MaxFloat64, 0x1p-1022, 0x1p-52},
}

// ends returns the smallest and the largest number of a type. ok is false if it has none that can
// be represented here.
func ends(d tensor.DType) (least, most value.Value, ok bool) {
	bits := 8 * d.Size()
	switch {
	case d.Floating():
		return value.Value{X: -floats[d].most}, value.Value{X: floats[d].most}, true
	case strings.HasPrefix(string(d), "uint") && bits < 64:
		return value.Value{X: int64(0)}, value.Value{X: int64(1)<<bits - 1}, true
	case strings.HasPrefix(string(d), "int"):
		return value.Value{X: int64(math.MinInt64) >> (64 - bits)}, value.Value{X: int64(math.MaxInt64) >> (64 - bits)}, true
	}
	return value.Value{}, value.Value{}, false
}

// TypeAttr returns an attribute of a TensorFlow or NumPy type, which is represented by its name.
// ok is false if the text is not the name of a type.
func TypeAttr(text, name string) (v value.Value, ok bool) {
	d, ok := tensor.DTypeOf("tensorflow." + text)
	if !ok {
		return value.Value{}, false
	}
	whole := strings.Contains(text, "int")
	switch name {
	case "name", "base_dtype", "as_numpy_dtype", "type":
		return value.Value{X: text}, true
	case "is_floating":
		return value.Value{X: d.Floating()}, true
	case "is_integer":
		return value.Value{X: whole}, true
	case "is_unsigned":
		return value.Value{X: strings.HasPrefix(text, "uint")}, true
	case "is_bool":
		return value.Value{X: text == "bool"}, true
	case "is_complex":
		return value.Value{X: strings.HasPrefix(text, "complex")}, true
	case "size", "itemsize":
		return value.Value{X: d.Size()}, true
	case "min", "max":
		if least, most, ok := ends(d); ok && name == "min" {
			return least, true
		} else if ok {
			return most, true
		}
	}
	return objects.Unknown(value.UnmodelledUse, "%s of a data type is not followed", name), true
}

// typeInfo is numpy.finfo or numpy.iinfo of a type.
type typeInfo struct {
	value.Base
	of tensor.DType
}

func (t *typeInfo) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	float := floats[t.of]
	switch name {
	case "min", "max":
		return TypeAttr(string(t.of), name)
	case "bits":
		return value.Value{X: 8 * t.of.Size()}, true
	case "dtype":
		return value.Value{X: string(t.of)}, true
	case "eps":
		return value.Value{X: float.eps}, t.of.Floating()
	case "tiny", "smallest_normal":
		return value.Value{X: float.tiny}, t.of.Floating()
	}
	return t.Base.GetAttr(in, name)
}

// info answers numpy.finfo and numpy.iinfo of a type, or of that of a number or an array.
func (c *Call) info() value.Value {
	v := objects.First(c.Args)
	d := DTypeArgument(&value.Args{Keywords: value.Named("dtype", v)}, "")
	if a := c.Lib.asArray(c.In, v); a != nil && d == "" {
		d = a.DType
	}
	if _, _, ok := ends(d); !ok {
		return objects.Unknown(value.ArrayShape, "the data type whose limits are read is not known")
	}
	return value.Value{X: &typeInfo{"the limits of a type", d}}
}

// OpsReduced returns the type of a reduction in keras.ops: the mean of integers is a float, and
// their sum has at least 32 bits (keras/src/backend/tensorflow/numpy.py).
func OpsReduced(name string, d tensor.DType) tensor.DType {
	switch name {
	case "mean", "std", "var", "median":
		if !d.Floating() {
			return "float32"
		}
	case "count_nonzero":
		return "int32"
	case "sum", "prod":
		switch d {
		case "bool", "int8", "int16":
			return "int32"
		case "uint8", "uint16":
			return "uint32"
		}
	}
	return d
}
