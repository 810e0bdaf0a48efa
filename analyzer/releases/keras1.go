package releases

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// OnlyKeras1 returns what shows that a module of the program is written for Keras 1, which Keras 2
// replaced in 2017: it passes arguments that only the first releases of Keras 2 still took, with a
// warning, or calls the function merge (https://github.com/keras-team/keras/wiki/Keras-2.0-release-notes).
func (r *Releases) OnlyKeras1() Evidence {
	type onlyKeras1 struct{}
	return once(r, onlyKeras1{}, func() Evidence {
		return first(r.program.Names.Program(), func(info *names.Info) Evidence { return passes(info, ofKeras1) })
	})
}

// ofKeras1 are keywords of Keras 1 alone, by the methods of models and the classes of layers that
// took them.
var ofKeras1 = map[string][]string{
	"fit": {"nb_epoch"}, "fit_generator": {"nb_epoch", "samples_per_epoch", "nb_val_samples"},
	"merge": {"mode"},
	"Dense": {"output_dim"}, "LSTM": {"output_dim"}, "GRU": {"output_dim"}, "SimpleRNN": {"output_dim"},
	"Convolution1D": {"border_mode", "nb_filter", "subsample", "filter_length"}, "Convolution2D": {"border_mode", "nb_filter", "subsample", "nb_row", "dim_ordering"},
	"Conv1D": {"border_mode", "nb_filter"}, "Conv2D": {"border_mode", "nb_filter"}, "MaxPooling2D": {"border_mode", "dim_ordering"},
}

// mayBeKeras reports whether a method may be one of a Keras model. Other libraries have models with
// the methods and arguments of Keras 1, too: those of DeepChem take nb_epoch to this day
// (deepchem/models/models.py). Theirs do not count, and neither does a module that
// does not mention Keras.
func mayBeKeras(info *names.Info, method syntax.Node) bool {
	object := method.Child(syntax.FieldObject)
	if !strings.Contains(info.Tree.Text(), "keras") || !info.MayBeMethodOf("tensorflow.keras.Model", method) {
		return false
	}
	if object.Kind() != syntax.Identifier {
		return true
	}
	return !slices.ContainsFunc(info.ReachingDefs(object), func(b *names.Binding) bool {
		if b.Kind != names.AssignBinding {
			return false
		}
		made := info.Callee(b.Value)
		return made != "" && !strings.HasPrefix(made, "tensorflow.")
	})
}

// KerasFeeds returns what shows that Keras feeds models one batch of an array after the other, and
// copies no array whole: models run in graphs, or TensorFlow is older than 2.2, or Keras than 2.4
// (tensorflow/python/keras/engine/training_v1.py).
func (r *Releases) KerasFeeds() Evidence {
	return r.unlessEager(r.ForTensorFlow1().or(r.ProgramBuildsGraphs)).or(
		func() Evidence { return before(r.versions.TensorFlow, effects.Version{Major: 2, Minor: 2}) },
		func() Evidence { return before(r.versions.Keras, effects.Version{Major: 2, Minor: 4}) })
}

// BeforeTensorFlow115 returns what states a TensorFlow before 1.15.
func (r *Releases) BeforeTensorFlow115() Evidence {
	return before(r.versions.TensorFlow, effects.Version{Major: 1, Minor: 15})
}

// before returns what states versions that are all older than one.
func before(s effects.Stated, v effects.Version) Evidence {
	return when(s.Source != "" && s.High != effects.Version{} && s.High.Before(v), fmt.Sprintf("%s says %s", s.Source, s.Range), syntax.Node{})
}

