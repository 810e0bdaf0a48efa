package pipeline

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// OversizedShuffleBuffer is TFM307.
var OversizedShuffleBuffer = &rule.Rule{
	Code: "TFM307", Name: "oversized-shuffle-buffer", Severity: rule.Information, OffByDefault: true,
	Summary: "The buffer of a shuffle takes gigabytes of host memory.",
	What: `
Multiplies the buffer of Dataset.shuffle by the size of what it holds, where the
program tells both (images of a builder, arrays of a known shape and what map
makes of them), and reports 4 GiB and more. The dataset may be smaller than its
buffer: where its length is known, that counts. Slices of an array that nothing
has changed yet lie in the array itself, and what cache() keeps lies there, so
that a buffer of them takes nothing more.`,
	Why: `
shuffle fills its buffer before it yields the first element, and keeps it full. It
is host memory, not the GPU's; where that runs out, the system ends the program
without a word from TensorFlow. Shuffled before they are decoded, file names and
records do as well, and after batch the buffer counts batches. The rule is off by
default, as it cannot know how much memory the host has.`,
	Bad: `
import tensorflow as tf

images = tf.keras.utils.image_dataset_from_directory("photos", image_size=(512, 512), batch_size=32)
images = images.shuffle(1000)`,
	Good: `
import tensorflow as tf

images = tf.keras.utils.image_dataset_from_directory("photos", image_size=(512, 512), batch_size=32)
images = images.shuffle(10)`,
	Triggers: []string{".shuffle("},
	Priced:   true,
	Check:    checkBuffer,
}

// large is the host memory in bytes from which on a buffer is reported.
const large = 4 << 30

func checkBuffer(p *rule.Pass) {
	reported := map[syntax.Node]bool{}
	for _, d := range p.File.Models().Datasets {
		if d.Buffer <= 0 || !d.Own || reported[d.Node] || !p.Here(d.Node) {
			continue
		}
		element, ok := size(d.Elements)
		what := "elements"
		if d.Batched {
			batch, known := d.Batch.Int()
			element, ok, what = element*batch, ok && known && batch > 0, fmt.Sprintf("batches of %d", batch)
		}
		held, atMost := d.Buffer, ", if the dataset is as long"
		if d.Count >= 0 {
			held, atMost = min(held, d.Count), ""
		}
		if !ok || element == 0 || held < large/element {
			continue
		}
		reported[d.Node] = true
		p.Report(rule.Finding{
			Span:    nameOf(d.Node),
			Message: fmt.Sprintf("This buffer takes %d %s of %s each, %s of host memory%s: shuffle before the examples are decoded or batched, or take a smaller buffer.", held, what, memory.Bytes(element), memory.Bytes(held*element), atMost),
		})
	}
}
