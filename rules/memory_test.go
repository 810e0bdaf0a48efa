package rules

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
)

// TestMemory holds the figures of MEMORY.md against what was recorded with real TensorFlow;
// -update writes them.
func TestMemory(t *testing.T) {
	type grown struct {
		What string
		MiB  int
	}
	type record struct {
		Rows []struct {
			Group, What string
			Most        int
		}
		Held, Fed, Graphs []grown
	}
	read := func(name string) (r record) {
		data, err := os.ReadFile(filepath.Join("../testdata/freed", name))
		if err == nil {
			err = json.Unmarshal(data, &r)
		}
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	keras3, keras2 := read("tensorflow-2.21.0-keras-3.15.1.json"), read("tensorflow-2.21.0-tf_keras-2.21.0.json")
	page, err := os.ReadFile("MEMORY.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for group, head := range map[string]string{"loop": "after each training", "kept": "the program keeps", "notebook": "the cells"} {
		table := head + " | Keras 3 | Keras 2 |\n|---|---|---|\n"
		for i, row := range keras3.Rows {
			if row.Group == group {
				table += fmt.Sprintf("| %s | %d | %d |\n", row.What, row.Most, keras2.Rows[i].Most)
			}
		}
		text = cases.Fill(t, text, group, "| "+table)
	}
	older := read("tensorflow-2.13.1-keras-2.13.1.json")
	for group, head := range map[string]string{"held": "what was done with each model", "fed": "what the model was given"} {
		of := func(r record) []grown {
			if group == "held" {
				return r.Held
			}
			return r.Fed
		}
		table := head + " | TensorFlow 2.13 | 2.21, Keras 3 | 2.21, Keras 2 |\n|---|---|---|---|\n"
		for i, row := range of(keras3) {
			table += fmt.Sprintf("| %s | %d MiB | %d MiB | %d MiB |\n", row.What, of(older)[i].MiB, row.MiB, of(keras2)[i].MiB)
		}
		text = cases.Fill(t, text, group, "| "+table)
	}
	table := "after each training | stays |\n|---|---|\n"
	for _, row := range keras2.Graphs {
		table += fmt.Sprintf("| %s | %d MiB |\n", row.What, max(row.MiB, 0))
	}
	cases.Golden(t, "MEMORY.md", cases.Fill(t, text, "graphs", "| "+table))
}
