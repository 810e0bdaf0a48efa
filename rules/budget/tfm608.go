package budget

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/host"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// HostMemoryExceeded is TFM608.
var HostMemoryExceeded = &rule.Rule{
	Code: "TFM608", Name: "host-memory-exceeded", Severity: rule.Warning, RAM: "12 GiB",
	Summary: "Arrays, caches and buffers together take more than the machine's own memory.",
	What: `
Adds up what lies in the machine's own memory while a model is trained or a
dataset is read: NumPy arrays and what fit makes of them, cache() without a
file, the buffers of shuffle and prefetch, collected predictions, lists of
arrays. Compares the sum with the machine of the setting ram or of --ram; in an
editor and a notebook with the machine that tfmem runs on. 1 TiB is reported
on any machine.`,
	Why: `
The system kills a program that needs more, without a message from TensorFlow
("Killed", "Your session crashed after using all available RAM"). The GPU may be
nearly empty then: a batch is on it, but the data set is not.`,
	Bad: `
import numpy as np
import tensorflow as tf

images = np.ones((6000, 256, 256, 3), "uint8")
data = tf.data.Dataset.from_tensor_slices(images)
data = data.map(lambda image: tf.image.resize(image, (512, 512))).cache()
for batch in data.batch(32):
    print(batch.shape)`,
	Good: `
import numpy as np
import tensorflow as tf

images = np.ones((6000, 256, 256, 3), "uint8")
data = tf.data.Dataset.from_tensor_slices(images)
data = data.map(lambda image: tf.image.resize(image, (512, 512))).cache("data.cache")
for batch in data.batch(32):
    print(batch.shape)`,
	FixSafety: `
Unsafe: a cache in a file needs room on the disk, and stays there for later runs,
which read it even if the data have changed. A smaller shuffle buffer shuffles
less.`,
	Limitations: `
What Python, TensorFlow and CUDA take themselves is not counted, 1 to 4 GiB, nor
what NumPy holds only while it computes. Data of unknown size, and a buffer that may
not fill because the number of elements is not known, do not count. Tests and
functions that nothing calls are not checked.`,
	References: []rule.Reference{
		rule.API("tf.data.Dataset#cache"),
		rule.Guide("data_performance#reducing_memory_footprint", "Better performance with the tf.data API: Reducing memory footprint"),
	},
	Triggers: slices.Concat(OversizedBatch.Triggers, []string{".cache(", ".shuffle("}),
	// Another machine may have enough memory.
	DependsOnGPU: true,
	Priced:       true,
	Imported:     true,
	Check:        checkHost,
}

// HostRuns tells how a file's program runs.
func HostRuns(file *analyzer.File) host.Runs {
	r := file.Releases()
	return host.Runs{WithoutGPU: OnCPU(file), InGraphs: r.KerasMayRunInGraphs().Found() || r.DisablesEager().Found()}
}

// HostFigure returns what the machine's own memory must hold at the heaviest moment of a file's program,
// nil if nothing is known to be there.
func HostFigure(file *analyzer.File) *host.Figure {
	type figure struct{}
	return file.Fact(figure{}, func() any { return host.Of(file.Models(), HostRuns(file), nil) }).(*host.Figure)
}

// ExceedsHost reports whether the machine's own memory surely cannot hold what a program puts there: then
// TFM608 speaks.
func ExceedsHost(file *analyzer.File) bool { return HostFigure(file).Exceeds(roomOf(file)) }

// roomOf returns the memory of the machine that a file's program is compared with.
func roomOf(file *analyzer.File) int64 {
	if m := file.Machine(); m != nil {
		return min(m.Bytes, host.Terabyte)
	}
	return host.Terabyte
}

