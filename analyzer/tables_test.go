package analyzer_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/project"
)

const counts = `
from tensorflow import keras
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(%)])
`

// TestTablesAsPandas compares how many rows tables of the project have, and how many lines, with what
// pandas and TensorFlow read.
func TestTablesAsPandas(t *testing.T) {
	root, err := filepath.Abs("../testdata/tables")
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var record struct{ Numbers map[string]int64 }
	if err := json.Unmarshal([]byte(read("rows.json")), &record); err != nil {
		t.Fatal(err)
	}
	w := project.New(project.Disk{}, root, root)
	functions := read("functions.py")
	for line := range strings.Lines(read("cases.txt")) {
		c, open := strings.CutPrefix(strings.TrimSpace(line), "? ")
		if strings.HasPrefix(c, "#") {
			continue
		}
		want, ok := record.Numbers[c]
		if !ok {
			t.Errorf("%s is not recorded", c)
			continue
		}
		delete(record.Numbers, c)
		switch units, why := unitsOf(w, root, functions+strings.Replace(counts, "%", c, 1)); {
		case why == "" && units != want:
			t.Errorf("%s: %d, pandas has %d", c, units, want)
		case open != (why != ""):
			t.Errorf("%s: %d, unknown: %q", c, units, why)
		}
	}
	for c := range maps.Keys(record.Numbers) {
		t.Errorf("%s is no case", c)
	}
}

// TestLongTexts counts the lines of texts that are too long to be read.
func TestLongTexts(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "corpus.txt")
	write := func(size int64, text string) {
		t.Helper()
		err := os.WriteFile(path, []byte(text), 0o666)
		if err == nil && size > 0 {
			err = os.Truncate(path, size)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w := project.New(project.Disk{}, root, root)
	var refused []string
	w.Refused = func(_ string, err error) { refused = append(refused, err.Error()) }
	expect := func(expression string, want int64, why string) {
		t.Helper()
		units, reason := unitsOf(w, root, strings.Replace(counts, "%", expression, 1))
		if units != want && reason == "" || !strings.Contains(reason, why) || why == "" && reason != "" {
			t.Errorf("%s: %d, unknown: %q; want %d, %q", expression, units, reason, want, why)
		}
	}
	lines := `len(open("corpus.txt").readlines())`
	write(0, strings.Repeat("a line of a long text\n", 10_000))
	expect(lines, 10_000, "")
	expect(`len(open("corpus.txt").read())`, 220_000, "")
	expect(`len(open("./corpus.txt").read().split("\n"))`, 10_001, "")
	expect(`len(open("corpus.txt").readline())`, 0, "of which only the lines are counted")
	if len(refused) > 0 {
		t.Errorf("what is counted is refused: %q", refused)
	}

	// A change concerns the program.
	write(0, strings.Repeat("a line\n", 20_000))
	affected := false
	w.Changed(path, func(paths []string) { affected = len(paths) > 0 })
	if !affected {
		t.Error("a text changes whose lines were counted, and nobody is told")
	}
	expect(lines, 20_000, "")

	// What is too long is said to be, once.
	write(project.MaxCounted+1, "")
	w.Changed(path, func([]string) {})
	expect(lines, 0, "what is in")
	expect(lines, 0, "what is in")
	if len(refused) != 1 || !strings.Contains(refused[0], "the limit for a text whose lines are counted is 64 MB") {
		t.Errorf("refused: %q", refused)
	}

	// A text that is none has no lines.
	write(100_000, "")
	w.Changed(path, func([]string) {})
	expect(lines, 0, "what is in")
}
