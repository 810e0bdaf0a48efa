package keras

import (
	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/python"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Calculator computes what the functions of libraries return, for whoever evaluates no program but
// asks for the shape of one expression.
type Calculator struct {
	In *value.Interp
	e  evaluator
}

// CalculatorOf returns the calculator of a module.
func CalculatorOf(info *names.Info) *Calculator {
	h := newHost(state.Environment{}, state.Unbounded)
	c := &Calculator{e: evaluator{h}}
	c.In = value.New(info, c.e, python.Library())
	h.Interp = c.In
	return c
}

// Array returns an array of a shape and a type, which may be unknown.
func (c *Calculator) Array(shape tensor.Shape, dtype tensor.DType) value.Value {
	return c.e.Arrays.Array(shape, dtype)
}

// Models reports whether a function is modelled. One that reads a file is not: a Calculator has none.
func (c *Calculator) Models(name string) bool {
	function, _ := ops.FunctionNamed(name)
	r := numpy.Loaded()
	_, creates := r.Functions.Lookup(name)
	_, owned := r.Owners.Lookup(name)
	_, reads := numpy.FileTable[name]
	owned = owned && !reads
	return function != nil || creates || owned || r.NumericNamed(name) != nil || numpy.WithoutNumbers[name] != nil
}

// Call returns the result of a function. It is unknown if the function is not modelled, and may be if it
// is: the function may refuse the arguments.
func (c *Calculator) Call(name string, args *value.Args) value.Value {
	return interp.Call(c.In, value.Value{X: value.External{Name: name}}, args)
}
