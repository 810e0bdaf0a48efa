package estimate

import (
	"context"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/value"
)

// fail has prices of models of a name panic.
func fail(t *testing.T, name string) {
	executor.OnLower = func(m *graph.Model) {
		if m.Name == name {
			var none []int
			_ = none[len(m.Name)]
		}
	}
	t.Cleanup(func() { executor.OnLower = nil })
}

// TestBug: a panic in the price of a model leaves that model without a price, and says where it
// was. What else the file has is priced, later too.
func TestBug(t *testing.T) {
	const program = `
import numpy as np
from tensorflow import keras

def build(name):
    m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)], name=name)
    m.compile("adam", "mse")
    return m

first, second = build("broken"), build("sound")
first.fit(np.zeros((64, 4)), np.zeros((64, 1)))
second.fit(np.zeros((64, 4)), np.zeros((64, 1)))
third = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)], name="broken")
third.predict(np.zeros((64, 4)))
`
	fail(t, "broken")
	file := analyzer.Analyze(source.New("a.py", program), analyzer.Config{Devices: func() []memory.Device { return []memory.Device{{Name: "A", Total: 8 << 30}} }})
	models, err := Read(context.Background(), file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range models.Models {
		names = append(names, m.Name)
		if m.Name == "second" {
			if m.Verdict != memory.Fits || len(m.Unresolved) > 0 {
				t.Errorf("%s: %s, %v", m.Name, m.Verdict, m.Unresolved)
			}
			continue
		}
		bug := m.Bug()
		if bug == nil || m.Main() != nil || m.Verdict != memory.Unknown || m.Parameters.Low != 5 {
			t.Fatalf("%s: %s, %v, of %v parameters", m.Name, m.Verdict, m.Unresolved, m.Parameters)
		}
		const want = "tfmem has a bug, please report it: runtime error: index out of range [6] with length 0 (estimate.fail.func1, bug_test.go:"
		if bug.Code != value.Bug || !strings.HasPrefix(bug.String(), want) {
			t.Errorf("%s: %s", m.Name, bug)
		}
	}
	if strings.Join(names, " ") != "first second third" {
		t.Errorf("the models are %s", names)
	}
	known := 0
	for _, c := range models.Calls {
		if c.Known() {
			known++
		}
	}
	if known != 2 { // the fit and the compile of the second
		t.Errorf("%d calls are priced", known)
	}
}
