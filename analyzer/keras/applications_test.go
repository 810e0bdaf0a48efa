package keras

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
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

// TestApplicationCalls follows programs that call keras.applications, in the
// spellings that people use.
func TestApplicationCalls(t *testing.T) {
	files, err := archive()
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files.File {
		name := strings.TrimSuffix(f.Name, ".json")
		a, err := recordedModel(name)
		if err != nil {
			t.Fatal(err)
		}
		program := []string{
			"import tensorflow as tf\nmodel = tf.keras.applications." + name + "(weights=None)\n",
			"from keras.applications import " + name + "\nmodel = " + name + "()\n",
			"from tensorflow import keras\nmodel = keras.applications." + name + "(weights='imagenet', include_top=True, classes=1000)\n",
		}[i%3]
		p := Follow(names.Resolve(syntax.Parse(program), effects.Library{}, nil))
		if len(p.Models) != 1 || len(p.Models[0].Unresolved) > 0 {
			t.Errorf("%s: models %v", name, p.Models)
			continue
		}
		if got, _ := p.Models[0].Parameters(); got != a.Parameters || p.Models[0].Variable != "model" {
			t.Errorf("%s: %d parameters, want %d", name, got, a.Parameters)
		}
	}
}

// TestUnknown says of programs that cannot be priced why not.
func TestUnknown(t *testing.T) {
	for program, why := range map[string]string{
		"m = keras.Sequential([keras.layers.Dense(classes())])":                                           "units is not known",
		"m = keras.Sequential([keras.layers.Input((8,)), keras.layers.Conv2D(3, 3)])":                     "expects an input of 4 dimensions",
		"m = keras.Sequential([keras.layers.Mystery(3)])":                                                 "Mystery is not modelled",
		"m = keras.Sequential([keras.Input((4, 4, 3)), keras.layers.Conv2D(8, 7)])":                       "does not fit into 4",
		"m = keras.applications.MobileNetV2(alpha=0.35, weights=None)":                                    "alpha= is not recorded",
		"m = keras.Sequential()\nfor n in sizes():\n    m.add(keras.layers.Dense(n))":                     "depends on",
		"a = keras.Input((3,))\nb = keras.Input((4,))\nm = keras.Model([a, b], keras.layers.add([a, b]))": "do not fit together",
	} {
		p := Follow(names.Resolve(syntax.Parse("import keras\n"+program+"\n"), effects.Library{}, nil))
		var got []string
		for _, m := range p.Models {
			got = append(got, m.Unresolved...)
		}
		if len(p.Models) == 0 {
			v := strings.Join(got, "; ")
			if !strings.Contains(program, "applications") {
				t.Errorf("%q: no model, %s", program, v)
			}
			continue
		}
		if !strings.Contains(strings.Join(got, "; "), why) {
			t.Errorf("%q: unresolved because %q, want %q", program, got, why)
		}
	}
}
