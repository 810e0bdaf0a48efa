package lsp

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
)

// TestPanickingPrice: a panic in the price of one model is logged, and said where the price would
// be. Everything else is answered as ever.
func TestPanickingPrice(t *testing.T) {
	executor.OnLower = func(m *graph.Model) {
		if m.Name == "broken" {
			panic("out of order")
		}
	}
	defer func() { executor.OnLower = nil }()
	w := dial(t)
	w.initialize("utf-16")
	w.open("file:///a.py", 1, `import numpy as np
from tensorflow import keras
first = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)], name="broken")
second = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
first.compile("adam", "mse")
second.compile("adam", "mse")
first.fit(np.zeros((64, 4)), np.zeros((64, 1)))
second.fit(np.zeros((64, 4)), np.zeros((64, 1)))
`)
	for line, want := range map[int]string{6: "tfmem has a bug, please report it: out of order (lsp.TestPanickingPrice.func1, bug_test.go:", 7: "at the peak"} {
		hover, _ := w.call("textDocument/hover", hoverParams("file:///a.py", line, 9))["result"].(map[string]any)
		if hover == nil || !strings.Contains(strings.ReplaceAll(hover["contents"].(map[string]any)["value"].(string), `\`, ""), want) {
			t.Errorf("line %d: the hover is %v, want %q", line, hover, want)
		}
	}
	if log := w.log.String(); !strings.Contains(log, "tfmem has a bug: a model is not priced") {
		t.Errorf("the log is %s", log)
	}
	_, _ = w.end()
}
