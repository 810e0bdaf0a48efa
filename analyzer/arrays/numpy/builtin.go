package numpy

import (
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// builtinData are the shapes of the data sets in Keras (keras/src/datasets).
var builtinData = map[string]labelledData{
	"mnist.load_data":         {train: 60000, test: 10000, example: tensor.Shape{28, 28}, classes: 10},
	"fashion_mnist.load_data": {train: 60000, test: 10000, example: tensor.Shape{28, 28}, classes: 10},
	"cifar10.load_data":       {train: 50000, test: 10000, example: tensor.Shape{32, 32, 3}, label: tensor.Shape{1}, classes: 10},
	"cifar100.load_data":      {train: 50000, test: 10000, example: tensor.Shape{32, 32, 3}, label: tensor.Shape{1}, classes: 100, coarse: 20},
	"imdb.load_data":          {train: 25000, test: 25000, classes: 2},
	"reuters.load_data":       {train: 8982, test: 2246, classes: 46, rare: true},
}

// labelledData is examples of one shape, some of them for testing, with a label each.
type labelledData struct {
	train, test    int64
	example, label tensor.Shape
	classes        int64
	coarse         int64 // classes with label_mode="coarse"
	rare           bool  // some classes have so few examples that the ones for testing may have none
}

// DatasetTable are the load_data functions of keras.datasets.
var DatasetTable = []Table{
	Rows("tensorflow.keras.datasets.", builtinData, func(d labelledData) Function {
		return func(c *Call) value.Value { return c.Lib.builtin(d, c.Args) }
	}),
	{
		"tensorflow.keras.datasets.california_housing.load_data": houses(20640, 8, "float32"),
		"tensorflow.keras.datasets.boston_housing.load_data":     houses(506, 13, "float64"),
	},
}

// houses returns a function that loads a table of houses and their prices, a fifth of them for
// testing.
func houses(n, features int64, d tensor.DType) Function {
	train := n * 4 / 5
	return func(c *Call) value.Value {
		return pairs(c.Lib.Array(tensor.Shape{train, features}, d), c.Lib.Array(tensor.Shape{train}, d), c.Lib.Array(tensor.Shape{n - train, features}, d), c.Lib.Array(tensor.Shape{n - train}, d))
	}
}

// builtin returns one of the data sets of keras.datasets.
func (lib *Library) builtin(d labelledData, args *value.Args) value.Value {
	trained := Labels{Classes: d.classes}
	if mode, given := args.Get(0, "label_mode"); d.coarse > 0 && given {
		named, _ := mode.X.(string)
		trained.Classes = map[string]int64{"fine": d.classes, "coarse": d.coarse}[named]
	}
	if _, fewer := args.Keywords.Get("maxlen"); fewer {
		trained = Labels{}
	}
	tested := trained
	if d.rare {
		tested = Labels{}
	}
	part := func(n int64, shape tensor.Shape, of Labels) value.Value {
		return lib.Labelled(append(tensor.Shape{n}, shape...), "uint8", of)
	}
	return pairs(part(d.train, d.example, Labels{}), part(d.train, d.label, trained), part(d.test, d.example, Labels{}), part(d.test, d.label, tested))
}

// pairs returns two values for training, and two for testing.
func pairs(a, b, c, d value.Value) value.Value {
	return value.Value{X: value.Tuple{{X: value.Tuple{a, b}}, {X: value.Tuple{c, d}}}}
}
