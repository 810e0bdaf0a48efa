package releases

import (
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// KeepsVariables returns why TensorFlow keeps the variables of a model, and its optimizer's, once compiled
// code has trained it, though nothing of Python refers to it any more: 2.15 to 2.21 do, 2.13 does not
// (testdata/freed; not those of a model with an Embedding, for a reason that is not known; https://github.com/tensorflow/tensorflow/issues/80895). Where nothing states a version,
// the newest is assumed, and so is the newest of those that the project allows. Of a program that only
// shows that it needs Keras 2, the TensorFlow is not known.
func (r *Releases) KeepsVariables() Evidence {
	const why = "TensorFlow 2.15 to 2.21"
	first := effects.Version{Major: 2, Minor: 15}
	tensorflow, keras := r.versions.TensorFlow, r.versions.Keras
	newest := tensorflow.High
	if newest == (effects.Version{}) {
		newest = effects.NewestTensorFlow
	}
	switch imported := r.program.Names.Imported(); {
	case r.KerasMayRunInGraphs().Found(), r.Backend().Name != TensorFlow:
		return Evidence{}
	case tensorflow.Source != "":
		return when(!newest.Before(first) && !effects.NewestTensorFlow.Before(tensorflow.Low), why, syntax.Node{})
	case imported["tf_keras"]: // which is for TensorFlow 2.16 and later
		return Evidence{Why: why}
	case r.RunningKeras() == 2: // the Keras 2 of the TensorFlow with its number
		return when(!r.inferred && !keras.High.Before(first) && keras.Source != "" && keras.Exact(), why, syntax.Node{})
	}
	return Evidence{Why: why}
}

// KeepsLayers returns why the layers of Sequential and functional models stay after gc.collect(), until
// clear_session(): up to TensorFlow 2.3, Keras's symbolic tensors are tensors of one graph, which refer to
// them (testdata/freed/record_layers.py).
func (r *Releases) KeepsLayers() Evidence {
	tensorflow := r.versions.TensorFlow
	eager := !r.KerasMayRunInGraphs().Found() && !r.Library().OnlyTensorFlow1()
	return when(eager && tensorflow.Source != "" && tensorflow.Before(effects.Version{Major: 2, Minor: 4}), "TensorFlow 2.0 to 2.3", syntax.Node{})
}

// KeepsGenerators returns why TensorFlow keeps the Python function of a dataset of from_generator until the
// default graph goes: it registers the function with the outermost graph, which eager execution has, too
// (tensorflow/python/ops/script_ops.py, _internal_py_func; testdata/freed).
func (r *Releases) KeepsGenerators() Evidence {
	tensorflow := r.versions.TensorFlow
	return when(!r.KerasMayRunInGraphs().Found() && r.Backend().Name == TensorFlow && !effects.NewestTensorFlow.Before(tensorflow.Low), "TensorFlow up to 2.21", syntax.Node{})
}
