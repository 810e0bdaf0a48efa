package pipeline

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
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
