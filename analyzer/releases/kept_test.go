package releases_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/source"
)

// TestKeepsLayers compares the releases whose Keras keeps the layers of collected models with what
// real TensorFlow does (testdata/freed/record_layers.py).
func TestKeepsLayers(t *testing.T) {
	files, _ := filepath.Glob("../../testdata/freed/layers-*.json")
	if len(files) < 2 {
		t.Fatal("no records")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var rows map[string]struct{ GC, Cleared int }
		if err := json.Unmarshal(text, &rows); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "layers-"), ".json")
		r, err := effects.ParseRange(name)
		if err != nil {
			t.Fatal(err)
		}
		var config analyzer.Config
		config.Versions.TensorFlow = effects.Stated{Range: r, Source: file}
		keeps := analyzer.Analyze(source.New("train.py", "import tensorflow as tf\n"), config).Releases().KeepsLayers().Found()
		for kind, row := range rows {
			if want := keeps && kind != "subclass"; (row.GC > 0) != want || row.Cleared > 0 {
				t.Errorf("TensorFlow %s, %s: %d layers stay after gc.collect(), %d after clear_session(); expected some after gc.collect(): %t", name, kind, row.GC, row.Cleared, want)
			}
		}
	}
}
