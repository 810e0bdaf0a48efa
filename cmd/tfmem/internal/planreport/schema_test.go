package planreport

import (
	"bytes"
	_ "embed"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xeipuuv/gojsonschema"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/plan"
)

//go:embed plan.schema.json
var schema string

// TestSchema validates what is written for the programs of testdata/plan.
func TestSchema(t *testing.T) {
	compiled, err := gojsonschema.NewSchema(gojsonschema.NewStringLoader(schema))
	if err != nil {
		t.Fatal(err)
	}
	valid := func(text string) *gojsonschema.Result {
		t.Helper()
		result, err := compiled.Validate(gojsonschema.NewStringLoader(text))
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	plans := 0
	for _, name := range []string{"accumulation", "arrays_batch", "flatten", "fits", "validation"} {
		path := filepath.Join("../../../../testdata/plan", name+".py")
		text, err := project.ReadFile(path, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		device := memory.Device{Name: "a GPU", Total: 8 << 30, Major: 8, Source: "the test"}
		file := analyzer.Analyze(source.New(path, string(text)), analyzer.Config{Devices: func() []memory.Device { return []memory.Device{device} }})
		found, err := plan.Find(t.Context(), file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		plans += len(found.Fitting)
		var b bytes.Buffer
		r := Report{Plans: found, Smallest: found.Before.Smallest([]memory.Device{{Name: "a large one", Total: 192 << 30}}), Prices: []Price{{device, 1.5}}, Others: 1}
		if err := r.JSON(&b); err != nil {
			t.Fatal(err)
		}
		for _, problem := range valid(b.String()).Errors() {
			t.Errorf("%s: %s", name, problem)
		}
		if name == "accumulation" {
			for _, wrong := range []string{strings.Replace(b.String(), `"verdict"`, `"veredict"`, 1), strings.Replace(b.String(), `"plans"`, `"plan"`, 1)} {
				if valid(wrong).Valid() {
					t.Error("the schema takes a report with another key")
				}
			}
		}
	}
	if plans < 4 {
		t.Errorf("the programs have %d plans", plans)
	}
}
