package arrays

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// builtinData are the shapes of the data sets in Keras (keras/src/datasets).
var builtinData = map[string]labelledData{
	"mnist":         {60000, 10000, tensor.Shape{28, 28}, tensor.Shape{}, 10},
	"fashion_mnist": {60000, 10000, tensor.Shape{28, 28}, tensor.Shape{}, 10},
	"cifar10":       {50000, 10000, tensor.Shape{32, 32, 3}, tensor.Shape{1}, 10},
	"cifar100":      {50000, 10000, tensor.Shape{32, 32, 3}, tensor.Shape{1}, 100},
	"imdb":          {25000, 25000, tensor.Shape{}, tensor.Shape{}, 2},
	"reuters":       {8982, 2246, tensor.Shape{}, tensor.Shape{}, 46},
}

// labelledData is examples of one shape, some of them for testing, with a label each.
type labelledData struct {
	train, test    int64
	example, label tensor.Shape
	classes        int64
}

// builtin answers for the load_data functions of keras.datasets.
func (lib *Library) builtin(name string, args *value.Args) (value.Value, bool) {
	set, ok := strings.CutSuffix(name, ".load_data")
	if !ok {
		return value.Value{}, false
	}
	switch set {
	case "california_housing":
		return pairs(lib.Array(tensor.Shape{16512, 8}, "float32"), lib.Array(tensor.Shape{16512}, "float32"), lib.Array(tensor.Shape{4128, 8}, "float32"), lib.Array(tensor.Shape{4128}, "float32")), true
	case "boston_housing":
		return pairs(lib.Array(tensor.Shape{404, 13}, "float64"), lib.Array(tensor.Shape{404}, "float64"), lib.Array(tensor.Shape{102, 13}, "float64"), lib.Array(tensor.Shape{102}, "float64")), true
	}
	d, ok := builtinData[set]
	if !ok {
		return value.Value{}, false
	}
	trained := labels{classes: d.classes}
	if mode, given := args.Get(0, "label_mode"); set == "cifar100" && given {
		named, _ := mode.X.(string)
		trained.classes = map[string]int64{"fine": 100, "coarse": 20}[named]
	}
	if _, fewer := args.Keywords.Get("maxlen"); fewer {
		trained = labels{}
	}
	tested := trained
	if set == "reuters" { // some classes have few examples
		tested = labels{}
	}
	part := func(n int64, shape tensor.Shape, of labels) value.Value {
		return lib.labelled(append(tensor.Shape{n}, shape...), "uint8", of)
	}
	return pairs(part(d.train, d.example, labels{}), part(d.train, d.label, trained), part(d.test, d.example, labels{}), part(d.test, d.label, tested)), true
}

// pairs returns two values for training, and two for testing.
func pairs(a, b, c, d value.Value) value.Value {
	return value.Value{X: value.Tuple{{X: value.Tuple{a, b}}, {X: value.Tuple{c, d}}}}
}
