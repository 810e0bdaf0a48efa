package pipeline

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// TestPredictOnBatchSince checks that predict_on_batch is only put in place of predict where it
// returns arrays, which it does since TensorFlow 2.2.
func TestPredictOnBatchSince(t *testing.T) {
	for version, want := range map[string]int{"": 1, "==2.0": 0, "==2.1": 0, ">=2.0": 0, "==2.2": 1, ">=2.4": 1} {
		var config analyzer.Config
		if version != "" {
			r, err := effects.ParseRange(version)
			if err != nil {
				t.Fatal(err)
			}
			config.Versions.TensorFlow = effects.Stated{Range: r, Source: "named by the case"}
		}
		var findings []rule.Finding
		rule.Run(PredictInLoop, analyzer.Analyze(source.New("a.py", PredictInLoop.Bad), config), &findings)
		if len(findings) != 1 || len(findings[0].Fixes) != want {
			t.Errorf("with TensorFlow %q: %v, want one finding with %d fixes", version, findings, want)
		}
	}
}

// TestPredictRanInGraph checks that a notebook that asks for a TensorFlow 1 is none that builds
// datasets in predict, unless it calls what only TensorFlow 2 has.
func TestPredictRanInGraph(t *testing.T) {
	for name, c := range map[string]struct {
		first string
		want  int
	}{
		"magic":         {"%tensorflow_version 1.x", 0},
		"pip":           {"!pip install -q tensorflow==1.15 keras==2.2.4", 0},
		"newer":         {"!pip install -q tensorflow==2.0.0", 1},
		"both":          {"!pip install tensorflow==1.15\ntf.random.set_seed(1)", 1},
		"eager":         {"%tensorflow_version 1.x\ntf.enable_eager_execution()", 1},
		"of TensorFlow": {"import tensorflow as tf", 1},
	} {
		s, err := notebook.Join("a.ipynb", []notebook.Cell{
			{Name: "a.ipynb", Number: 1, Text: "import tensorflow as tf\n" + c.first},
			{Name: "a.ipynb", Number: 2, Text: PredictInLoop.Bad},
		})
		if err != nil {
			t.Fatal(err)
		}
		var findings []rule.Finding
		rule.Run(PredictInLoop, analyzer.Analyze(s, analyzer.Config{}), &findings)
		if len(findings) != c.want {
			t.Errorf("%s: %d findings, want %d", name, len(findings), c.want)
		}
	}
}

// TestPredictOfOldKeras checks that a Keras before 2.4, which ran all models in graphs, builds no
// datasets in predict. The Keras of TensorFlow has the version of TensorFlow.
func TestPredictOfOldKeras(t *testing.T) {
	ofKeras := strings.ReplaceAll(strings.ReplaceAll(PredictInLoop.Bad, "import tensorflow as tf", "import keras"), "tf.keras.", "keras.")
	for _, c := range []struct {
		version, text string
		want          int
	}{
		{"==2.3.1", ofKeras, 0}, {">=2.2,<2.4", ofKeras, 0}, {"<3", ofKeras, 1}, {"==2.4.3", ofKeras, 1}, {"==2.3.1", PredictInLoop.Bad, 1},
	} {
		r, err := effects.ParseRange(c.version)
		if err != nil {
			t.Fatal(err)
		}
		var config analyzer.Config
		config.Versions.Keras = effects.Stated{Range: r, Source: "named by the case"}
		var findings []rule.Finding
		rule.Run(PredictInLoop, analyzer.Analyze(source.New("a.py", c.text), config), &findings)
		if len(findings) != c.want {
			t.Errorf("with Keras %q: %v, want %d findings in\n%s", c.version, findings, c.want, c.text)
		}
	}
}

// TestPredictLeaves compares what the rule says that calls leave in memory with what testdata/traces/record.py
// records, in KiB.
func TestPredictLeaves(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/traces/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no records: %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var r struct {
			Keras string
			Left  map[string]float64
		}
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		same, sizes := r.Left["predict of the same array"], r.Left["predict of new lengths"]
		if batch := r.Left["predict_on_batch of the same array"]; same < 10*batch || sizes < 2*same || r.Left["model(x) of new lengths"] > 2 {
			t.Errorf("%s: the rule's advice is not what helps: %v", r.Keras, r.Left)
		}
		if batch := r.Left["predict_on_batch of new lengths"]; strings.HasPrefix(r.Keras, "keras 3") != (batch < 10) {
			t.Errorf("%s: predict_on_batch leaves %v KiB for each new length", r.Keras, batch)
		}
		if !strings.HasPrefix(r.Keras, "keras 2.15") && !strings.Contains(PredictInLoop.Why, fmt.Sprintf("%.0f", same)) {
			t.Errorf("%s: a call leaves %.0f KiB, which the rule does not say", r.Keras, same)
		}
	}
}
