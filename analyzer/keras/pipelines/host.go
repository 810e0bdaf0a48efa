package pipelines

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/arrays/pandas"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/tfdata"
	"github.com/tfmem/tfmem/analyzer/value"
)

// takes adds what a step of the dataset takes of the machine's memory while it is read. was is the
// dataset before the step.
func (d *Dataset) takes(name string, was *Dataset, args *value.Args) {
	m := tfdata.Methods[name]
	position := 0
	if m.Change == tfdata.Maps || m.Change == tfdata.Flattens {
		position = 1 // its function comes first
	}
	amount, given := args.Get(position, m.Amount)
	if _, none := amount.X.(value.None); none {
		given = false
	}
	n, known := amount.Int()
	t := &graph.HostTerm{Node: args.Node}
	switch m.Holds {
	case tfdata.All:
		if given {
			return // it is in a file
		}
		t.Kind, t.What = graph.HostCache, "the cache"
		sized(t, was, was.Count, was.Count)
	case tfdata.Buffered:
		d.shuffled = d.shuffled || name == "shuffle"
		t.Kind, t.What = graph.HostKind(name), "the buffer of "+name+"()"
		switch {
		case name == "shuffle" && !was.Own && (!was.sliced || was.aligned()):
			return // its elements have the memory of an array, or of a cache
		case known && n == tfdata.Autotune:
			sized(t, was, 1, autotuned)
		case !known:
			sized(t, was, 0, tensor.None)
		case was.Count >= 0:
			sized(t, was, min(n, was.Count), min(n, was.Count))
		default:
			sized(t, was, 0, n)
		}
	case tfdata.Parallel:
		t.Kind, t.What = graph.HostParallel, "what parallel calls of "+name+"() have made"
		if calls, _ := args.Keywords.Get("num_parallel_calls"); m.Amount != "num_parallel_calls" {
			n, known = interleaved(n, was.Count, calls)
		}
		if !known || n < 2 {
			return // one after the other, or as many as the machine has processors
		}
		sized(t, d, 0, n)
	case tfdata.Gathered:
		t.Kind, t.What = graph.HostBatch, "the examples of the next batch"
		sized(t, d, 1, 1)
	default:
		return
	}
	d.Host = append(slices.Clip(d.Host), t)
}

// autotuned is how many elements a prefetch holds whose buffer TensorFlow sizes by itself, while the
// consumer is slower than the pipeline (tensorflow/core/kernels/data/prefetch_autotuner.cc).
const autotuned = 2

// alignment is that of TensorFlow's tensors: EIGEN_MAX_ALIGN_BYTES of its builds. A row of an array that
// is not aligned is copied (tensorflow/core/data/dataset_utils.cc, MaybeCopySubSlice).
const alignment = 64

func (d *Dataset) aligned() bool {
	n, ok := graph.Bytes(d.Elements[:min(1, len(d.Elements))])
	return !ok || n%alignment == 0
}

// interleaved returns how many elements a parallel interleave holds: of the datasets that take turns,
// and of twice as many that are to follow, those that it reads ahead of each
// (tensorflow/core/kernels/data/parallel_interleave_dataset_op.cc, kCyclePrefetchFactor,
// kPerIteratorPrefetchFactor). ok is false if that is not known, or it reads none ahead.
func interleaved(cycle, datasets int64, calls value.Value) (n int64, ok bool) {
	if parallel, known := calls.Int(); !known || parallel == 1 || cycle < 1 {
		return 0, false
	}
	if n = 3 * cycle; datasets >= 0 {
		n = min(n, datasets)
	}
	return 3 * n, true
}

// What an element takes in a buffer beside its numbers, as measured (testdata/host, shuffle_numbers): the list
// of its tensors, each tensor, and at least so much for the numbers of each, which are aligned.
const (
	elementBytes = 24
	tensorBytes  = 64
	leastBytes   = 112
)

// sized sets the size of a term of so many elements; None if their number is not known.
func sized(t *graph.HostTerm, d *Dataset, low, most int64) {
	one, ok := d.ElementBytes()
	if parts := int64(len(d.Elements)); ok && !d.Batched {
		one = elementBytes + parts*tensorBytes + max(one, parts*leastBytes)
	}
	switch {
	case !ok && d.Why != nil:
		t.Unknown = d.Why
	case !ok:
		t.Unknown = value.Because(value.ArrayShape, "the size of an element is not known")
	case most < 0:
		t.Unknown = value.Because(value.RowCount, "the number of elements is not known")
	}
	if t.Low, t.Bytes = max(low, 0)*one, max(most, 0)*one; t.Unknown != nil {
		t.Low, t.Bytes = 0, 0
	}
}

