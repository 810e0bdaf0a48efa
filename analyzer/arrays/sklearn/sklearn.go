package sklearn

import (
	"cmp"
	"math"
	"strings"
	"unicode"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/arrays/pandas"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// tables are the data sets in scikit-learn: examples, features, and the classes of the examples
// if they have any (sklearn/datasets).
var tables = map[string]dataTable{
	"fetch_california_housing": {20640, 8, 0}, "load_iris": {150, 4, 3}, "load_digits": {1797, 64, 10}, "load_wine": {178, 13, 3},
	"load_breast_cancer": {569, 30, 2}, "load_diabetes": {442, 10, 0}, "fetch_olivetti_faces": {400, 4096, 40},
}

type dataTable struct{ examples, features, classes int64 }

// generated are the data sets that scikit-learn generates, with their defaults
// (sklearn/datasets/_samples_generator.py).
var generated = map[string]dataTable{
	"make_classification": {100, 20, 2}, "make_regression": {100, 100, 0}, "make_blobs": {100, 2, 3}, "make_moons": {100, 2, 2},
	"make_circles": {100, 2, 2}, "make_swiss_roll": {100, 3, 0}, "make_s_curve": {100, 3, 0},
}

// generate returns generated examples and their targets.
func generate(c *numpy.Call, t dataTable) value.Value {
	lib, name, args := c.Lib, c.Name, c.Args
	r := &numpy.Reader{Args: args}
	n := r.Number(0, "n_samples", t.examples)
	if many, ok := objects.Whole(args.Keywords.Value("n_samples")); ok && len(many) == 2 { // for each class
		r.Why, n = nil, many[0]+many[1]
	}
	for _, other := range []string{"coef", "return_centers", "return_X_y"} {
		if v, ok := args.Keywords.Get(other); ok && v.X != (other == "return_X_y") {
			return objects.Unknown(value.UnmodelledArgument, "the result of %s with %s is not known", name, other)
		}
	}
	d, target := tensor.DType("float64"), tensor.Shape{n}
	switch name {
	case "make_classification", "make_regression", "make_blobs":
		t.features = r.Number(1, "n_features", t.features)
	}
	switch name {
	case "make_classification":
		t.classes = r.Number(-1, "n_classes", t.classes)
	case "make_regression":
		if targets := r.Number(-1, "n_targets", 1); targets != 1 {
			target = tensor.Shape{n, targets}
		}
	case "make_blobs":
		centers, _ := args.Get(2, "centers")
		if shape, _, ok := numpy.Of(centers); ok && len(shape) == 2 {
			t.classes, t.features = shape[0], shape[1]
		} else {
			t.classes = r.Number(2, "centers", t.classes)
		}
	}
	if r.Why != nil {
		return r.Why.Unknown()
	}
	if t.classes > 0 {
		d = "int64"
	}
	if args.Keywords.Value("weights").X != nil || n < 50*t.classes { // some class may have none
		t.classes = 0
	}
	return value.Value{X: value.Tuple{lib.Array(tensor.Shape{n, t.features}, "float64"), lib.Labelled(target, d, numpy.Labels{Classes: t.classes})}}
}

// A transformer is a row: a class whose transform makes an array of a known shape of data.
type transformer struct {
	keeps   bool    // the shape of the data
	columns string  // the first argument, if it is the number of columns
	encodes encoder // labels
	// expands returns how many columns the class, made with the arguments, makes of so many; 0 if
	// that is not known.
	expands func(args *value.Args, features int64) int64
	// dtype is the type; if it is empty, a floating type of the data stays, but float16 with keeps
	// and expands alone, and others become float64.
	dtype tensor.DType
}

// transformers are the classes by their names in sklearn (sklearn/preprocessing and so on).
var transformers = map[string]transformer{
	"preprocessing.StandardScaler":               {keeps: true},
	"preprocessing.MinMaxScaler":                 {keeps: true},
	"preprocessing.RobustScaler":                 {keeps: true},
	"preprocessing.MaxAbsScaler":                 {keeps: true},
	"preprocessing.Normalizer":                   {keeps: true},
	"preprocessing.QuantileTransformer":          {keeps: true},
	"preprocessing.PowerTransformer":             {keeps: true},
	"preprocessing.PolynomialFeatures":           {expands: polynomial},
	"preprocessing.SplineTransformer":            {expands: splines},
	"preprocessing.OrdinalEncoder":               {keeps: true, dtype: "float64"},
	"preprocessing.LabelEncoder":                 {encodes: ordinal, dtype: "int64"},
	"preprocessing.OneHotEncoder":                {encodes: oneHotEncoded, dtype: "float64"},
	"preprocessing.LabelBinarizer":               {encodes: binarized, dtype: "int64"},
	"decomposition.PCA":                          {columns: "n_components"},
	"decomposition.IncrementalPCA":               {columns: "n_components"},
	"decomposition.KernelPCA":                    {columns: "n_components"},
	"decomposition.SparsePCA":                    {columns: "n_components"},
	"decomposition.MiniBatchSparsePCA":           {columns: "n_components"},
	"decomposition.TruncatedSVD":                 {columns: "n_components"},
	"decomposition.FastICA":                      {columns: "n_components"},
	"decomposition.FactorAnalysis":               {columns: "n_components", dtype: "float64"},
	"decomposition.NMF":                          {columns: "n_components"},
	"decomposition.MiniBatchNMF":                 {columns: "n_components"},
	"decomposition.LatentDirichletAllocation":    {columns: "n_components"},
	"decomposition.DictionaryLearning":           {columns: "n_components"},
	"manifold.TSNE":                              {columns: "n_components", dtype: "float32"},
	"manifold.MDS":                               {columns: "n_components", dtype: "float64"},
	"random_projection.GaussianRandomProjection": {columns: "n_components"},
	"cluster.KMeans":                             {columns: "n_clusters"},
	"cluster.MiniBatchKMeans":                    {columns: "n_clusters"},
}

// Table are the functions and classes of scikit-learn, and of libraries with its interface.
var Table = []numpy.Table{
	numpy.Rows("sklearn.datasets.", tables, func(t dataTable) numpy.Function {
		return func(c *numpy.Call) value.Value { return examples(c.Lib, t, c.Args) }
	}),
	numpy.Rows("sklearn.datasets.", generated, func(t dataTable) numpy.Function {
		return func(c *numpy.Call) value.Value { return generate(c, t) }
	}),
	numpy.Rows("sklearn.", transformers, func(t transformer) numpy.Function {
		return func(c *numpy.Call) value.Value { return newEstimator(c, t) }
	}),
	{
		"sklearn.utils.shuffle":                     func(c *numpy.Call) value.Value { return shuffled(c.Lib, c.In, c.Args) },
		"sklearn.model_selection.train_test_split":  trainTestSplit,
		"sklearn.cross_validation.train_test_split": trainTestSplit, // before 0.18
		"sklearn.model_selection.KFold":             folding,
		"sklearn.model_selection.StratifiedKFold":   folding,
		"sklearn.model_selection.GroupKFold":        folding,
		"sklearn.*":                                 otherEstimator,
		"xgboost.*":                                 otherEstimator,
		"lightgbm.*":                                otherEstimator,
		"catboost.*":                                otherEstimator,
		"imblearn.*":                                otherEstimator,
	},
}

// examples returns one of the data sets in scikit-learn.
func examples(lib *numpy.Library, t dataTable, args *value.Args) value.Value {
	d := tensor.DType("int64")
	if t.classes == 0 {
		d = "float64"
	}
	data, target := lib.Array(tensor.Shape{t.examples, t.features}, "float64"), lib.Labelled(tensor.Shape{t.examples}, d, numpy.Labels{Classes: t.classes})
	if both, ok := args.Keywords.Value("return_X_y").X.(bool); ok && both {
		return value.Value{X: value.Tuple{data, target}}
	}
	set := map[string]value.Value{"data": data, "target": target, "feature_names": lib.Array(tensor.Shape{t.features}, "string")}
	if t.classes > 0 {
		set["target_names"] = lib.Array(tensor.Shape{t.classes}, "string")
	}
	return value.Value{X: &objects.Fields{Base: "a data set", Values: set}}
}

// shuffled is each array in another order, or n_samples of each (sklearn/utils/_indexing.py,
// shuffle and resample).
func shuffled(lib *numpy.Library, in *value.Interp, args *value.Args) value.Value {
	r := &numpy.Reader{Args: args}
	n := r.Number(-1, "n_samples", tensor.None)
	out := &value.List{}
	for _, a := range args.Positional {
		shape, _, ok := numpy.Of(a)
		if !ok || len(shape) == 0 || r.Why != nil {
			out.Items = append(out.Items, numpy.Unknown(a))
			continue
		}
		_, some := args.Keywords.Get("n_samples")
		out.Items = append(out.Items, rowsOf(lib, in, a, map[bool]int64{true: n, false: shape[0]}[some], !some))
	}
	if len(out.Items) == 1 {
		return out.Items[0]
	}
	return value.Value{X: out}
}

// rowsOf returns so many examples of an array, or of a table. With all, the labels stay the same.
func rowsOf(lib *numpy.Library, in *value.Interp, v value.Value, n int64, all bool) value.Value {
	shape, d, _ := numpy.Of(v)
	switch x := v.X.(type) {
	case *pandas.DataFrame:
		return pandas.Frame(lib, in, x.Of(n))
	case *pandas.Series:
		return pandas.NewSeries(lib, n, d)
	case *numpy.Array:
		if all {
			return lib.Labelled(shape, d, x.Labels())
		}
	}
	return lib.Array(shape.With(0, n), d)
}

// newEstimator returns an object of a class with scikit-learn's interface.
func newEstimator(c *numpy.Call, t transformer) value.Value {
	library, _, _ := strings.Cut(c.Function, ".")
	e := &estimator{Base: value.Base("a " + c.Name + " of " + library), lib: c.Lib, transformer: t, args: c.Args, components: tensor.None}
	if n, ok := c.Args.Get(0, t.columns); ok && t.columns != "" { // a share of the variance is not an integer
		if e.components, ok = n.Int(); !ok {
			e.components = tensor.None
		}
	}
	return value.Value{X: e}
}

// otherEstimator is a class of which nothing else is known.
func otherEstimator(c *numpy.Call) value.Value {
	if c.Name == "" || !unicode.IsUpper(rune(c.Name[0])) {
		return value.Value{}
	}
	return newEstimator(c, transformer{})
}

// trainTestSplit splits each array in two (sklearn/model_selection/_split.py,
// _validate_shuffle_split).
func trainTestSplit(c *numpy.Call) value.Value {
	lib, in, args := c.Lib, c.In, c.Args
	part := func(n int64, keyword string, round func(float64) float64) int64 {
		switch x := args.Keywords.Value(keyword).X.(type) {
		case int64:
			return x
		case float64:
			return int64(round(x * float64(n)))
		}
		return tensor.None
	}
	out := &value.List{}
	for _, a := range args.Positional {
		shape, _, ok := numpy.Of(a)
		if !ok || len(shape) == 0 {
			why := numpy.Unknown(a)
			out.Items = append(out.Items, why, why)
			continue
		}
		train, test := tensor.None, tensor.None
		if n := shape[0]; n >= 0 {
			test, train = part(n, "test_size", math.Ceil), part(n, "train_size", math.Floor)
			switch {
			case test == tensor.None && train == tensor.None:
				test = int64(math.Ceil(0.25 * float64(n)))
				train = n - test
			case test == tensor.None:
				test = n - train
			case train == tensor.None:
				train = n - test
			}
		}
		for _, n := range []int64{train, test} {
			out.Items = append(out.Items, rowsOf(lib, in, a, n, false))
		}
	}
	return value.Value{X: out}
}

// An encoder splits labels into columns, or numbers (sklearn/preprocessing).
type encoder int

const (
	ordinal       encoder = 1 + iota // a number for each class
	oneHotEncoded                    // a column for each class
	binarized                        // the same, but one column for two classes
)

// An estimator is an object of scikit-learn or its like. Its methods have the names of a model's,
// but it is not a model.
type estimator struct {
	value.Base
	lib *numpy.Library
	transformer
	args *value.Args // that it was made with
	// seen is the number of classes in the labels that an encoder was fitted to: 0 before, None
	// if it is unknown. It is unknown for labels that are not read; then unread is set.
	seen   int64
	unread bool
	// features is the number of columns that it was fitted to; 0 if that is not known.
	features int64
	// components is the number of its output columns, whatever they are; None if it is not known.
	components int64
}

func (e *estimator) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "fit", "partial_fit":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			e.see(objects.First(args))
			return value.Value{X: e}
		})
	case "fit_transform", "transform":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			if name == "fit_transform" {
				e.see(objects.First(args))
			}
			return e.transformed(objects.First(args))
		})
	case "inverse_transform":
		if e.keeps {
			return objects.Method(func(_ *value.Interp, args *value.Args) value.Value { return e.transformed(objects.First(args)) })
		}
	case "mean_", "scale_", "var_", "min_", "center_", "data_min_", "data_max_", "data_range_":
		if e.keeps && e.features > 0 { // one number for each column
			return e.lib.Array(tensor.Shape{e.features}, "float64"), true
		}
	case "classes_":
		switch encodes := e.encodes == ordinal || e.encodes == binarized; {
		case encodes && e.seen > 0:
			return e.lib.Array(tensor.Shape{e.seen}, "int64"), true
		case encodes && e.unread && e.lib.Run.AtEnd():
			return value.Value{X: e.lib.UnreadLabels()}, true
		}
		return objects.Unknown(value.CategoryCount, "how many classes there are is in the data"), true
	case "predict", "predict_proba", "fit_predict", "score", "evaluate":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			return objects.Unknown(value.FileContents, "what %s tells", e.What())
		})
	}
	return objects.Unknown(value.UnmodelledUse, "%s of %s is not followed", name, e.What()), true
}

