package models

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/pipelines"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// onHost notes what the machine's own memory holds while a call runs: what the program holds, what the
// call is given, and what it makes.
func (v *ModelValue) onHost(in *value.Interp, u *graph.ModelCall, args *value.Args, given []value.Value, makes ...[]*graph.HostTerm) {
	if in.HostMuted > 0 || v.H.Uncalled {
		return
	}
	v.H.Program.Moment(in, u.Node, u.Model, func() []*graph.HostTerm {
		return append(pipelines.OnHost(in, given, given...), slices.Concat(makes...)...)
	})
}

// copiesOnHost returns what Keras makes of the arrays that it copies whole, first those that it trains
// on and later those of a validation: the tensors of the dataset that it makes of them; the array
// in floatx, if it had another type (keras/src/trainers/data_adapters/array_slicing.py,
// convert_to_sliceable); and the copy from which TensorFlow makes a tensor, as its memory is aligned
// otherwise than NumPy's, one after the other (tensorflow/python/lib/core/ndarray_tensor.cc,
// NdarrayToTensor).
func copiesOnHost(first, later []graph.DataTerm) (terms []*graph.HostTerm) {
	staged := &graph.HostTerm{Kind: graph.HostTensor, Copied: true}
	var after int64
	for _, t := range slices.Concat(first, later) {
		if t.Unknown != nil {
			continue // its array is a term of unknown size
		}
		terms = append(terms, &graph.HostTerm{Kind: graph.HostTensor, What: "the tensor of " + t.What, Node: t.Node, Low: t.Bytes, Bytes: t.Bytes, Copied: true})
		if t.Cast {
			terms = append(terms, &graph.HostTerm{Kind: graph.HostArray, What: t.What + " in Keras's type", Node: t.Node, Low: t.Bytes, Bytes: t.Bytes, Copied: true})
		}
		if t.Bytes > staged.Bytes {
			staged.What, staged.Node, staged.Bytes = "the copy that TensorFlow first makes of "+t.What, t.Node, t.Bytes
		}
	}
	for _, t := range later {
		after += t.Bytes
	}
	if staged.Bytes = max(staged.Bytes-after, 0); staged.Bytes > 0 {
		terms = append(terms, staged)
	}
	return terms
}

// returnedOnHost returns what predict has of its predictions: those of each batch and those of all,
// which lie on the GPU if there is one, and the array of NumPy
// (keras/src/backend/tensorflow/trainer.py, predict).
func returnedOnHost(collected []graph.DataTerm) (terms []*graph.HostTerm) {
	for _, t := range collected {
		terms = append(terms,
			&graph.HostTerm{Kind: graph.HostPredictions, What: "what predict() returns", Node: t.Node, Low: t.Bytes, Bytes: t.Bytes, Unknown: t.Unknown},
			&graph.HostTerm{Kind: graph.HostPredictions, What: "what predict() collects", Node: t.Node, Low: t.Bytes + t.Joined, Bytes: t.Bytes + t.Joined, OnGPU: true, Copied: true})
	}
	return terms
}

// counting is what TensorBoard takes for each number of a weight of which it makes a histogram: 30
// numbers of 8 bytes, of which one says its bin, their copy in double precision, and what finds the bin
// (tensorboard/plugins/histogram/summary_v2.py, _buckets; measured in testdata/host).
const counting = (30 + 10) * 8

// histograms returns what a TensorBoard callback of fit takes for the largest weight of the model.
func (v *ModelValue) histograms(u *graph.ModelCall, args *value.Args) []*graph.HostTerm {
	given, _ := args.Get(5, "callbacks")
	callbacks, _ := objects.Sequence(given)
	if u.Method != "fit" || !slices.ContainsFunc(append(callbacks, given), func(c value.Value) bool {
		callback, ok := c.X.(*layers.Callback)
		return ok && callback.Histograms
	}) {
		return nil
	}
	var largest int64
	for _, l := range v.Model.Layers() {
		l.EachWeight(func(w *graph.Weight) { largest = max(largest, w.Elements()) })
	}
	return []*graph.HostTerm{{Kind: graph.HostHistograms, What: "the histogram of the largest weight", Node: u.Node, Low: largest * 30 * 8, Bytes: largest * counting}}
}

// beside is how many batches there are beside those that wait in the queue: one that a worker cannot
// put there yet, the tensor of the next, and the one in use, as an array and as a tensor.
const beside = 4

// queued returns the batches that workers make ahead of a keras.utils.Sequence or PyDataset. The queue
// counts those that are being made, whatever the number of workers, and whether they are threads
// (keras/src/trainers/data_adapters/py_dataset_adapter.py, PyDatasetAdapter, OrderedEnqueuer;
// tf_keras/src/engine/data_adapter.py, KerasSequenceAdapter).
func (v *ModelValue) queued(in *value.Interp, u *graph.ModelCall, args *value.Args, data value.Value) []*graph.HostTerm {
	// In Keras 2 the call says how many there are, in Keras 3 the object does.
	told, named := args, true
	var one int64
	var ok bool
	switch x := data.X.(type) {
	case *pipelines.Dataset:
		if !x.Serves() || v.H.Keras() == 3 { // whose own generators take no workers
			return nil
		}
		one, ok = x.ElementBytes()
	case *value.Instance:
		batch, is := pipelines.FirstBatch(in, data)
		if !is {
			return nil
		}
		one, ok = pipelines.BytesOf(batch)
		if v.H.Keras() == 3 {
			if told = x.Args; x.Upward != nil {
				told, named = x.Upward, false
			}
		}
	default:
		return nil
	}
	workers, size := int64(1), int64(10)
	several, known := v.H.Keras() != 3, true
	if told != nil {
		workers, known = amount(told, named, 0, "workers", workers, known)
		processes, _ := told.Keywords.Get("use_multiprocessing")
		several = several || processes.X == true
		size, known = amount(told, named, 2, "max_queue_size", size, known)
	}
	if workers < 1 || workers == 1 && !several {
		return nil // fit makes each batch itself
	}
	t := &graph.HostTerm{Kind: graph.HostQueue, What: "the queue of batches", Node: u.Node}
	switch {
	case !ok:
		t.Unknown = value.Because(value.ArrayShape, "the size of a batch is not known")
	case !known:
		t.Unknown = value.Because(value.UnmodelledArgument, "how many batches wait is not known")
	default:
		t.Bytes = one * (size + beside)
	}
	return []*graph.HostTerm{t}
}

// amount reads an argument, which may have a position unless it is passed by its name only. known stays
// true if it is a number, or not given.
func amount(args *value.Args, named bool, position int, name string, fallback int64, known bool) (int64, bool) {
	given, said := args.Keywords.Get(name)
	if !said && !named && position < len(args.Positional) {
		given, said = args.Positional[position], true
	}
	if !said {
		return fallback, known
	}
	n, ok := given.Int()
	return n, ok && known
}
