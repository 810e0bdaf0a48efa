// Package host weighs what a program takes of the memory of the machine itself: arrays and tables,
// caches, the buffers of shuffle and prefetch, queues of workers, collected predictions.
//
// Package keras finds the terms while it evaluates a program, at each call of a model and each loop over
// a dataset; this package adds them up. It knows nothing of GPUs' memory.
package host

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Terabyte is more than any machine has on which people train: 1 TiB.
const Terabyte = 1 << 40

// A Figure is what the machine's own memory holds at a moment of a program, beside what Python and
// TensorFlow themselves take.
type Figure struct {
	Node syntax.Node // the call of a model, or the loop over a dataset; none for the end of the program
	Led  syntax.Node // the call of the program's own file that leads there, if it stands in another module
	// Bytes is what the parts take once they are full. It surely is Low then, and High with what the
	// allocator adds.
	Low, Bytes, High int64
	Parts            []Part // the largest first, then those whose size is not known
}

// A Part is one of the things in memory.
type Part struct {
	Kind       graph.HostKind
	What       string
	Node       syntax.Node // the call that takes it; none if no call is known
	Low, Bytes int64
	Unknown    *value.Cause // why the size is not known; nil if it is
}

// Open returns the parts whose size is not known.
func (f *Figure) Open() (open []Part) {
	for _, p := range f.Parts {
		if p.Unknown != nil {
			open = append(open, p)
		}
	}
	return open
}

// Exceeds reports whether a machine with so much memory surely cannot hold it.
func (f *Figure) Exceeds(ram int64) bool { return f != nil && f.Low > ram }

// margin is the part of the memory by which a process may hold more than the parts: what malloc rounds
// up and keeps (testdata/host).
const margin = 4 // a quarter

// Runs says how a program runs.
type Runs struct {
	WithoutGPU bool // tensors lie on the GPU, unless there is none
	InGraphs   bool // as in TensorFlow 1, or it may: Keras copies no arrays then
}

// Of returns the figure of the moment at which a program holds the most, or nil if it never holds
// anything. of selects moments, nil for all.
func Of(p *graph.Program, runs Runs, of func(*graph.HostMoment) bool) *Figure {
	var most *Figure
	for _, m := range p.Host {
		if of != nil && !of(m) {
			continue
		}
		f := figureOf(m, runs)
		if len(f.Parts) > 0 && (most == nil || cmp.Or(cmp.Compare(f.Low, most.Low), cmp.Compare(f.Bytes, most.Bytes)) > 0) {
			most = f
		}
	}
	return most
}

func figureOf(m *graph.HostMoment, runs Runs) *Figure {
	f := &Figure{Node: m.Node, Led: m.Led}
	for _, t := range m.Terms {
		if t.OnGPU && !runs.WithoutGPU || t.Copied && runs.InGraphs || t.Bytes == 0 && t.Unknown == nil {
			continue
		}
		f.Low += t.Low
		f.Bytes += t.Bytes
		if i := slices.IndexFunc(f.Parts, func(p Part) bool { return p.Kind == t.Kind && p.What == t.What && p.Node == t.Node }); i >= 0 {
			p := &f.Parts[i]
			p.Low, p.Bytes, p.Unknown = p.Low+t.Low, p.Bytes+t.Bytes, cmp.Or(p.Unknown, t.Unknown)
			continue
		}
		f.Parts = append(f.Parts, Part{t.Kind, t.What, t.Node, t.Low, t.Bytes, t.Unknown})
	}
	f.High = f.Bytes + f.Bytes/margin
	slices.SortStableFunc(f.Parts, func(a, b Part) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return f
}