// see records the labels from which an encoder learns the classes, and the number of columns.
func (e *estimator) see(x value.Value) {
	e.features = 0
	if shape, _, ok := numpy.Of(x); ok && len(shape) == 2 {
		e.features = max(shape[1], 0)
	}
	n, labels := tensor.None, true
	if a, ok := x.X.(*numpy.Array); ok {
		if classes, known := a.Classes(); known {
			n = classes
		}
		labels = len(a.Shape) == 1 || len(a.Shape) == 2 && a.Shape.Last() == 1
	}
	if e.seen != 0 && e.seen != n {
		n = tensor.None
	}
	e.seen, e.unread = n, n == tensor.None && labels
}

// transformed returns the output for data; of an encoder for labels in a row or a column.
func (e *estimator) transformed(x value.Value) value.Value {
	shape, d, ok := numpy.Of(x)
	if d = cmp.Or(e.dtype, d); !d.Floating() && e.encodes == 0 || d == "float16" && !e.keeps && e.expands == nil {
		d = "float64"
	}
	switch {
	case e.keeps && !ok:
		return numpy.Unknown(x)
	case e.keeps:
		return e.lib.Array(shape, d)
	case ok && len(shape) == 2 && e.components > 0:
		return e.lib.Array(tensor.Shape{shape[0], e.components}, d)
	case ok && len(shape) == 2 && e.expands != nil && shape[1] > 0:
		if n := e.expands(e.args, shape[1]); n > 0 {
			return e.lib.Array(tensor.Shape{shape[0], n}, d)
		}
	}
	a, ok := x.X.(*numpy.Array)
	if !ok || len(a.Shape) == 0 || e.encodes == 0 {
		return objects.Unknown(value.FileContents, "what %s makes of data", e.What())
	}
	if e.encodes == ordinal {
		return e.lib.Labelled(a.Shape, d, a.Labels())
	}
	n, known := a.Classes()
	switch {
	case !known || len(a.Shape) > 1 && a.Shape.Last() != 1:
		n = tensor.None
	case e.encodes == binarized && n == 2:
		n = 1
	}
	of := numpy.Labels{Classes: max(n, 0), Hot: true}
	if n == 1 {
		of = numpy.Labels{}
	}
	return e.lib.Labelled(tensor.Shape{a.Shape[0], n}, d, of)
}

