package keras

import (
	"math"
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// tables are the data sets that scikit-learn has, as examples and features
// (sklearn/datasets).
var tables = map[string]Shape{
	"fetch_california_housing": {20640, 8}, "load_iris": {150, 4}, "load_digits": {1797, 64}, "load_wine": {178, 13},
	"load_breast_cancer": {569, 30}, "load_diabetes": {442, 10}, "fetch_olivetti_faces": {400, 4096},
}

// scalers change the numbers of a table and not its shape.
var scalers = map[string]bool{"StandardScaler": true, "MinMaxScaler": true, "RobustScaler": true, "MaxAbsScaler": true, "Normalizer": true, "QuantileTransformer": true}

// sklearn answers for what scikit-learn does to arrays before Keras sees them.
func (h *host) sklearn(name string, args *value.Args) (value.Value, bool) {
	short := name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case tables[short] != nil:
		shape := tables[short]
		data, target := h.newArray(shape, "float64"), h.newArray(shape[:1], "float64")
		if both, ok := args.Keywords.Value("return_X_y").X.(bool); ok && both {
			return value.Value{X: value.Tuple{data, target}}, true
		}
		return value.Value{X: &fields{base{"a data set"}, map[string]value.Value{"data": data, "target": target}}}, true
	case short == "train_test_split":
		return h.trainTestSplit(args)
	case scalers[short]:
		return value.Value{X: &scaler{base{"a scaler"}, h}}, true
	}
	return value.Value{}, false
}

// trainTestSplit splits each array in two (sklearn/model_selection/_split.py,
// _validate_shuffle_split).
func (h *host) trainTestSplit(args *value.Args) (value.Value, bool) {
	part := func(n int64, keyword string, round func(float64) float64) int64 {
		switch x := args.Keywords.Value(keyword).X.(type) {
		case int64:
			return x
		case float64:
			return int64(round(x * float64(n)))
		}
		return None
	}
	out := &value.List{}
	for _, a := range args.Positional {
		shape, d, ok := arrayOf(a)
		if !ok || len(shape) == 0 {
			why := h.unknown("the shape of an array is not known: %s", because(a))
			out.Items = append(out.Items, why, why)
			continue
		}
		train, test := None, None
		if n := shape[0]; n >= 0 {
			test, train = part(n, "test_size", math.Ceil), part(n, "train_size", math.Floor)
			switch {
			case test == None && train == None:
				test = int64(math.Ceil(0.25 * float64(n)))
				train = n - test
			case test == None:
				test = n - train
			case train == None:
				train = n - test
			}
		}
		out.Items = append(out.Items, h.newArray(shape.with(0, train), d), h.newArray(shape.with(0, test), d))
	}
	return value.Value{X: out}, true
}

// fields is an object of which some attributes are known.
type fields struct {
	base
	values map[string]value.Value
}

func (f *fields) Attr(_ *value.Interp, name string) (value.Value, bool) {
	v, ok := f.values[name]
	return v, ok
}

func (f *fields) Index(_ *value.Interp, index value.Value) value.Value {
	if name, ok := index.X.(string); ok && f.values[name].X != nil {
		return f.values[name]
	}
	return f.unknown("an item of ")
}

// scaler is an object that scales arrays.
type scaler struct {
	base
	h *host
}

func (s *scaler) Attr(_ *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "fit":
		return method(func(*value.Interp, *value.Args) value.Value { return value.Value{X: s} })
	case "fit_transform", "transform", "inverse_transform":
		return method(func(_ *value.Interp, args *value.Args) value.Value {
			x, _ := args.Get(0, "X")
			shape, _, ok := arrayOf(x)
			if !ok {
				return s.h.unknown("the shape of an array is not known: %s", because(x))
			}
			return s.h.newArray(shape, "float64")
		})
	}
	return value.Value{}, false
}
