package estimate

import (
	"context"
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/budget"
)

// A Brief is what is left of a training when its file's analysis is not kept.
type Brief struct {
	// Path and Start are where its code is. The programs that import a module may each tell of it.
	Path     string `json:"path"`
	Start    int    `json:"start"`
	Imported bool   `json:"imported,omitempty"`
	// ByFit is set of a train_step that a fit runs, which is the training.
	ByFit bool `json:"by_fit,omitempty"`
	// Cell, from 1 over all cells or 0 in a file, and Row are the place of the training or, if it is
	// not priced, of the cause, which is in the file In.
	In   string `json:"in"`
	Cell int    `json:"cell,omitempty"`
	Row  int    `json:"row"`
	// Why says why it is not priced, "" if it is.
	Why string `json:"why,omitempty"`
	// Remedy is what a person can write so that it is priced, and where; "" if nothing helps.
	Remedy          string `json:"remedy,omitempty"`
	Low, Peak, High int64
	// Device is the GPU that it was compared with, "" if none is known. Open is set if that does not
	// tell whether it fits. Uncounted names the data of unknown size that the GPU holds; "" if there
	// are none.
	Device    string `json:"device,omitempty"`
	Open      bool   `json:"open,omitempty"`
	Uncounted string `json:"uncounted,omitempty"`
}

// Where is the place, for people: "train.py:74", "train.ipynb:cell 3:2".
func (b Brief) Where() string {
	if b.Cell > 0 {
		return fmt.Sprintf("%s:cell %d:%d", b.In, b.Cell, b.Row)
	}
	return fmt.Sprintf("%s:%d", b.In, b.Row)
}

// Compared reports whether it is known whether the training fits.
func (b Brief) Compared() bool { return b.Why == "" && b.Device != "" && !b.Open }

// Better reports whether b tells more of a training than what another program tells.
func (b Brief) Better(other Brief) bool {
	switch {
	case (b.Why == "") != (other.Why == ""):
		return b.Why == ""
	case b.Why == "":
		return b.High > other.High
	}
	return b.Imported && !other.Imported
}

// Briefs returns the trainings that TFM601 compares with a GPU, and those that it should but that
// are not priced. There are none where the user says that there is no GPU, in a test, or on the CPU.
func Briefs(file *analyzer.File) (found []Brief) {
	if file.Unread != "" || !file.Relevant() || file.Foreign() || file.Config.Largest == nil {
		return nil
	}
	skip := false
	_ = file.Do(context.Background(), func() {
		skip = !budget.MayTrain(file) || file.Role().Kind == facts.Test || budget.OnCPU(file)
	})
	if skip {
		return nil
	}
	device := smallest(file.Devices())
	for _, t := range Trainings(file) {
		b := Brief{Path: t.Source.Path, Start: t.Unit.Start(), Imported: t.Imported, ByFit: t.ByFit}
		if t.ByFit {
			b.place(t.Source, source.Span{Start: t.Node.Start(), End: t.Node.End()})
			found = append(found, b)
			continue
		}
		if t.Why != nil {
			b.Why = t.Why.Core().String()
			b.place(t.Why.Source, t.Why.Span)
			b.Remedy = remedy(t.Why)
		} else {
			b.place(t.Source, source.Span{Start: t.Node.Start(), End: t.Node.End()})
			b.Low, b.Peak, b.High, b.Uncounted = t.Need.Low, t.Need.Peak, t.Need.High, t.Uncounted
			least, most := file.Config.Smallest, file.Config.Largest
			switch {
			case device != nil:
				b.Device, b.Open = device.Name, t.Verdict == memory.Unknown
			case b.Uncounted == "" && b.High <= memory.BudgetOf(*least, memory.Process{}).Low:
				b.Device = least.Name // it fits every GPU
			case b.Low > memory.BudgetOf(*most, memory.Process{}).High:
				b.Device = most.Name // it fits none
			}
		}
		found = append(found, b)
	}
	return found
}

// remedy is what a person can write, and where: "on train.py:4: # tfmem: shape=(None, ?)".
func remedy(why *Reason) string {
	where, texts := "in tfmem.toml", []string(nil)
	for _, o := range why.written() {
		if o.Edit != nil {
			var at Brief
			at.place(o.Source, o.Span)
			where = "on " + at.Where()
		}
		texts = append(texts, o.Text)
	}
	if len(texts) == 0 {
		return ""
	}
	return where + ": " + strings.Join(texts, ", or ")
}

func (b *Brief) place(s *source.Source, span source.Span) {
	at := s.Place(span)
	g := &s.Segments()[at.Segment]
	b.In, b.Cell, b.Row = s.Path, g.Cell, 1+g.Lines().Position(at.Span.Start, source.UTF32).Line
}
