package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
	"github.com/tfmem/tfmem/analyzer/source"
)

// TestBug: a panic in the price of one model loses no finding about anything else, and is reported.
func TestBug(t *testing.T) {
	const program = `# device: 1 GiB
import numpy as np
from tensorflow import keras

first = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)], name="broken")
second = keras.Sequential([keras.Input((9000,)), keras.layers.Dense(9000)])
for model in first, second:
    model.compile("adam", "mse")
first.fit(np.zeros((64, 4)), np.zeros((64, 1)))
second.fit(np.zeros((64, 9000)), np.zeros((64, 9000)), batch_size=32)
`
	executor.OnLower = func(m *graph.Model) {
		if m.Name == "broken" {
			panic("out of order")
		}
	}
	defer func() { executor.OnLower = nil }()
	file := analyze(source.New("a.py", program))
	found := map[string][]string{}
	for _, f := range Check(file, Selection{}) {
		line := 1 + strings.Count(program[:f.Span.Start], "\n")
		found[f.Rule.Code] = append(found[f.Rule.Code], fmt.Sprintf("%d: %s", line, f.Message))
	}
	const bug = "9: The memory of this training is not checked. The reason: tfmem has a bug, please report it: out of order (rules.TestBug.func1, bug_test.go:"
	if got := found["TFM002"]; len(got) != 1 || !strings.HasPrefix(got[0], bug) {
		t.Errorf("TFM002: %q", got)
	}
	if got := found["TFM101"]; len(got) != 1 {
		t.Errorf("of the quick rules: %q", found)
	}
	if got := append(found["TFM601"], found["TFM602"]...); len(got) != 1 || !strings.HasPrefix(got[0], "10: ") {
		t.Errorf("of the other model: %q", found)
	}
}
