package keras

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// What Keras 3 refuses and Keras 2 may accept, beside what the layer factories refuse themselves.

// from3 formats the reason for a program that Keras 3 refuses.
func from3(format string, args ...any) *value.Cause {
	return value.Because(value.KerasRaises, "From Keras 3 on, TensorFlow will raise: "+format, args...)
}

var (
	//go:embed layer_arguments_keras3.txt
	arguments3 string
	//go:embed layer_arguments_tf_keras.txt
	arguments2 string

	// layerArguments are the arguments that layers may take, by class, in Keras 2 and 3
	// (testdata/estimate/layers/arguments.py).
	layerArguments = sync.OnceValue(func() map[int]map[string][]string {
		return map[int]map[string][]string{2: readArguments(arguments2), 3: readArguments(arguments3)}
	})
)

func readArguments(table string) map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(table) {
		if words := strings.Fields(line); words[0] != "#" {
			all[words[0]] = words[1:]
		}
	}
	return all
}

// refusedArgument returns why a layer cannot be created with a keyword, or nil. What Keras 1 named
// otherwise, the first releases of Keras 2 still took.
func (h *host) refusedArgument(class, name string) *value.Cause {
	takes := func(major int) bool {
		names, known := layerArguments()[major][class]
		return !known || slices.Contains(names, name)
	}
	switch keras := h.keras(); {
	case takes(keras):
		return nil
	case keras == 2:
		return value.Because(value.UnmodelledArgument, "%s: no Keras 2 of today takes the argument %s", class, name)
	case takes(2):
		return from3("%s takes no %s", class, name)
	}
	return value.Because(value.KerasRaises, "TensorFlow will raise: %s takes no %s", class, name)
}

// losses3 are the names of losses that Keras 3 knows (keras/src/losses/__init__.py,
// ALL_OBJECTS_DICT, recorded from 3.15.1).
var losses3 = func() map[string]bool {
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

// refuses records why Keras 3 refuses to train a model as a use does: because of the name of a
// loss, labels that cannot be compared with an output, or a callback.
func (v *modelValue) refuses(u *ModelCall, data, targets value.Value, args *value.Args) {
	m := v.model
	if m.Keras == 2 || m.Compiled == nil || m.Step != nil || !m.Known() {
		return
	}
	if callbacks, ok := args.Get(5, "callbacks"); ok {
		items, _ := objects.Sequence(callbacks)
		for _, item := range append(items, callbacks) {
			if c, ok := item.X.(*callback); ok {
				m.unresolved(c.refused)
			}
		}
	}
	losses := m.lossParts(m.Compiled.loss)
	for _, loss := range losses {
		if name, ok := loss.X.(string); ok && !losses3[name] {
			m.unresolved(from3("it has no loss %q", name))
		}
	}
	batch, _ := v.h.wholeBatch(data, targets)
	parts, _ := batch.X.(value.Tuple)
	if len(parts) < 2 {
		return
	}
	if _, one := parts[1].X.(*symbolicValue); one && len(m.Outputs) > 1 && wantsAll(m.Compiled.loss) {
		m.unresolved(from3("its %d outputs are compared with one array of labels", len(m.Outputs)))
	}
	labels := parts[1:2]
	if items, ok := objects.Sequence(parts[1]); ok {
		labels = items
	}
	if len(labels) != len(m.Outputs) {
		return
	}
	rows, _ := u.Batch.Int()
	for i, label := range labels {
		loss, _ := at(m.Compiled.Losses, i)
		truth, ok := label.X.(*symbolicValue)
		if !ok || len(losses) == 0 || len(truth.s.Shape) == 0 || len(m.Outputs[i].Shape) == 0 || rows < 1 {
			continue
		}
		t, g := truth.s.Shape.With(0, rows), m.Outputs[i].Shape.With(0, rows)
		if !comparable3(lossName(loss), t, g) {
			m.unresolved(from3("%s compares an output of the shape %s with labels of the shape %s", loss, m.Outputs[i].Shape, t.With(0, None)))
		}
	}
}

// wantsAll reports whether Keras 3 needs labels for each of several outputs: with a single loss,
// or with several, but not with a list of one (keras/src/trainers/compile_utils.py, CompileLoss).
func wantsAll(loss value.Value) bool {
	switch loss.X.(type) {
	case string, *lossValue:
		return true
	}
	items, _ := objects.Sequence(loss)
	items = slices.DeleteFunc(slices.Clone(items), func(v value.Value) bool { return v.X == (value.None{}) })
	return len(items) > 1
}

// comparable3 reports whether a loss of Keras 3 can compare labels with scores of their shapes;
// true if it is not known (keras/src/losses/loss.py, squeeze_or_expand_to_same_rank;
// keras/src/backend/tensorflow/nn.py).
func comparable3(loss string, truth, guess Shape) bool {
	long, short := &truth, &guess
	if len(guess) > len(truth) {
		long, short = short, long
	}
	if len(*long) == len(*short)+1 && long.Last() == 1 {
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

// broadcasts reports whether two shapes are compatible from their last dimension on, as far as is
// known: dimensions are equal, or one is 1 and repeats is set.
func broadcasts(a, b Shape, repeats bool) bool {
	for i := range min(len(a), len(b)) {
		m, n := a[len(a)-1-i], b[len(b)-1-i]
		if m >= 0 && n >= 0 && m != n && !(repeats && (m == 1 || n == 1)) {
			return false
		}
	}
	return true
}

// A callback is one of keras.callbacks.
type callback struct {
	opaque
	refused *value.Cause // why Keras 3 refuses to create it; else nil
}

// checkpoint3 says why Keras 3 refuses to create a ModelCheckpoint; nil if it does not, or if that
// is not known (keras/src/callbacks/model_checkpoint.py).
func checkpoint3(args *value.Args) *value.Cause {
	if _, given := args.Keywords.Get("period"); given {
		return from3("ModelCheckpoint takes no period")
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
	if !known || flow.Saves3(text, weights) {
		return nil
	}
	return from3("the path of %s ends in %s, which %q does not", what, strings.Join(flow.Checkpoints3(weights), " or "), text)
}
