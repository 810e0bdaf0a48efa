package pipeline

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/budget"
	"github.com/tfmem/tfmem/rules/rule"
)

// OversizedShuffleBuffer is TFM307.
var OversizedShuffleBuffer = &rule.Rule{
	Code: "TFM307", Name: "oversized-shuffle-buffer", Severity: rule.Information, RAM: "16 GiB",
	Summary: "The buffer of a shuffle takes a large part of the machine's own memory.",
	What: `
Multiplies the buffer of Dataset.shuffle by the size of its elements, where
both are known (images of a Keras loader, arrays of a known shape and what map
makes of them). If the dataset's length is known and smaller than the buffer,
the length counts. Reports a third of the memory of the machine (the setting ram,
or --ram; in an editor and a notebook the machine that tfmem runs on), or, if the
length is not known, all of it; 64 GiB where no machine is known.`,
	Why: `
shuffle fills its buffer before it yields the first element, and keeps it full.
The buffer is in host memory, not on the GPU; if that runs out, the system
kills the program without a message from TensorFlow. Shuffling file names or
records before they are decoded works as well, and after batch the buffer
counts batches.`,
	Bad: `
import tensorflow as tf

images = tf.keras.utils.image_dataset_from_directory("photos", image_size=(512, 512), batch_size=32)
images = images.shuffle(1000)`,
	Good: `
import tensorflow as tf

images = tf.keras.utils.image_dataset_from_directory("photos", image_size=(512, 512), batch_size=32)
images = images.shuffle(10)`,
	Limitations: `
Elements of unknown size are not priced. Slices of an unchanged array, and
elements that cache() holds, share that memory, so a buffer of them is not
reported. Tests are not checked. Where the buffer and all else surely exceed the
machine's memory, TFM608 says so instead.`,
	References: []rule.Reference{
		rule.API("tf.data.Dataset#shuffle"),
		rule.Guide("data_performance#reducing_memory_footprint", "Better performance with the tf.data API: Reducing memory footprint"),
	},
	Triggers:     []string{".shuffle("},
	DependsOnGPU: true, // and on the machine's own memory
	Priced:       true,
	Check:        checkBuffer,
}

// large is the size in bytes from which a buffer is reported where no machine is known: few have more.
const large = 64 << 30

// tooLarge reports whether a buffer is to be reported. sure is set if it surely fills.
func tooLarge(p *rule.Pass, bytes int64, sure bool) bool {
	switch m := p.File.Machine(); {
	case m == nil:
		return bytes >= large
	case sure:
		return bytes >= m.Bytes/3
	default:
		return bytes >= m.Bytes
	}
}

func checkBuffer(p *rule.Pass) {
	if p.File.Role().Kind == facts.Test || !shufflesDataset(p.File.Names()) {
		return // so that no program is interpreted needlessly
	}
	for _, d := range p.File.Models().Datasets {
		if d.Buffer <= 0 || !d.Own || !p.Here(d.Node) {
			continue
		}
		element, ok := size(d.Elements)
		what := "elements"
		if d.Batched {
			batch, known := d.Batch.Int()
			element, ok, what = element*batch, ok && known && batch > 0, fmt.Sprintf("batches of %d", batch)
		}
		held, atMost, count := d.Buffer, ", if the dataset is as long", d.Count
		if n := generated(p, d.Node); count < 0 && n > 0 {
			count = n
		}
		if count >= 0 {
			held, atMost = min(held, count), ""
		}
		if !ok || element == 0 || held > math.MaxInt64/element || !tooLarge(p, held*element, count >= 0) || budget.ExceedsHost(p.File) {
			continue
		}
		p.Report(rule.Finding{
			Span:    nameOf(d.Node),
			Message: fmt.Sprintf("This shuffle buffer takes %s of host memory. It holds %d %s of %s each%s. Shuffle before the examples are decoded or batched, or use a smaller buffer.", memory.Bytes(held*element), held, what, memory.Bytes(element), atMost),
		})
	}
}

// generated returns how many elements a shuffle gets of a generator of the program, or 0 if that is not known.
func generated(p *rule.Pass, shuffle syntax.Node) int64 {
	info := p.File.Names()
	d := dataset.NewTracer(info).Of(shuffle)
	if d.Kind != dataset.Pipeline || d.Several || info.Callee(d.Source) != "tensorflow.data.Dataset.from_generator" {
		return 0
	}
	for _, s := range d.Steps {
		if !slices.Contains([]string{"map", "cache", "prefetch", "shuffle"}, s.Name) {
			return 0
		}
	}
	generator := info.Target(names.Argument(d.Source, 0, "generator")).Function
	if generator == nil || !generator.Yields {
		return 0
	}
	return int64(p.File.Facts().Yields(generator))
}

// shufflesDataset reports whether a module may shuffle a dataset: shuffle is also a function of NumPy and
// of Python's random.
func shufflesDataset(info *names.Info) bool {
	return slices.ContainsFunc(info.MethodCalls(func(name string) bool { return name == "shuffle" }), func(call syntax.Node) bool {
		q := info.Callee(call)
		return q == "" || strings.HasPrefix(q, "tensorflow.")
	})
}