// Reads records that the program reads a dataset, element by element.
func (d *Dataset) reads(in *value.Interp) {
	if in.HostMuted == 0 && !d.h.Uncalled {
		d.h.Program.Moment(in, d.Node, nil, func() []*graph.HostTerm { return OnHost(in, nil, value.Value{X: d}) })
	}
}

// OnHost returns what the machine's own memory holds while the program reads datasets: arrays that
// names of the program stand for, and the given values; their copies; what the steps of the datasets
// take; and caches that were filled before.
func OnHost(in *value.Interp, given []value.Value, reads ...value.Value) []*graph.HostTerm {
	h := holding{seen: map[any]bool{}, tensors: map[*numpy.Buffer]*graph.HostTerm{}}
	for _, v := range reads {
		if d, ok := v.X.(*Dataset); ok {
			for _, t := range d.Host {
				t.Filled = true
				h.term(t)
			}
			h.opened(d)
			consumed := &graph.HostTerm{Kind: graph.HostBatch, What: "the element in use, and the next", Node: d.Node}
			sized(consumed, d, 1, 2)
			if consumed.Unknown == nil {
				h.term(consumed)
			}
			h.visit(v)
		}
	}
	for _, v := range given {
		ops.Each(v, func(x value.Value) value.Value {
			h.visit(x)
			return x
		})
	}
	if !in.Held(h.visit) {
		h.term(&graph.HostTerm{Kind: graph.HostArray, What: "further values", Unknown: value.Because(value.TooLong, "the program holds more values than are followed")})
	}
	for _, l := range h.lists {
		h.list(l)
	}
	at := func(t *graph.HostTerm) int {
		if !t.Node.Valid() {
			return -1
		}
		return t.Node.Start()
	}
	slices.SortStableFunc(h.terms, func(a, b *graph.HostTerm) int { return cmp.Compare(at(a), at(b)) })
	return h.terms
}

// A holding collects terms, each memory once.
type holding struct {
	terms   []*graph.HostTerm
	seen    map[any]bool
	tensors map[*numpy.Buffer]*graph.HostTerm
	lists   []*value.List // of arrays that are not known one by one
}

func (h *holding) term(t *graph.HostTerm) {
	if !h.seen[t] {
		h.seen[t] = true
		h.terms = append(h.terms, t)
	}
}

func (h *holding) visit(v value.Value) {
	switch x := v.X.(type) {
	case *numpy.Array:
		if x.Buffer != nil {
			h.buffer(x.Buffer, x.Buffer.On == numpy.OnDefault && !numpy.InHostMemory(x.Buffer.DType))
		} else if of := x.Memory(); !h.seen[of] && !of.Mapped() {
			h.seen[of] = true
			h.term(arrayTerm(of))
		}
	case value.Unknown:
		if why := numpy.Reason(v.Cause()); numpy.IsUnknown(v) && !h.seen[why] {
			h.seen[why] = true
			h.term(&graph.HostTerm{Kind: graph.HostArray, What: "an array", Node: why.Place(), Unknown: why})
		}
	case *value.List:
		h.lists = append(h.lists, x)
	case *ops.Variable:
	case *Dataset:
		for _, b := range x.tensors {
			h.buffer(b, false)
		}
		for _, t := range x.Host {
			if t.Kind == graph.HostCache && t.Filled {
				h.term(t)
			}
		}
	case *pandas.DataFrame:
		if !h.seen[x] {
			h.seen[x] = true
			h.term(tableTerm(x))
		}
	}
}

// list adds the items of a list that are not known one by one. Each has what is not in the iteration
// before, nor held otherwise: neither views, nor arrays that several items share.
func (h *holding) list(l *value.List) {
	var one, reserved int64
	var made syntax.Node
	own, others := []value.Value{l.Typical}, map[any]bool{}
	if half := len(l.Last) / 2; half > 0 {
		for _, a := range arraysIn(l.Last[:half]) {
			others[memoryOf(a)] = true
		}
		own = l.Last[half:]
	}
	for _, a := range arraysIn(own) {
		of := memoryOf(a)
		if others[of] || l.Count > 0 && h.holds(a) {
			continue
		}
		others[of] = true
		n, why := bytesOf(a.Shape, a.DType)
		if why != nil {
			return
		}
		if one += n; a.Buffer == nil && a.Reserved() {
			reserved += n
		}
		if !made.Valid() {
			made = a.Made
		}
	}
	if l.Made.Valid() {
		made = l.Made
	}
	t := &graph.HostTerm{Kind: graph.HostList, What: "a list of arrays", Node: made}
	iterations := func(items int64) int64 { return items / int64(len(own)) }
	switch {
	case one == 0 && (l.Count > 0 || l.Last != nil):
		return
	case l.Count > 0:
		t.Low, t.Bytes = iterations(l.Count)*(one-reserved), iterations(l.Count)*one
	case l.Limit > 0:
		t.Bytes = iterations(l.Limit) * one
	case one < fewBytes:
		return
	default:
		t.Unknown = l.Open
	}
	h.term(t)
}

