package pipeline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// mayBeLarge reports whether a call of the program may make an array of at least so many bytes, so that
// no other program is interpreted for that: on testdata/rules it takes more than twice the time of all
// rules. It multiplies all the numbers that the arguments may mean, and never says no
// where the interpreter would know a large array of NumPy or TensorFlow.
func mayBeLarge(info *names.Info, least float64) bool {
	w := reach{info.Program(), loadsData(info.Program())}
	return slices.ContainsFunc(w.program, func(info *names.Info) bool {
		return slices.ContainsFunc(info.CallsTo(makesArray), func(call syntax.Node) bool {
			n := w.product(info, call.Child(syntax.FieldArguments), 5)
			if strings.HasPrefix(info.Callee(call), "tensorflow.keras.datasets.") {
				n = mostValues
			}
			for loop := call.Ancestor(syntax.ForStatement); loop.Valid(); loop = loop.Ancestor(syntax.ForStatement) {
				n *= w.product(info, loop.Child(syntax.FieldRight), 5)
			}
			return n*8 >= least
		})
	})
}

// loadsData reports whether a program loads a data set of Keras.
func loadsData(program []*names.Info) bool {
	return slices.ContainsFunc(program, func(info *names.Info) bool {
		return len(info.CallsTo(func(name string) bool { return strings.HasPrefix(name, "tensorflow.keras.datasets.") })) > 0
	})
}

// makesArray reports whether calling a name makes an array of a given size, or one of a data set of
// Keras.
func makesArray(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return false
	}
	switch module := name[:dot]; {
	case strings.HasPrefix(module, "tensorflow.keras.datasets.cifar"), name == "tensorflow.keras.utils.to_categorical":
		return true
	case module != "numpy" && module != "numpy.random" && module != "tensorflow" && module != "tensorflow.random":
		return false
	}
	switch name[dot+1:] {
	case "zeros", "ones", "empty", "ndarray", "full", "fill", "rand", "randn", "random", "random_sample", "standard_normal", "randint", "normal", "uniform", "truncated_normal", "arange", "tile", "repeat":
		return true
	}
	return false
}

// mostRows is the number of examples of the largest data set that comes with Keras, and mostValues
// that of the values of one of CIFAR.
const (
	mostRows   = 60_000
	mostValues = 50_000 * 32 * 32 * 3
)

// A reach multiplies the numbers that an expression reaches through names.
type reach struct {
	program []*names.Info
	rows    bool // the program loads a data set of Keras
}

func (w reach) product(info *names.Info, n syntax.Node, depth int) float64 {
	defer info.Enter(n).Leave()
	all := 1.0
	n.Walk(func(m syntax.Node) bool {
		switch m.Kind() {
		case syntax.Integer:
			x, _ := strconv.ParseFloat(strings.ReplaceAll(m.Text(), "_", ""), 64)
			all *= max(x, 1)
		case syntax.Lambda:
			return false
		case syntax.Identifier:
			if m.Field() == syntax.FieldAttribute || m.Field() == syntax.FieldName || depth == 0 {
				break
			}
			most := 1.0
			for _, b := range info.ReachingDefs(m) {
				most = max(most, w.bound(info, b, depth-1))
			}
			all *= most
		case syntax.Call, syntax.Subscript:
			if w.rows {
				all *= mostRows // len(x_train), x_train.shape[0]
			}
		}
		return all < 1e18
	})
	return all
}

// bound is product for what a binding gives its name.
func (w reach) bound(info *names.Info, b *names.Binding, depth int) float64 {
	if b.Kind != names.ParameterBinding || b.Scope.Func == nil {
		return w.product(info, b.Value, depth)
	}
	most := w.product(info, b.Value, depth)
	for _, module := range w.program {
		for _, call := range module.CallsOf(b.Scope.Func) {
			if passed := b.Scope.Func.Passed(call, b.Name); passed.Valid() {
				most = max(most, w.product(module, passed, depth))
			}
		}
	}
	return most
}
