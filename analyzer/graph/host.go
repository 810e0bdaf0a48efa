package graph

import (
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A HostKind says what takes memory of the machine itself.
type HostKind string

const (
	HostArray       HostKind = "array"       // an array of NumPy, or a table, that the program holds
	HostList        HostKind = "list"        // arrays that a list has
	HostTensor      HostKind = "tensor"      // a tensor that the program, a dataset or Keras holds
	HostCache       HostKind = "cache"       // what cache() keeps
	HostShuffle     HostKind = "shuffle"     // the buffer of a shuffle
	HostPrefetch    HostKind = "prefetch"    // the buffer of a prefetch
	HostParallel    HostKind = "parallel"    // what parallel calls of a map or an interleave have made
	HostBatch       HostKind = "batch"       // what a batch is made of, and the batch
	HostQueue       HostKind = "queue"       // batches that workers of Keras have made
	HostPredictions HostKind = "predictions" // what predict returns
	HostHistograms  HostKind = "histograms"  // what TensorBoard makes of a weight to count its numbers
)

// A HostTerm is memory of the machine itself that a program takes. Terms are compared by their place in
// memory: datasets that are made of one cached dataset share its cache.
type HostTerm struct {
	Kind HostKind
	// What says what it is: "the cache of train". Node is the call that takes it; none if no call is
	// known.
	What string
	Node syntax.Node
	// Bytes are what it takes once it is full, and Low what it surely takes then.
	Low, Bytes int64
	// Unknown says why the size is not known; nil if it is. Low and Bytes count all the same.
	Unknown *value.Cause
	// OnGPU is set for a tensor that lies on the GPU, if there is one.
	OnGPU bool
	// Copied is set for what Keras makes of arrays that it copies whole, and of the batches of predict: in
	// graphs, as in TensorFlow 1, it feeds one batch after the other from the arrays themselves.
	Copied bool
	// Filled is set for a cache once the program has read the dataset.
	Filled bool
}

// A HostMoment is a moment of a program at which memory of the machine is counted: while a call of a
// model, or a loop over a dataset, runs.
type HostMoment struct {
	Node  syntax.Node
	Led   syntax.Node // the call of the program's own file that leads there, if it stands in another module
	Model *Model      // that is called; nil for a loop
	Terms []*HostTerm
}

// Bytes returns the size of tensors. ok is false if it is not known.
func Bytes(of []Input) (n int64, ok bool) {
	for _, e := range of {
		elements, known := e.Shape.Elements()
		if !known || e.Why != nil || e.DType == "string" || e.DType == "" {
			return 0, false
		}
		n += elements * e.DType.Size()
	}
	return n, len(of) > 0
}

// ElementBytes returns the size of one element: an example, or a batch. ok is false if it is not known.
func (d *Dataset) ElementBytes() (n int64, ok bool) {
	if !d.Batched {
		return Bytes(d.Elements)
	}
	for i, e := range d.Elements {
		batch := d.Batch
		if i < len(d.Batches) {
			batch = d.Batches[i]
		}
		rows, known := batch.Int()
		one, sized := Bytes([]Input{e})
		if !known || rows < 1 || !sized {
			return 0, false
		}
		n += rows * one
	}
	return n, len(d.Elements) > 0
}
