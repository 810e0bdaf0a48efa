package tfdata

// Elements says what a source's elements are.
type Elements uint8

const (
	Open    Elements = iota // single examples or batches: the row does not say
	Single                  // single examples
	Batched                 // batches
)

// A Source is a call that creates a dataset.
type Source struct {
	Elements Elements
	// Batch is the parameter for the batch size, and Position its position, -1 if it is
	// keyword-only; "" if there is none. With None the elements are single examples.
	Batch    string
	Position int
	Default  int64 // the batch size without the argument; 0 if there are no batches then
	// Number is the data type if each element is one number or one text; "" for any others.
	Number string
	// InMemory is set if the elements are in memory already. Prefetched is set if the source
	// prefetches them itself, before or after it batches (keras/src/utils/image_dataset_utils.py
	// and similar; tensorflow/python/data/experimental/ops/readers.py).
	InMemory, Prefetched bool
}

// Sources are the calls by qualified name.
var Sources = map[string]Source{
	"tensorflow.data.Dataset.from_tensor_slices": {Elements: Single, InMemory: true},
	"tensorflow.data.Dataset.from_tensors":       {Elements: Batched, InMemory: true}, // one element of everything
	"tensorflow.data.Dataset.from_generator":     {},
	"tensorflow.data.Dataset.range":              {Elements: Single, Number: "int64", InMemory: true},
	"tensorflow.data.Dataset.list_files":         {Elements: Single, Number: "string"},
	"tensorflow.data.Dataset.random":             {Elements: Single, Number: "int64", InMemory: true},
	"tensorflow.data.Dataset.counter":            {Elements: Single, Number: "int64", InMemory: true},
	"tensorflow.data.Dataset.load":               {},
	"tensorflow.data.experimental.load":          {},
	"tensorflow.data.experimental.from_list":     {Elements: Single, InMemory: true},
	"tensorflow.data.experimental.Counter":       {Elements: Single, Number: "int64", InMemory: true},
	"tensorflow.data.experimental.RandomDataset": {Elements: Single, Number: "int64"},
	"tensorflow.data.experimental.CsvDataset":    {Elements: Single},
	"tensorflow.data.experimental.SqlDataset":    {Elements: Single},
	"tensorflow.data.TFRecordDataset":            {Elements: Single, Number: "string"},
	"tensorflow.data.TextLineDataset":            {Elements: Single, Number: "string"},
	"tensorflow.data.FixedLengthRecordDataset":   {Elements: Single, Number: "string"},

	"tensorflow.data.experimental.make_csv_dataset":              {Elements: Batched, Batch: "batch_size", Position: 1, Prefetched: true},
	"tensorflow.data.experimental.make_batched_features_dataset": {Elements: Batched, Batch: "batch_size", Position: 1, Prefetched: true},

	"tensorflow.keras.utils.image_dataset_from_directory":  {Elements: Batched, Batch: "batch_size", Position: 5, Default: 32, Prefetched: true},
	"tensorflow.keras.utils.text_dataset_from_directory":   {Elements: Batched, Batch: "batch_size", Position: 4, Default: 32, Prefetched: true},
	"tensorflow.keras.utils.audio_dataset_from_directory":  {Elements: Batched, Batch: "batch_size", Position: 4, Default: 32, Prefetched: true},
	"tensorflow.keras.utils.timeseries_dataset_from_array": {Elements: Batched, Batch: "batch_size", Position: 5, Default: 128, Prefetched: true},

	"tensorflow_datasets.load":                           {Elements: Single, Batch: "batch_size", Position: -1},
	"tensorflow_datasets.core.DatasetBuilder.as_dataset": {Elements: Single, Batch: "batch_size", Position: -1},
}
