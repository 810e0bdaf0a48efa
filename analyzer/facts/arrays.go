package facts

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// LoadsData reports whether the program loads a data set that comes with Keras.
func (f *Facts) LoadsData() bool {
	return slices.ContainsFunc(f.info.Program(), func(module *names.Info) bool { return len(module.CallsTo(loadsData)) > 0 })
}

func loadsData(name string) bool { return strings.HasPrefix(name, "tensorflow.keras.datasets.") }

// MayFill reports whether a call of the program may make an array of at least so many bytes. It never
// says no where the interpreter would know a large array of NumPy or TensorFlow: rules ask it before they
// have a program interpreted for its arrays, which takes twice the time of all rules.
func (f *Facts) MayFill(bytes float64) bool {
	if f.largest == 0 {
		f.largest = f.largestArray()
	}
	return f.largest >= bytes
}

// largestArray returns the bytes that the largest array of a call of the program may have.
func (f *Facts) largestArray() float64 {
	const most = 50_000 * 32 * 32 * 3 // the values of CIFAR
	loads, largest := f.LoadsData(), 1.0
	for _, module := range f.info.Program() {
		for _, call := range module.CallsTo(makesArray) {
			n := f.product(call.Child(syntax.FieldArguments), loads)
			if loadsData(f.info.Callee(call)) {
				n = most
			}
			for loop := call.Ancestor(syntax.ForStatement); loop.Valid(); loop = loop.Ancestor(syntax.ForStatement) {
				n *= f.product(loop.Child(syntax.FieldRight), loads)
			}
			largest = max(largest, n*8)
		}
	}
	return largest
}

// makesArray reports whether calling a name makes an array of a given size, or one of a data set of Keras.
func makesArray(name string) bool {
	dot := max(strings.LastIndexByte(name, '.'), 0)
	return loadsData(name) && strings.Contains(name, "cifar") || name == "tensorflow.keras.utils.to_categorical" ||
		slices.Contains([]string{"numpy", "numpy.random", "tensorflow", "tensorflow.random"}, name[:dot]) && ofSize[name[dot+1:]]
}

// ofSize are the functions of NumPy and TensorFlow whose arguments are the size of their result.
var ofSize = map[string]bool{
	"zeros": true, "ones": true, "empty": true, "ndarray": true, "full": true, "fill": true, "rand": true, "randn": true, "random": true,
	"random_sample": true, "standard_normal": true, "randint": true, "normal": true, "uniform": true, "truncated_normal": true, "arange": true,
	"tile": true, "repeat": true,
}

// A magnitude multiplies the numbers that an expression is made of, and follows at most so many
// expressions: what lies beyond counts as one, like what is not known.
type magnitude struct {
	*Facts
	left  int
	loads bool // the program loads a data set of Keras
	known map[origins.Key]float64
}

// mostFollowed is enough for the size of an array of public programs. A program has many calls that
// make arrays, and each may get its size through the parameters of many functions.
const mostFollowed = 60

// product returns the product of all numbers that an expression is made of, the largest for each.
func (f *Facts) product(n syntax.Node, loads bool) float64 {
	m := magnitude{f, mostFollowed, loads, map[origins.Key]float64{}}
	return m.of(origins.Place{Node: n})
}

func (m *magnitude) of(p origins.Place) float64 {
	const mostRows = 60_000 // of the largest data set of Keras
	defer m.info.Enter(p.Node).Leave()
	if product, ok := m.known[p.Key()]; ok || m.left <= 0 {
		return max(product, 1)
	}
	m.known[p.Key()] = 1 // while it is being computed
	var from []origins.Place
	from, m.left = m.origins.Within(p, m.left)
	most := 1.0
	for _, origin := range from {
		all := 1.0
		switch n := origin.Node; {
		case n.Kind() == syntax.Lambda:
			continue
		case n.Kind() == syntax.Integer:
			all = max(literal(n).High, 1)
		case n.Kind() == syntax.Attribute:
			if preset := m.info.OptionDefault(n.Child(syntax.FieldAttribute).Text()); preset.Valid() {
				all = m.of(origins.Place{Node: preset})
			}
		case n.Is(syntax.Call, syntax.Subscript) && m.loads:
			all = mostRows // len(x_train), x_train.shape[0]
		}
		for part := range origin.Node.Children() {
			if part.Field() != syntax.FieldAttribute && part.Field() != syntax.FieldName {
				all *= m.of(origins.Place{Node: part, In: origin.In})
			}
		}
		most = max(most, all)
	}
	m.known[p.Key()] = most
	return most
}
