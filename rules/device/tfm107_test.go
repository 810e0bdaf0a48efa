package device

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// TestDeprecatedSince checks that an old name is reported if every TensorFlow that the project
// allows has the new one, which came with 2.1.
func TestDeprecatedSince(t *testing.T) {
	for version, want := range map[string]int{
		"": 1, "1.15": 0, "2.0": 0, "2.1": 1, "2.10": 1, "3.0": 1,
		">=1.15": 0, ">=2.0": 0, ">=2.0,<2.4": 0, ">2.0": 0, ">=2.1": 1,
		"<2.16": 0, "<=2.10": 0, "!=2.3,<3": 0, "~=2.4": 1, "2": 0, "1.15|2.4": 0, "2.4|2.5": 1,
	} {
		var config analyzer.Config
		if version != "" {
			r, err := effects.ParseRange(version)
			if err != nil {
				t.Fatal(err)
			}
			config.Versions.TensorFlow = effects.Stated{Range: r, Source: "named by the case"}
		}
		var findings []rule.Finding
		rule.Run(DeprecatedDeviceAPI, analyzer.Analyze(source.New("a.py", DeprecatedDeviceAPI.Bad), config), &findings)
		if len(findings) != want {
			t.Errorf("with TensorFlow %q there are %d findings, want %d", version, len(findings), want)
		}
	}
}
