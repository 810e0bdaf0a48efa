package settings

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"github.com/xeipuuv/gojsonschema"
)

// TestSchema compares the schema that editors download with that of the keys; -update writes it.
func TestSchema(t *testing.T) {
	text, err := json.MarshalIndent(Schema(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want := string(text) + "\n"
	const path = "tfmem.schema.json"
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
		t.Errorf("%s is not that of the keys; run go test ./rules/settings -run TestSchema -update (-keys +file): %v\n%s", path, err, diff)
	}
}

// TestSchemaTakesExamples holds the examples of all keys, and mistakes, against the schema.
func TestSchemaTakesExamples(t *testing.T) {
	schema, err := gojsonschema.NewSchema(gojsonschema.NewGoLoader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	valid := func(text string) bool {
		var document map[string]any
		if err := toml.Unmarshal([]byte(text), &document); err != nil {
			t.Fatal(err)
		}
		result, err := schema.Validate(gojsonschema.NewGoLoader(document))
		if err != nil {
			t.Fatal(err)
		}
		return result.Valid()
	}
	for _, k := range Keys {
		if !valid(k.Example) {
			t.Errorf("the schema refuses the example of %s:\n%s", k.Name, k.Example)
		}
	}
	for _, text := range []string{"selekt = ['TFM1']", "select = 'TFM1'", "fail-on = 'warn'", "[severity]\nTFM1 = 'of'", "inlay-hints = ['memry']"} {
		if valid(text) {
			t.Errorf("the schema takes %q", text)
		}
	}
}