// polynomial counts the products of up to degree= features (sklearn/preprocessing/_polynomial.py,
// PolynomialFeatures._num_combinations).
func polynomial(args *value.Args, features int64) (n int64) {
	degrees := []int64{0, 2}
	if v, given := args.Get(0, "degree"); given {
		degrees, _ = objects.Whole(v)
		if most, ok := v.Int(); ok {
			degrees = []int64{0, most}
		}
	}
	flags := map[string]bool{"interaction_only": false, "include_bias": true}
	for name := range flags {
		if v, given := args.Keywords.Get(name); given {
			on, ok := v.X.(bool)
			if !ok {
				return 0
			}
			flags[name] = on
		}
	}
	if len(degrees) != 2 || degrees[0] < 0 || degrees[1] < degrees[0] || max(degrees[1], features) > mostTerms {
		return 0
	}
	least, most := degrees[0], degrees[1]
	if flags["interaction_only"] { // each feature once at most
		for i := max(1, least); i <= min(most, features) && n <= mostTerms; i++ {
			n += choices(features, i)
		}
	} else if n = choices(features+most, most); n <= mostTerms {
		n -= choices(features+max(least, 1)-1, features)
	}
	if flags["include_bias"] {
		n++
	}
	if n > mostTerms {
		return 0
	}
	return n
}

