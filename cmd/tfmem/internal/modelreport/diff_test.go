package modelreport

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzDiff compares reports of anybody: nothing changed since itself, whatever the order of its models,
// and every format prints.
func FuzzDiff(f *testing.F) {
	script, err := txtar.ParseFile("../../../../testdata/cli/estimate_json.txtar")
	if err != nil {
		f.Fatal(err)
	}
	var reports []string
	for _, file := range script.Files {
		if bytes.Contains(file.Data, []byte(`"models":`)) {
			reports = append(reports, string(file.Data))
		}
	}
	reports = append(reports, `{"models": [{"verdict": "fits", "phases": [{"kind": "fit", "training": {}}, {"kind": "fit"}]}], "unresolved": [{}]}`, `{"models": []}`, `[`, ``)
	for _, a := range reports {
		for _, b := range reports {
			f.Add(a, b)
		}
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		before, err := ReadReport([]byte(a))
		if err != nil {
			return
		}
		again := before
		again.Models = slices.Clone(before.Models)
		slices.Reverse(again.Models)
		for _, c := range Compare(before, again).Changes {
			if c.Status != Same && c.Status != Unknown {
				t.Errorf("compared with itself, %s of %s is %s", c.what(), c.Filename, c.Status)
			}
		}
		after, err := ReadReport([]byte(b))
		if err != nil {
			return
		}
		d := Compare(before, after)
		for name, print := range DiffFormats {
			if err := print(d, io.Discard, DiffOptions{Limit: 0.1, Verbose: true}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// TestComment: a comment is no longer than GitHub takes, whatever changed.
func TestComment(t *testing.T) {
	long := strings.Repeat("é", 1000)
	d := &Diff{}
	for range 1000 {
		d.Changes = append(d.Changes, jsonChange{Status: New, Kind: &long, Name: &long, Filename: long, Reasons: []jsonDifference{{Message: long}, {Message: "|`" + long}}})
	}
	var b strings.Builder
	if err := d.markdown(&b, DiffOptions{}); err != nil {
		t.Fatal(err)
	}
	if n := utf8.RuneCountInString(b.String()); n > 65_000 || !strings.Contains(b.String(), " more are not shown.") || !utf8.ValidString(b.String()) {
		t.Errorf("the comment has %d characters", n)
	}
}

// TestLayers names layers that are new, gone or others, whatever Keras calls them.
func TestLayers(t *testing.T) {
	layersOf := func(text string) (all []jsonLayer) {
		if err := json.Unmarshal([]byte(text), &all); err != nil {
			t.Fatal(err)
		}
		return all
	}
	before := layersOf(`[{"name": "c", "type": "Conv2D", "output_shape": [null, 8], "parameters": 10}, {"name": "c_1", "type": "Conv2D", "output_shape": [null, 8], "parameters": 10}, {"name": "d", "type": "Dense", "parameters": 5}]`)
	after := layersOf(`[{"name": "r", "type": "Rescaling", "parameters": 0}, {"name": "c_7", "type": "Conv2D", "output_shape": [null, 8], "parameters": 10}, {"name": "c_8", "type": "Conv2D", "output_shape": [null, 8], "parameters": 10}, {"name": "d_7", "type": "Dense", "parameters": 50}]`)
	var said []string
	for _, d := range layers(before, after) {
		said = append(said, d.Message)
	}
	if diff := cmp.Diff([]string{"layer added: r Rescaling", "layer changed: d_7 Dense of 5 parameters → of 50 parameters"}, said); diff != "" {
		t.Error(diff)
	}
	if same := layers(before, before); len(same) > 0 {
		t.Errorf("equal layers differ: %v", same)
	}
	many := slices.Repeat(after, 3000)
	if said := layers(before, many); len(said) == 0 {
		t.Error("12,000 layers are like three")
	}
}