// KerasMayRunInGraphs returns why models may run in graphs. That is so if the program is one for
// TensorFlow 1, or turns eager execution off, or may be one for a Keras before 2.4, which ran every
// model in a graph: Keras 2.4 is the first that is tf.keras
// (https://github.com/keras-team/keras/releases/tag/2.4.0). The signs of such a Keras are that the
// program imports keras by its own name and its project asks for such a version, or states none while
// Keras 3 refuses the code; or that it uses a module, an argument, a method or a function that no
// later Keras has.
func (r *Releases) KerasMayRunInGraphs() Evidence {
	type key struct{}
	if e := r.unlessEager(r.ForTensorFlow1().or(r.ProgramBuildsGraphs, r.MayStartInGraph)); e.Found() {
		return e
	}
	return r.OnlyKeras1().or(func() Evidence {
		return once(r, key{}, func() Evidence { return first(r.program.Names.Program(), r.mayBeBeforeKeras24) })
	})
}

// mayBeBeforeKeras24 returns what shows that a module may be for a Keras before 2.4.
func (r *Releases) mayBeBeforeKeras24(info *names.Info) Evidence {
	stated, ownKeras := r.versions.Keras, info.Imported()["keras"]
	if ownKeras && (r.inferred || stated.Source != "" && stated.Before(effects.Version{Major: 2, Minor: 4})) {
		return Evidence{Why: fmt.Sprintf("%s says Keras %s", stated.Source, stated.Range)}
	}
	for _, module := range modules(info) {
		if below, ok := strings.CutPrefix(strings.TrimPrefix(module, "tensorflow."), "keras."); ok && beforeKeras24(below) {
			return Evidence{Why: "no Keras since 2.4 has " + module}
		}
	}
	// Models of tf.keras had the method before TensorFlow 2.2, too.
	prepares := func(name string) bool { return ownKeras && name == "_make_predict_function" }
	ordering := func(name string) bool {
		return strings.HasPrefix(name, "tensorflow.keras.backend.") && strings.HasSuffix(name, "image_dim_ordering")
	}
	const gone = "no Keras since 2.4 has it"
	return firstCall(gone, info.MethodCalls(prepares)).or(
		func() Evidence { return passes(info, ofKerasBefore24) },
		func() Evidence { return firstCall(gone, info.CallsTo(ordering)) })
}

// ofKerasBefore24 are more keywords of Keras 1, which every Keras before 2.4 took.
var ofKerasBefore24 = map[string][]string{
	"Model": {"input", "output"}, "Dropout": {"p"}, "Dense": {"init", "W_regularizer"},
	"LSTM": {"dropout_W", "inner_activation"}, "GRU": {"dropout_W", "inner_activation"},
	"fit_generator": {"nb_worker", "max_q_size", "pickle_safe"},
}

// beforeKeras24 reports whether a module below keras exists only before Keras 2.4.
func beforeKeras24(module string) bool {
	return slices.ContainsFunc([]string{"backend.tensorflow_backend", "engine.topology", "legacy"}, func(old string) bool {
		return module == old || strings.HasPrefix(module, old+".")
	})
}

// passes returns the first of some keywords that a module passes to a method or class of Keras, unless
// that stands where the program supports another version.
func passes(info *names.Info, keywords map[string][]string) Evidence {
	takes := func(call syntax.Node, name string) Evidence {
		for _, keyword := range keywords[name] {
			if given := names.Argument(call, -1, keyword); given.Valid() && !hedged(info, call) {
				return Evidence{fmt.Sprintf("only Keras 1 takes the argument %s of %s", keyword, name), given.Parent()}
			}
		}
		return Evidence{}
	}
	ofModel := func(name string) bool { return name == "fit" || name == "fit_generator" }
	if e := first(info.MethodCalls(ofModel), func(call syntax.Node) Evidence {
		if function := call.Child(syntax.FieldFunction); info.Callee(call) == "" && mayBeKeras(info, function) {
			return takes(call, function.Child(syntax.FieldAttribute).Text())
		}
		return Evidence{}
	}); e.Found() {
		return e
	}
	last := func(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
	ofKeras := func(name string) bool {
		return strings.HasPrefix(name, "tensorflow.keras.") && keywords[last(name)] != nil
	}
	return first(info.CallsTo(ofKeras), func(call syntax.Node) Evidence { return takes(call, last(info.Callee(call))) })
}
