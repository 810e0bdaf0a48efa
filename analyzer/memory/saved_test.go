package memory_test

import (
	"archive/zip"
	"bytes"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/saved"
)

// silent are programs with an argument of which their descriptions say nothing: LSTM(use_cudnn=False).
var silent = []string{"documents_bidirectional", "documents_hierarchy", "text_lstm", "video_mobilenet_thawed"}

// open are descriptions without the shape of the input: a Normalization layer was adapted to it.
var open = []string{"regression.keras2.json"}

// TestSaved prices the models that real Keras described as JSON (testdata/saved/record.py): they need
// what they need as source text, and have the parameters that Keras counted. Loss, optimizer and data
// are the programs'.
func TestSaved(t *testing.T) {
	archive, err := zip.OpenReader("../../testdata/saved/models.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	var off []float64
	for _, r := range records(t, "peaks.csv") {
		name, l := r.program+".json", effects.Library{}
		if r.legacy() {
			name, l = r.program+".keras2.json", l.Legacy()
		}
		f, err := archive.Open(name)
		if err != nil {
			continue
		}
		data, err := io.ReadAll(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		described, err := saved.Read(bytes.NewReader(data), int64(len(data)), "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		program := followUnder(l, described.Python)
		uses := followUnder(l, source(t, r.program)).Uses
		if len(described.Elsewhere) > 0 || slices.Contains(open, name) {
			continue
		}
		if len(program.Models) == 0 || len(program.Models[len(program.Models)-1].Unresolved) > 0 {
			t.Errorf("%s is not built: %s", name, described.Python)
			continue
		}
		model := program.Models[len(program.Models)-1]
		if all, trained := model.Parameters(); r.training == 0 && (all != r.parameters || trained != r.trainable) {
			t.Errorf("%s: %d parameters, %d of them trained; want %d and %d", name, all, trained, r.parameters, r.trainable)
		}
		if r.training != 0 || slices.Contains(silent, r.program) || strings.HasPrefix(r.program, "video_dropped_norms") {
			continue
		}
		u := uses[0]
		if model.Optimizer != nil && (model.Optimizer.Class != u.Model.Optimizer.Class || model.Optimizer.Slots != u.Model.Optimizer.Slots) {
			t.Errorf("%s is compiled with %s of %v slots, want %s of %v", name, model.Optimizer.Class, model.Optimizer.Slots, u.Model.Optimizer.Class, u.Model.Optimizer.Slots)
		}
		priced := func(m *graph.Model) int64 {
			m.Compiled = u.Model.Compiled
			m.Compiled.XLA = "False" // as it was recorded
			need, err := memory.Training(m, u.Model.Optimizer, u.BatchInputs(r.batch))
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			return need.Peak
		}
		got, want := priced(model), priced(u.Model)
		if d := math.Abs(float64(got)/float64(want) - 1); d > 0.002 {
			t.Errorf("%s on %d: %d, and %d from source: %.2f %%", name, r.batch, got, want, 100*d)
		}
		off = append(off, math.Abs(float64(got)/float64(r.peak)-1))
	}
	if len(off) < 240 {
		t.Errorf("only %d steps are compared", len(off))
	}
	slices.Sort(off)
	t.Logf("%d steps beside real TensorFlow: median %.2f %%, worst %.2f %%", len(off), 100*off[len(off)/2], 100*off[len(off)-1])
}
