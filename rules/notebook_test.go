package rules

import (
	"testing"

	"github.com/tfmem/tfmem/rules/pipeline"
)

// TestDisplayedDataset sees that TFM309 leaves out the last statement of a cell, whose value is shown.
func TestDisplayedDataset(t *testing.T) {
	f := notebookOf(t, "import tensorflow as tf\nds = tf.data.Dataset.range(10)\nds.batch(2)  # shown", "ds.batch(3)\nprint(ds)", "ds.take(1)\n\n# the first")
	found := Check(f, alone(pipeline.DiscardedDataset))
	if len(found) != 1 || f.Source.Slice(found[0].Span) != "batch(3)" {
		t.Errorf("%d findings, want one of batch(3): %v", len(found), found)
	}
}
