package layers

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/keras/classes"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/releases"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// What Keras 3 refuses and Keras 2 may accept, beside what the layer factories refuse themselves.

const fromKeras3 = "From Keras 3 on, TensorFlow will raise: "

// FromKeras3 formats the reason for a program that Keras 3 refuses.
func FromKeras3(format string, args ...any) *value.Cause {
	return value.Because(value.KerasRaises, fromKeras3+format, args...)
}

// OfKeras3 reports whether only Keras 3 is known to refuse a program for a reason.
func OfKeras3(why *value.Cause) bool { return why.Begins(fromKeras3) }

// RefusedArgument returns why a layer cannot be created with a keyword, or nil.
func RefusedArgument(h *state.Host, class, name string) *value.Cause {
	takes := func(major int) bool {
		names, known := classes.LayerArguments()[major][class]
		return !known || slices.Contains(names, name)
	}
	switch keras := h.Keras(); {
	case takes(keras):
		return nil
	case keras == 2:
		return value.Because(value.UnmodelledArgument, "%s: no Keras 2 of today takes the argument %s", class, name)
	case takes(2):
		return FromKeras3("%s takes no %s", class, name)
	}
	return value.Refused("%s takes no %s", class, name)
}

// RefusedInitializer returns why there is no initializer of a name, or nil. Beside those that Keras
// exports it knows some short names (keras/src/initializers/__init__.py, ALL_OBJECTS_DICT).
func RefusedInitializer(h *state.Host, name string) *value.Cause {
	short := slices.Contains([]string{"normal", "one", "uniform", "zero"}, name)
	if short || (effects.Library{}).Exports("tensorflow.keras.initializers", name) || namesOwnObjects(h.Interp.Info(), name) {
		return nil
	}
	return value.Refused("no initializer is called %q", name)
}

// Losses3 are the names of losses that Keras 3 knows (keras/src/losses/__init__.py,
// ALL_OBJECTS_DICT, recorded from 3.15.1).
var Losses3 = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(`Loss LossFunctionWrapper KLDivergence Poisson BinaryCrossentropy BinaryFocalCrossentropy
		CategoricalCrossentropy CategoricalFocalCrossentropy SparseCategoricalCrossentropy
		MeanSquaredError MeanAbsoluteError MeanAbsolutePercentageError MeanSquaredLogarithmicError CosineSimilarity LogCosh Huber
		Hinge SquaredHinge CategoricalHinge Dice Tversky Circle CTC kl_divergence poisson binary_crossentropy
		binary_focal_crossentropy categorical_crossentropy categorical_focal_crossentropy
		sparse_categorical_crossentropy mean_squared_error mean_absolute_error mean_absolute_percentage_error
		mean_squared_logarithmic_error cosine_similarity log_cosh huber hinge squared_hinge categorical_hinge dice tversky circle
		ctc bce BCE kld KLD mae MAE mse MSE mape MAPE msle MSLE`) {
		names[name] = true
	}
	return names
}()

// ComparableInKeras3 reports whether a loss of Keras 3 can compare labels with scores of their shapes;
// true if it is not known (keras/src/losses/loss.py, squeeze_or_expand_to_same_rank;
// keras/src/backend/tensorflow/nn.py).
func ComparableInKeras3(loss string, truth, guess tensor.Shape) bool {
	long, short := &truth, &guess
	if len(guess) > len(truth) {
		long, short = short, long
	}
	switch {
	case len(*long) != len(*short)+1 || long.Last() != 1:
	case len(*short) == 1:
		*short = append(slices.Clone(*short), 1)
	default:
		*long = (*long)[:len(*long)-1]
	}
	switch loss {
	case "binarycrossentropy", "bce", "binaryfocalcrossentropy", "categoricalcrossentropy":
		return len(truth) == len(guess) && broadcasts(truth, guess, false)
	case "sparsecategoricalcrossentropy":
		if len(truth) == len(guess) && truth.Last() == 1 {
			truth = truth[:len(truth)-1]
		}
		return len(truth) == len(guess)-1 && broadcasts(truth, guess[:len(guess)-1], false)
	case "mse", "meansquarederror", "mae", "meanabsoluteerror", "mape", "meanabsolutepercentageerror", "msle", "meansquaredlogarithmicerror", "huber", "logcosh":
		return broadcasts(truth, guess, true)
	}
	return true
}

// ComparableInKeras2 is the same for Keras 2, which compares as TensorFlow does, and takes labels of
// one dimension for a column (tf_keras/src/engine/compile_utils.py, match_dtype_and_rank;
// tf_keras/src/backend.py).
func ComparableInKeras2(loss string, truth, guess tensor.Shape) bool {
	if len(truth) == 1 && len(guess) == 2 {
		truth = append(slices.Clone(truth), 1)
	}
	switch loss {
	case "sparsecategoricalcrossentropy":
		labels, known := truth.Elements()
		scores, also := guess[:len(guess)-1].Elements()
		return !known || !also || labels == scores
	case "categoricalcrossentropy":
		return len(truth) == len(guess) && broadcasts(truth, guess, false)
	}
	return broadcasts(truth, guess, true)
}

// broadcasts reports whether two shapes are compatible from their last dimension on, as far as is
// known: dimensions are equal, or one is 1 and repeats is set.
func broadcasts(a, b tensor.Shape, repeats bool) bool {
	for i := range min(len(a), len(b)) {
		m, n := a[len(a)-1-i], b[len(b)-1-i]
		if m >= 0 && n >= 0 && m != n && !(repeats && (m == 1 || n == 1)) {
			return false
		}
	}
	return true
}

// A Callback is one of keras.callbacks.
type Callback struct {
	state.Opaque
	Refused *value.Cause // why Keras 3 refuses to create it; else nil
	// Histograms is set if it counts the numbers of weights after epochs.
	Histograms bool
}

// Checkpoint3 says why Keras 3 refuses to create a ModelCheckpoint; nil if it does not, or if that
// is not known (keras/src/callbacks/model_checkpoint.py).
func Checkpoint3(args *value.Args) *value.Cause {
	if _, given := args.Keywords.Get("period"); given {
		return FromKeras3("ModelCheckpoint takes no period")
	}
	weights, what := false, "a checkpoint"
	if only, given := args.Get(4, "save_weights_only"); given {
		switch only.X {
		case true:
			weights, what = true, "a checkpoint of weights"
		case false:
		default:
			return nil
		}
	}
	path, _ := args.Get(0, "filepath")
	text, known := path.X.(string)
	if !known || releases.Saves3(text, weights) {
		return nil
	}
	return FromKeras3("the path of %s ends in %s, which %q does not", what, strings.Join(releases.Checkpoints3(weights), " or "), text)
}
