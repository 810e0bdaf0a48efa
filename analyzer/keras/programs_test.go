package keras_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/tfmem/tfmem/analyzer/graph"
)

// TestPrograms compares the parameters of models in whole programs with Keras's
// (testdata/estimate/programs/record.py): exactly, for each variable that is a model.
func TestPrograms(t *testing.T) {
	const folder = "../../testdata/estimate/programs/"
	text, err := os.ReadFile(folder + "parameters.json")
	if err != nil {
		t.Fatal(err)
	}
	var records map[string]map[string][2]int64
	if err := json.Unmarshal(text, &records); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(folder + "cases/*.py")
	if err != nil || len(paths) != len(records) || len(paths) < 10 {
		t.Fatalf("%d cases and %d records: %v", len(paths), len(records), err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			program, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			p := follow(string(program))
			models := map[string]*graph.Model{}
			for _, m := range p.Models {
				models[m.Variable] = m
			}
			for variable, want := range records[name] {
				m := models[variable]
				if m == nil {
					t.Errorf("%s is not found", variable)
					continue
				}
				all, trained := m.Parameters()
				if !m.Known() || all != want[0] || trained != want[1] {
					t.Errorf("%s has %d parameters, %d of them trained; want %d and %d; %v %s", variable, all, trained, want[0], want[1], m.Unresolved, m.Unbuilt())
				}
			}
		})
	}
}
