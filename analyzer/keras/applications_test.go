package keras

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/value"
)

// TestApplications builds every model of keras.applications out of its
// recorded layers: the parameters must be those that Keras itself counted.
func TestApplications(t *testing.T) {
	files, err := archive()
	if err != nil {
		t.Fatal(err)
	}
	if len(files.File) < 35 {
		t.Errorf("the archive holds %d models", len(files.File))
	}
	for _, f := range files.File {
		name := strings.TrimSuffix(f.Name, ".json")
		t.Run(name, func(t *testing.T) {
			a, err := recordedModel(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, top := range []bool{true, false} {
				h := &host{program: &Program{}, names: map[string]int{}, policy: "float32"}
				m, why := h.buildApplication(name, a, &reader{args: &value.Args{Keywords: map[string]value.Value{"include_top": {X: top}}}})
				if why != "" {
					t.Fatalf("include_top=%v: %s", top, why)
				}
				want := a.Parameters
				if !top {
					want = a.FeaturesParameters
				}
				if got, _ := m.Parameters(); got != want {
					t.Errorf("include_top=%v: %d parameters, want %d", top, got, want)
				}
			}
		})
	}
}
