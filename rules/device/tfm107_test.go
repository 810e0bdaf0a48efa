package device

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/notebook"
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

// TestPrintedVersion checks that a version counts which a notebook installs, or has printed in its
// last run.
func TestPrintedVersion(t *testing.T) {
	for name, c := range map[string]struct {
		reads, printed string
		want           int
	}{
		"none":    {"print(tf.__version__)", "", 1},
		"old":     {"print(tf.__version__)", "2.0.0\n", 0},
		"of 1":    {"print('TensorFlow', tf.VERSION)", "TensorFlow 1.15.2\n", 0},
		"value":   {"tf.__version__", "\n'2.0.0-rc1'\n", 0},
		"new":     {"print(tf.__version__)", "2.8.0\n", 1},
		"others":  {"print(tf.__version__, np.__version__)", "2.0.0 1.18.1\n", 1},
		"another": {"print(np.__version__)", "1.18.1\n", 1},
		"named":   {"for m in np, tf:\n    print(m.__name__, m.__version__)", "numpy 1.16.2\ntensorflow 2.0.0-beta1\ntensorflow.keras 2.2.4-tf\n", 0},
		"hub":     {"for m in np, tf:\n    print(m.__name__, m.__version__)", "numpy 1.16.2\ntensorflow_hub 1.2.0\n", 1},
		"magic":   {"%tensorflow_version 1.x", "", 0},
		"pip":     {"!pip install -q tensorflow==2.0.0", "", 0},
		"newer":   {"!pip install -q tensorflow==2.4", "", 1},
		"comment": {"# !pip install tensorflow==1.15", "", 1},
		"unclear": {"print(tf.__version__)", "2.0.0\n1.15.0\n", 1},
	} {
		s, err := notebook.Join("a.ipynb", []notebook.Cell{
			{Name: "a.ipynb", Number: 1, Text: "import numpy as np\nimport tensorflow as tf\n" + c.reads, Printed: c.printed},
			{Name: "a.ipynb", Number: 2, Text: DeprecatedDeviceAPI.Bad},
		})
		if err != nil {
			t.Fatal(err)
		}
		var findings []rule.Finding
		rule.Run(DeprecatedDeviceAPI, analyzer.Analyze(s, analyzer.Config{}), &findings)
		if len(findings) != c.want {
			t.Errorf("%s: %d findings, want %d", name, len(findings), c.want)
		}
	}
}