// splines counts the splines of each feature (sklearn/preprocessing/_polynomial.py,
// SplineTransformer.fit).
func splines(args *value.Args, features int64) int64 {
	knots, degree := int64(5), int64(3)
	for i, of := range []struct {
		name string
		n    *int64
	}{{"n_knots", &knots}, {"degree", &degree}} {
		if v, given := args.Get(i, of.name); given {
			var ok bool
			if *of.n, ok = v.Int(); !ok {
				return 0
			}
		}
	}
	if v, given := args.Keywords.Get("knots"); given {
		if _, named := v.X.(string); !named { // their places, a row each
			shape, _, ok := numpy.Of(v)
			if !ok || len(shape) != 2 || shape[1] != features {
				return 0
			}
			knots = shape[0]
		}
	}
	n := knots + degree - 1
	if v, given := args.Keywords.Get("extrapolation"); given {
		switch v.X {
		case "error", "constant", "linear", "continue":
		case "periodic":
			n = knots - 1
			if degree >= knots {
				return 0 // an error
			}
		default:
			return 0
		}
	}
	if v, given := args.Keywords.Get("include_bias"); given {
		switch v.X {
		case true:
		case false:
			n--
		default:
			return 0
		}
	}
	if sparse, given := args.Keywords.Get("sparse_output"); given && sparse.X != false {
		return 0 // a matrix of another kind
	}
	if knots < 2 || degree < 0 || max(knots, degree, features) > mostTerms {
		return 0
	}
	return n * features
}

