package releases

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// OnlyKeras1 reports whether a module of the program is written for Keras 1, which Keras 2 replaced
// in 2017: it passes arguments that only the first releases of Keras 2 still took, with a warning, or
// calls the function merge (https://github.com/keras-team/keras/wiki/Keras-2.0-release-notes).
func (r *Releases) OnlyKeras1() bool {
	type onlyKeras1 struct{}
	return once(r, onlyKeras1{}, func() bool {
		return slices.ContainsFunc(r.program.Names.Program(), onlyInKeras1)
	})
}

// NoKeras1 reports whether the version of Keras is known not to take names of Keras 1, as those from
// 2.3 on.
func (r *Releases) NoKeras1() bool {
	keras := r.versions.Keras
	return keras.Source != "" && keras.Range != effects.Keras2 && !keras.Low.Before(effects.Version{Major: 2, Minor: 3})
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

// KerasFeeds reports whether Keras surely feeds models one batch of an array after the other, and
// copies no array whole: where models run in graphs, and before TensorFlow 2.2 and Keras 2.4
// (tensorflow/python/keras/engine/training_v1.py).
func (r *Releases) KerasFeeds() bool {
	if (r.ForTensorFlow1() || r.ProgramBuildsGraphs()) && !flow.EnablesEager(r.program.Names.Program()) {
		return true
	}
	return before(r.versions.TensorFlow, effects.Version{Major: 2, Minor: 2}) || before(r.versions.Keras, effects.Version{Major: 2, Minor: 4})
}

// BeforeTensorFlow115 returns where the project states a TensorFlow before 1.15, or "".
func (r *Releases) BeforeTensorFlow115() string {
	if tf := r.versions.TensorFlow; before(tf, effects.Version{Major: 1, Minor: 15}) {
		return tf.Source
	}
	return ""
}

// before reports whether all versions that are stated are older than one.
func before(s effects.Stated, v effects.Version) bool {
	return s.Source != "" && s.High != effects.Version{} && s.High.Before(v)
}

// KerasMayRunInGraphs reports whether models may run in graphs. That is so if the program is one for
// TensorFlow 1, or turns eager execution off, or may be one for a Keras before 2.4, which ran every
// model in a graph: Keras 2.4 is the first that is tf.keras
// (https://github.com/keras-team/keras/releases/tag/2.4.0). The signs of such a Keras are that the
// program imports keras by its own name and its project asks for such a version, or states none while
// Keras 3 refuses the code; or that it uses a module, an argument, a method or a function that no
// later Keras has.
func (r *Releases) KerasMayRunInGraphs() bool {
	type inGraphs struct{}
	if (r.ForTensorFlow1() || r.ProgramBuildsGraphs() || r.MayStartInGraph()) && !flow.EnablesEager(r.program.Names.Program()) {
		return true
	}
	stated := r.versions.Keras
	older := r.inferred || stated.Source != "" && stated.Before(effects.Version{Major: 2, Minor: 4})
	return r.OnlyKeras1() || once(r, inGraphs{}, func() bool {
		return slices.ContainsFunc(r.program.Names.Program(), func(info *names.Info) bool {
			if older && info.Imported()["keras"] {
				return true
			}
			for module := range info.Modules() {
				if below, ok := strings.CutPrefix(strings.TrimPrefix(module, "tensorflow."), "keras."); ok && beforeKeras24(below) {
					return true
				}
			}
			// Models of tf.keras had the method before TensorFlow 2.2, too.
			prepares := func(name string) bool { return name == "_make_predict_function" }
			if info.Imported()["keras"] && len(info.MethodCalls(prepares)) > 0 {
				return true
			}
			return passes(info, ofKerasBefore24) || len(info.CallsTo(func(name string) bool {
				return strings.HasPrefix(name, "tensorflow.keras.backend.") && strings.HasSuffix(name, "image_dim_ordering")
			})) > 0
		})
	})
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

func onlyInKeras1(info *names.Info) bool { return passes(info, ofKeras1) }

// passes reports whether a module passes one of some keywords to a method or class of Keras.
func passes(info *names.Info, keywords map[string][]string) bool {
	takes := func(call syntax.Node, name string) bool {
		return slices.ContainsFunc(keywords[name], func(keyword string) bool { return names.Argument(call, -1, keyword).Valid() })
	}
	ofModel := func(name string) bool { return name == "fit" || name == "fit_generator" }
	return slices.ContainsFunc(info.MethodCalls(ofModel), func(call syntax.Node) bool {
		return info.Callee(call) == "" && takes(call, call.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text())
	}) || slices.ContainsFunc(info.CallsTo(func(name string) bool { return strings.HasPrefix(name, "tensorflow.keras.") }), func(call syntax.Node) bool {
		name := info.Callee(call)
		return takes(call, name[strings.LastIndexByte(name, '.')+1:])
	})
}
