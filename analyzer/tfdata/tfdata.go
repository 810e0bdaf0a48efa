// Package tfdata is what tfmem knows of tf.data: the methods of datasets, the transformations for
// apply, and the sources, a row each. Package dataset reads it to follow pipelines for rules, and
// package keras to evaluate their elements for prices. It imports no other package of tfmem.
package tfdata

import (
	"slices"
	"strings"
)

// A Change is the effect of a step on the elements of a dataset.
type Change uint8

const (
	Keeps        Change = iota + 1 // elements stay batches or single examples
	Batches                        // elements become batches
	Unbatches                      // batches become elements
	Windows                        // elements become datasets of elements
	Maps                           // as its function says, for each element
	Flattens                       // as the datasets that its function returns for each element
	Groups                         // as the datasets that its function returns for each group
	Concatenates                   // those of another dataset follow
	Applies                        // as its transformation says
	Iterates                       // it returns an iterator, which has none of these methods
)

// A Holding is what a step keeps in host memory while its elements are read.
type Holding uint8

const (
	Nothing Holding = iota // no more than the element that it hands on
	// All elements that it has read, unless it gets a name of a file
	// (tensorflow/core/kernels/data/cache_dataset_ops.cc, MemoryCache).
	All
	// Buffered elements: as many as the argument says, or as many as there are
	// (tensorflow/core/kernels/data/shuffle_dataset_op.cc; prefetch_dataset_op.cc).
	Buffered
	// Parallel results of its function, as many as the argument says
	// (tensorflow/core/kernels/data/parallel_map_dataset_op.cc).
	Parallel
	// Gathered elements, as many as the argument says, beside the batch that they become
	// (tensorflow/core/kernels/data/batch_dataset_op.cc).
	Gathered
)

// Autotune is the value of tf.data.AUTOTUNE (tensorflow/python/data/ops/dataset_ops.py).
const Autotune = -1

// A Method is a method of tf.data.Dataset that takes a step.
type Method struct {
	Change
	// Function is the parameter for the function of the step, and Position its position; "" if
	// the step has none.
	Function string
	Position int
	// Holds is what the step keeps in memory, and Amount the parameter that says how much.
	Holds  Holding
	Amount string
	// Recounts is set if only a run shows how many elements are left.
	Recounts bool
	// Replaces is set if the elements get another structure or other shapes in a way that the
	// change does not say.
	Replaces bool
}

// Methods are the methods by name (tensorflow/python/data/ops/dataset_ops.py).
var Methods = map[string]Method{
	"apply":                     {Change: Applies},
	"as_numpy_iterator":         {Change: Iterates},
	"assert_cardinality":        {Change: Keeps, Recounts: true},
	"batch":                     {Change: Batches, Holds: Gathered, Amount: "batch_size"},
	"bucket_by_sequence_length": {Change: Batches, Replaces: true},
	"cache":                     {Change: Keeps, Holds: All, Amount: "filename"},
	"concatenate":               {Change: Concatenates},
	"enumerate":                 {Change: Keeps},
	"filter":                    {Change: Keeps, Recounts: true},
	"flat_map":                  {Change: Flattens, Function: "map_func"},
	"group_by_window":           {Change: Groups, Function: "reduce_func", Position: 1},
	"ignore_errors":             {Change: Keeps, Recounts: true},
	"interleave":                {Change: Flattens, Function: "map_func", Holds: Parallel, Amount: "cycle_length"},
	"map":                       {Change: Maps, Function: "map_func", Holds: Parallel, Amount: "num_parallel_calls"},
	"padded_batch":              {Change: Batches, Holds: Gathered, Amount: "batch_size"},
	"prefetch":                  {Change: Keeps, Holds: Buffered, Amount: "buffer_size"},
	"ragged_batch":              {Change: Batches, Holds: Gathered, Amount: "batch_size"},
	"rebatch":                   {Change: Batches},
	"rejection_resample":        {Change: Keeps, Recounts: true, Replaces: true}, // with the class of each element
	"repeat":                    {Change: Keeps},
	"scan":                      {Change: Maps, Function: "scan_func", Position: 1},
	"shard":                     {Change: Keeps, Recounts: true},
	"shuffle":                   {Change: Keeps, Holds: Buffered, Amount: "buffer_size"},
	"skip":                      {Change: Keeps},
	"snapshot":                  {Change: Keeps},
	"sparse_batch":              {Change: Batches, Replaces: true},
	"take":                      {Change: Keeps},
	"take_while":                {Change: Keeps, Recounts: true},
	"unbatch":                   {Change: Unbatches},
	"unique":                    {Change: Keeps, Recounts: true},
	"window":                    {Change: Windows},
	"with_options":              {Change: Keeps},
}

