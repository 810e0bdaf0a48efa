package budget

import (
	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// muchData is the size from which an array matters on a GPU, if no GPU is known.
const muchData = 512 << 20

// MuchData returns the size from which an array matters on the GPU of a file: a sixteenth of the
// smallest.
func MuchData(file *analyzer.File) int64 {
	limit := int64(muchData)
	for i, d := range file.Devices() {
		if i == 0 || d.Total/16 < limit {
			limit = d.Total / 16
		}
	}
	return limit
}

// A WithData compares a call whose arrays lie on the GPU with it.
type WithData struct {
	Device  memory.Device
	Budget  memory.Budget
	Step    int64 // what the call needs beside data; 0 if that is not known
	Exceeds bool
}

// WeighData compares a call with the GPU of a file. u may be nil: the arrays alone are compared.
func WeighData(file *analyzer.File, u *graph.ModelCall, arrays int64) (w WithData) {
	if w.Device, w.Budget = against(file); !w.Budget.Known() {
		return w
	}
	w.Exceeds = arrays > w.Budget.Expected
	if u == nil || u.Model.Unbuilt() != nil || len(u.Model.Unresolved) > 0 {
		return w
	}
	for _, p := range Prices(file, 0).Phases(u) {
		if p.Price() != nil {
			continue
		}
		w.Step = max(w.Step, p.Peak-p.Data)
		w.Exceeds = w.Exceeds || memory.Judge(p.Need, w.Budget) == memory.Exceeds
	}
	return w
}

// byData reports whether a training exceeds the GPU because of the arrays that are copied there, which
// TFM303 reports.
func (w weighing) byData() bool {
	var copied int64
	for _, t := range w.use.Data {
		if t.Copied {
			copied += t.Bytes
		}
	}
	if much := MuchData(w.file); copied < much || !w.file.Facts().MayFill(float64(much)) {
		return false // TFM303 does not look for it, as where the size is in a settings file
	}
	return w.fitsWithout(copied)
}

// fitsWithout reports whether a training does not surely exceed the GPU without some bytes that lie there.
func (w weighing) fitsWithout(bytes int64) bool {
	without := w.need
	without.Peak, without.Low, without.High = without.Peak-bytes, without.Low-bytes, without.High-bytes
	return memory.Judge(without, w.budget) != memory.Exceeds
}
