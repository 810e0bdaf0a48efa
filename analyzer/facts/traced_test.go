package facts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestRetraces checks testdata/facts/retraces: by what the argument of print makes a new trace of a tf.function
// in each iteration of the loop around it ("# retraces: lambda"), or "no".
func TestRetraces(t *testing.T) {
	said := map[TraceKey]string{
		NotTraced: "no", ByNumber: "number", ByText: "text", ByLambda: "lambda", ByMethod: "method", ByPartial: "partial", ByObject: "object",
		ByContainer: "container", ByListLength: "length", ByShape: "shape", ByFileShape: "file",
	}
	cases.Run(t, "../../testdata/facts/retraces", []string{"retraces"}, func(t *testing.T, c *cases.Case) {
		info := names.Resolve(syntax.Parse(c.Text), effects.Library{}, nil)
		f := Of(info)
		printed := printedIn(info, c)
		c.Compare(t, "retraces", func(line int) []string {
			n := printed[line]
			if !n.Valid() {
				return nil
			}
			e := reached(info, n)
			for _, loop := range LoopsAround(e) {
				if r := f.Retraces(e.Node, f.At(e), loop); r.By != NotTraced {
					return []string{said[r.By]}
				}
			}
			return []string{"no"}
		})
	})
}

// TestTraceRows compares what the table says of each key with what TensorFlow does, as testdata/traces/record.py
// records it.
func TestTraceRows(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/traces/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no records: %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var record struct {
			Calls     int
			Arguments map[string]map[string]any
		}
		if err := json.Unmarshal(text, &record); err != nil {
			t.Fatal(err)
		}
		for key := ByNumber; key <= ByFileShape; key++ {
			relaxed := float64(record.Calls)
			if key.Relaxed() {
				relaxed = 2
			}
			if len(TraceRows[key]) == 0 {
				t.Errorf("nothing is recorded for key %d", key)
			}
			for _, row := range TraceRows[key] {
				if got := record.Arguments[row]; got["plain"] != float64(record.Calls) || got["reduce_retracing"] != relaxed {
					t.Errorf("%s: %s is traced %v times in %d calls, the table counts on %d, and on %v with reduce_retracing=True",
						filepath.Base(path), row, got, record.Calls, record.Calls, relaxed)
				}
			}
		}
	}
}