func checkHost(p *rule.Pass) {
	if p.File.Role().Kind == facts.Test || !p.File.Names().Mentions("cache", "shuffle") && !MayTrain(p.File) || !ExceedsHost(p.File) {
		return
	}
	figure := HostFigure(p.File)
	var at syntax.Node
	var largest *host.Part
	var parts []string
	f := rule.Finding{}
	for i := range figure.Parts {
		part := &figure.Parts[i]
		if part.Low <= figure.Low/100 {
			continue // it does not matter
		}
		if len(parts) < mostTold {
			parts = append(parts, part.What+" "+memory.Bytes(part.Low))
		}
		switch {
		case !part.Node.Valid():
		case !at.Valid() && p.Here(part.Node):
			at, largest = part.Node, part
		case len(f.Related) < mostTold:
			f.Related = append(f.Related, p.Related(part.Node, rule.Callee(part.Node), fmt.Sprintf("%s takes %s", part.What, memory.Bytes(part.Low))))
		}
	}
	if largest == nil { // it is all in other modules, which a call of this one fills
		switch at = figure.Node; {
		case !at.Valid():
			return
		case at.Kind() == syntax.ForStatement:
			at = at.Child(syntax.FieldRight)
		}
		if !p.Here(at) {
			at = figure.Led
		}
		if !at.Valid() {
			return
		}
		largest = &figure.Parts[0]
	}
	has := "Machines on which people train have less"
	if m := p.File.Machine(); m != nil && m.Bytes <= host.Terabyte {
		has = fmt.Sprintf("%s%s has %s (%s)", strings.ToUpper(m.Name[:1]), m.Name[1:], memory.Bytes(m.Bytes), m.Source)
	}
	f.Span = rule.Callee(at)
	f.Message = fmt.Sprintf("The program takes at least %s of the machine's own memory. %s. It holds %s. %s", memory.Bytes(figure.Low), has, strings.Join(parts, ", "), remedies[largest.Kind])
	if largest.Node.Valid() && p.Here(largest.Node) {
		f.Fixes = lighter(p, largest, roomOf(p.File)-(figure.Low-largest.Low))
	}
	p.Report(f)
}

// mostTold is how many parts are told.
const mostTold = 4

// remedies say what to do about a part.
var remedies = map[graph.HostKind]string{
	graph.HostArray:       "Read the data in parts: from files with tf.data, a keras.utils.PyDataset, or np.load(…, mmap_mode=\"r\"); keep whole numbers as uint8 until a batch is made.",
	graph.HostList:        "Keep fewer of them, whole numbers as uint8, or write each to a file.",
	graph.HostTensor:      "Read the data in parts: from files with tf.data, or a keras.utils.PyDataset.",
	graph.HostCache:       "Cache to a file, cache(filename), or before the step that makes the elements larger.",
	graph.HostShuffle:     "Shuffle before the examples are decoded or batched, or use a smaller buffer.",
	graph.HostPrefetch:    "Prefetch fewer elements: tf.data.AUTOTUNE, or 1 after batch.",
	graph.HostParallel:    "Make fewer parallel calls.",
	graph.HostBatch:       "Use smaller batches.",
	graph.HostQueue:       "Let fewer batches wait: a smaller max_queue_size.",
	graph.HostPredictions: "Predict in parts, and write each to a file.",
	graph.HostHistograms:  "Set histogram_freq=0, or log the weights of small layers only.",
}

// lighter offers to let a part take less: at most room.
func lighter(p *rule.Pass, part *host.Part, room int64) []rule.Fix {
	if !rule.Fixable(part.Node) {
		return nil
	}
	arguments := part.Node.Child(syntax.FieldArguments)
	first := arguments.FirstChild()
	switch {
	case part.Kind == graph.HostCache:
		bound := part.Node.Ancestor(syntax.Assignment)
		name := bound.Child(syntax.FieldLeft)
		if arguments.Text() != "()" || !name.Is(syntax.Identifier) || strings.Count(bound.Text(), ".cache(") > 1 {
			return nil // what to call the file is not clear
		}
		file := name.Text() + ".cache"
		return rule.OneFix("Cache in the file "+file, rule.Unsafe, source.Insert(arguments.Start()+1, p.Quote()+file+p.Quote()))
	case part.Kind == graph.HostShuffle:
		for _, d := range p.File.Models().Datasets {
			if d.Node == part.Node && d.Buffer > 0 {
				return fewer(p, first, part.Low/d.Buffer, room)
			}
		}
	}
	return nil
}

// fewer offers the largest power of two of elements that takes no more than half of the room.
func fewer(p *rule.Pass, number syntax.Node, each, room int64) []rule.Fix {
	n := int64(1)
	for each > 0 && 2*n*each <= room/2 {
		n *= 2
	}
	if !number.Is(syntax.Integer) || !p.Here(number) || each == 0 || n*each > room/2 || n < 2 {
		return nil
	}
	return rule.OneFix(fmt.Sprintf("Shuffle among %d elements", n), rule.Unsafe, source.Edit{Span: rule.Span(number), New: fmt.Sprint(n)})
}
