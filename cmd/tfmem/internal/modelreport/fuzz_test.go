package modelreport

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/rules/estimate"
)

// FuzzPrices checks that the report on any program is JSON with plausible sizes.
func FuzzPrices(f *testing.F) {
	paths, err := filepath.Glob("../../../../testdata/rules/TFM60*/*.py")
	if err != nil || len(paths) < 50 {
		f.Fatalf("there are %d seeds: %v", len(paths), err)
	}
	for i := 0; i < len(paths); i += len(paths) / 30 {
		text, err := os.ReadFile(paths[i])
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), int64(i%3))
	}
	device := memory.Device{Name: "a GPU", Total: 12 << 30, Major: 8, Minor: 6, Source: "named by the test"}
	f.Fuzz(func(t *testing.T, text string, batch int64) {
		if len(text) > 4000 {
			return
		}
		file := analyzer.Analyze(source.New("a.py", text), analyzer.Config{Asked: true, Devices: func() []memory.Device { return []memory.Device{device} }})
		models, weighed := estimate.Of(file, estimate.Options{Batch: min(max(batch, 0), memory.MaxBatch)})
		var b bytes.Buffer
		if err := ReportOf(models, &Coverage{}, weighed, nil).Write(&b); err != nil {
			t.Fatal(err)
		}
		if err := Text(io.Discard, models, report.Palette{}, false); err != nil {
			t.Fatal(err)
		}
		var list Report
		d := json.NewDecoder(&b)
		d.DisallowUnknownFields()
		if err := d.Decode(&list); err != nil {
			t.Fatal(err)
		}
		if len(list.Models) != len(models) {
			t.Fatalf("%d of %d models are printed", len(list.Models), len(models))
		}
		for _, m := range list.Models {
			least := []*int64{m.Parameters, m.Trainable, m.BatchSize, m.Largest}
			for _, n := range []*jsonNeed{m.Training, m.Inference} {
				if n == nil {
					continue
				}
				if n.Low > n.Peak || n.High != nil && n.Peak > *n.High {
					t.Errorf("%s: a peak of %d is between %d and %d", m.Name, n.Peak, n.Low, *n.High)
				}
				least = append(least, &n.Weights, &n.Gradients, &n.Optimizer, &n.Kept, &n.Transient, &n.Low, n.Device)
			}
			for _, l := range m.Layers {
				least = append(least, l.Parameters, &l.KeptBytes)
			}
			for _, n := range least {
				if n != nil && *n < 0 {
					t.Errorf("%s: %d is no size", m.Name, *n)
				}
			}
		}
	})
}