// A Transformation is a function whose result is passed to apply.
type Transformation struct {
	// Parameters are its parameters in order, separated by spaces.
	Parameters string
	// Methods do the same, one after the other, with the arguments whose names they know.
	Methods []string
	// Drops is set if it drops a last batch that is not full, without being asked.
	Drops bool
}

// Transformations are the functions of tf.data.experimental, and of tf.contrib.data before it
// (tensorflow/python/data/experimental/ops).
var Transformations = map[string]Transformation{
	"assert_cardinality":                 {Parameters: "expected_cardinality", Methods: []string{"assert_cardinality"}},
	"batch_and_drop_remainder":           {Parameters: "batch_size", Methods: []string{"batch"}, Drops: true},
	"bucket_by_sequence_length":          {Parameters: "element_length_func bucket_boundaries bucket_batch_sizes", Methods: []string{"bucket_by_sequence_length"}},
	"copy_to_device":                     {Parameters: "target_device", Methods: []string{"prefetch"}},
	"dense_to_ragged_batch":              {Parameters: "batch_size drop_remainder", Methods: []string{"ragged_batch"}},
	"dense_to_sparse_batch":              {Parameters: "batch_size row_shape", Methods: []string{"sparse_batch"}},
	"enumerate_dataset":                  {Parameters: "start", Methods: []string{"enumerate"}},
	"group_by_window":                    {Parameters: "key_func reduce_func", Methods: []string{"group_by_window"}},
	"ignore_errors":                      {Parameters: "log_warning", Methods: []string{"ignore_errors"}},
	"map_and_batch":                      {Parameters: "map_func batch_size num_parallel_batches drop_remainder", Methods: []string{"map", "batch"}},
	"map_and_batch_with_legacy_function": {Parameters: "map_func batch_size num_parallel_batches drop_remainder", Methods: []string{"map", "batch"}},
	"padded_batch_and_drop_remainder":    {Parameters: "batch_size padded_shapes", Methods: []string{"padded_batch"}, Drops: true},
	"parallel_interleave":                {Parameters: "map_func", Methods: []string{"interleave"}},
	"prefetch_to_device":                 {Parameters: "device", Methods: []string{"prefetch"}},
	"rejection_resample":                 {Parameters: "class_func target_dist", Methods: []string{"rejection_resample"}},
	"scan":                               {Parameters: "initial_state scan_func", Methods: []string{"scan"}},
	"service.distribute":                 {Methods: []string{"prefetch"}},
	"shuffle_and_repeat":                 {Parameters: "buffer_size count", Methods: []string{"shuffle", "repeat"}},
	"snapshot":                           {Parameters: "path", Methods: []string{"snapshot"}},
	"take_while":                         {Parameters: "predicate", Methods: []string{"take_while"}},
	"unbatch":                            {Methods: []string{"unbatch"}},
	"unique":                             {Methods: []string{"unique"}},
}

// modules are where transformations are found.
var modules = []string{"tensorflow.data.experimental.", "tensorflow.contrib.data."}

// TransformationOf returns the transformation with a qualified name, and its name in the table.
func TransformationOf(qualified string) (t Transformation, name string, ok bool) {
	for _, module := range modules {
		if name, in := strings.CutPrefix(qualified, module); in {
			t, ok = Transformations[name]
			return t, name, ok
		}
	}
	return t, "", false
}

// Step returns the last of a transformation's methods that changes elements, with the position
// that its function has in the transformation.
func (t Transformation) Step() Method {
	step := Method{Change: Keeps}
	for _, name := range t.Methods {
		m := Methods[name]
		if m.Function != "" {
			m.Position = slices.Index(strings.Fields(t.Parameters), m.Function)
			step.Function, step.Position = m.Function, m.Position
		}
		if m.Change != Keeps {
			step.Change = m.Change
		}
	}
	return step
}