// mostTerms is the largest number of columns that polynomial counts.
const mostTerms = 1 << 20

// choices returns in how many ways k of n can be chosen, more than mostTerms if there are so many.
func choices(n, k int64) int64 {
	out := int64(1)
	for i := range min(k, n-k) {
		if out = out * (n - i) / (i + 1); out > mostTerms {
			break
		}
	}
	return out
}

// folding is the object that splits data for cross-validation: each of n_splits iterations leaves
// out another part, all of the same size or one more (sklearn/model_selection/_split.py, KFold).
func folding(c *numpy.Call) value.Value {
	lib, name, args := c.Lib, c.Name, c.Args
	r := &numpy.Reader{Args: args}
	n := r.Number(0, "n_splits", 5)
	split, _ := objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
		x, _ := args.Get(0, "X")
		shape, _, ok := numpy.Of(x)
		if r.Why != nil || n < 2 || n > numpy.MostRows {
			return objects.Unknown(value.RowCount, "the number of folds is not known")
		}
		splits := &value.List{}
		for i := range n {
			test, train := tensor.None, tensor.None
			if ok && name == "KFold" && len(shape) > 0 && shape[0] >= n {
				test = shape[0] / n
				if i < shape[0]%n {
					test++
				}
				train = shape[0] - test
			}
			splits.Items = append(splits.Items, value.Value{X: value.Tuple{lib.Array(tensor.Shape{train}, "int64"), lib.Array(tensor.Shape{test}, "int64")}})
		}
		return value.Value{X: splits}
	})
	count, _ := objects.Method(func(*value.Interp, *value.Args) value.Value { return value.Value{X: n} })
	return value.Value{X: &objects.Fields{Base: "folds", Values: map[string]value.Value{"split": split, "get_n_splits": count, "n_splits": {X: n}}}}
}