// arraysIn returns the arrays in values, and in the tuples among them.
func arraysIn(values []value.Value) (all []*numpy.Array) {
	for _, v := range values {
		for _, part := range Flat(v) {
			if a, ok := part.X.(*numpy.Array); ok {
				all = append(all, a)
			}
		}
	}
	return all
}

// holds reports whether the program holds the memory of an array by another name.
func (h *holding) holds(a *numpy.Array) bool {
	return a.Buffer != nil && h.tensors[a.Buffer] != nil || a.Buffer == nil && h.seen[a.Memory()]
}

// memoryOf identifies the memory of an array.
func memoryOf(a *numpy.Array) any {
	if a.Buffer != nil {
		return a.Buffer
	}
	return a.Memory()
}

// fewBytes is the size of an array from which it matters that a list has an unknown number of them.
const fewBytes = 64 << 10

// buffer adds a tensor. A dataset has its tensors in the machine's memory: its kernels are for the CPU
// (tensorflow/core/kernels/data/tensor_slice_dataset_op.cc).
func (h *holding) buffer(b *numpy.Buffer, onGPU bool) {
	if b == nil || b.Passing {
		return
	}
	t := h.tensors[b]
	if t == nil {
		t = &graph.HostTerm{Kind: graph.HostTensor, What: ops.MadeBy(b.Made), Node: b.Made, OnGPU: onGPU}
		t.Bytes, t.Unknown = bytesOf(b.Shape, b.DType)
		if t.Low = t.Bytes; b.On == numpy.Undecided {
			t.Low = 0
		}
		h.tensors[b] = t
		h.term(t)
	}
	t.OnGPU = t.OnGPU && onGPU
}

// opened adds what TensorFlow takes to make the tensors of a dataset of NumPy's arrays: a copy, as their
// memory is aligned otherwise (tensorflow/python/lib/core/ndarray_tensor.cc), which stays until it makes
// the next tensor, and for a moment another one when it opens the pipeline, unless that is shuffled
// (measured in testdata/host). Buffers and caches fill up after that moment.
func (h *holding) opened(d *Dataset) {
	later := int64(0)
	for _, t := range d.Host {
		later += t.Bytes
	}
	for _, b := range d.tensors {
		n, why := bytesOf(b.Shape, b.DType)
		if b.Copied && why == nil && !h.seen[b] {
			h.seen[b] = true
			t := &graph.HostTerm{Kind: graph.HostTensor, What: "copies that TensorFlow makes of the array first", Node: b.Made, Bytes: n}
			if !d.shuffled {
				t.Bytes += max(n-later, 0)
			}
			h.term(t)
		}
	}
}

// arrayTerm is the memory of an array of NumPy.
func arrayTerm(a *numpy.Array) *graph.HostTerm {
	t := &graph.HostTerm{Kind: graph.HostArray, What: "an array", Node: a.Made}
	if name := calleeOf(a.Made); name != "" {
		t.What = "the array of " + name + "()"
	}
	t.Bytes, t.Unknown = bytesOf(a.Shape, a.DType)
	if t.Low = t.Bytes; a.Reserved() {
		t.Low = 0
	}
	return t
}

// tableTerm is the memory of a table: eight bytes for each number, or each reference to a text.
func tableTerm(table *pandas.DataFrame) *graph.HostTerm {
	t := &graph.HostTerm{Kind: graph.HostArray, What: "a table"}
	t.Bytes, t.Unknown = bytesOf(table.Told(), "float64")
	return t
}

func bytesOf(shape tensor.Shape, d tensor.DType) (int64, *value.Cause) {
	n, ok := shape.Elements()
	switch {
	case !ok:
		return 0, value.Because(value.ArrayShape, "the shape is %s", shape)
	case d == "" || d == "string":
		return 0, value.Because(value.ArrayContents, "the size of its texts is not known")
	}
	return n * d.Size(), nil
}

// calleeOf returns the name of the function that a call names, without what it is an attribute of.
func calleeOf(call syntax.Node) string {
	f := call.Child(syntax.FieldFunction)
	if name := f.Child(syntax.FieldAttribute); name.Valid() {
		f = name
	}
	return f.Text()
}

// Serves reports whether it is one of Keras's generators, which is asked for its batches by number.
func (d *Dataset) Serves() bool { return d.tells["__getitem__"].X != nil }

// BytesOf returns the size of the arrays of a batch. ok is false if it is not known.
func BytesOf(batch value.Value) (n int64, ok bool) {
	for _, part := range Flat(batch) {
		shape, d, is := numpy.Of(part)
		one, why := bytesOf(shape, d)
		if !is || why != nil {
			return 0, false
		}
		n += one
	}
	return n, true
}
