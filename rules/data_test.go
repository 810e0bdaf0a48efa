package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/estimate"
	"github.com/tfmem/tfmem/rules/pipeline"
	"github.com/tfmem/tfmem/rules/rule"
)

// TestMendedDataIsNotOnTheGPU: what TFM303 reports is in the price, and its fix takes it out of it.
func TestMendedDataIsNotOnTheGPU(t *testing.T) {
	paths, err := filepath.Glob("../testdata/rules/TFM303/*.py")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.Contains(name, ".fixed.") || strings.Contains(name, ".unsafe.") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			file := analyze(source.New(name, string(text)))
			fixes := 0
			for _, f := range Check(file, alone(pipeline.DatasetFromLargeArray)) {
				fixes += min(len(f.Fixes), 1)
			}
			fixed := mend(t, file, alone(pipeline.DatasetFromLargeArray), rule.Unsafe)
			if len(fixed.Applied) != fixes {
				t.Fatalf("%d of %d fixes are made", len(fixed.Applied), fixes)
			}
			before, after := copied(file), copied(fixed.File)
			if fixes > 0 && after >= before {
				t.Errorf("%s are copied to the GPU before, %s after", memory.Bytes(before), memory.Bytes(after))
			}
			for _, f := range fixed.Remaining {
				if len(f.Fixes) > 0 {
					t.Errorf("line %d is still reported: %s", 1+strings.Count(fixed.File.Source.Text()[:f.Span.Start], "\n"), f.Message)
				}
			}
			if len(fixed.Remaining) > 0 {
				return
			}
			found, _ := estimate.Of(fixed.File, estimate.Options{})
			for _, m := range found {
				if m.Verdict == memory.Exceeds {
					t.Errorf("%s is said not to fit: %s", m.Name, memory.Bytes(m.Main().Peak))
				}
			}
		})
	}
}

// copied returns the size of the arrays that a program copies whole to the GPU.
func copied(file *analyzer.File) (n int64) {
	program := file.Models()
	for _, d := range program.Datasets {
		n += graph.DataBytes(d.Held, 0)
	}
	for _, u := range program.Uses {
		n += graph.DataBytes(u.Copied, 0)
	}
	for _, u := range program.Unresolved {
		n += graph.DataBytes(u.Copied, 0)
	}
	return n
}
