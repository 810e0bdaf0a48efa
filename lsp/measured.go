package lsp

import (
	"time"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/rules/estimate"
)

// A Measurement is what the last measured run of a script used, with the code that it has now.
type Measurement struct {
	Day   time.Time
	Bytes int64
	// Peak is set if Bytes is TensorFlow's own peak. Else it is what the driver counted, with what
	// TensorFlow only reserved.
	Peak bool
}

// measured returns the measurement of a snapshot's script or notebook, or nil.
func (s *session) measured(snap *snapshot) *Measurement {
	if s.opts.Measured == nil || snap.module != nil {
		return nil
	}
	return s.opts.Measured(snap.source.Path, snap.source.Text())
}

// short formats a measurement for a line, after an estimate.
func (m *Measurement) short() string {
	verb := "used"
	if m.Peak {
		verb = "measured"
	}
	return " · " + verb + " " + memory.Bytes(m.Bytes) + " on " + m.Day.Format(time.DateOnly)
}

func (m *Measurement) describe() markdown {
	if m.Peak {
		return markdownf("Measured on %s: TensorFlow's peak was **%s**.", m.Day.Format(time.DateOnly), memory.Bytes(m.Bytes))
	}
	return markdownf("Measured on %s: the driver counted **%s** for the program, with what TensorFlow only reserved.", m.Day.Format(time.DateOnly), memory.Bytes(m.Bytes))
}

// largestTraining returns the model of the training that needs most, which a measurement of the
// whole script is compared with; nil if none is priced.
func largestTraining(models *estimate.File) (model *graph.Model) {
	var most int64
	for i := range models.Calls {
		c := &models.Calls[i]
		if c.Known() && c.Trains() && c.Model.Training.Peak > most {
			model, most = c.Model.Assessment.Model, c.Model.Training.Peak
		}
	}
	return model
}

// trained returns the model whose training a subject is about, or nil.
func trained(s estimate.Subject) *graph.Model {
	model := s.Model
	if s.Call != nil && s.Call.Known() {
		model = &s.Call.Model
	}
	if model == nil || model.Training == nil {
		return nil
	}
	return model.Assessment.Model
}
