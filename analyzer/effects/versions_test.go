package effects

import "testing"

func TestParseRange(t *testing.T) {
	for text, want := range map[string]string{
		"": "any version", "*": "any version", "!=2.3": "any version",
		"2.13": "2.13", "==2.13": "2.13", "===2.13.1": "2.13", "=2.13": "2.13", "v2.13": "2.13", "2.13.*": "2.13", "==2.13.*": "2.13", "~2.13": "2.13", "~=2.13.0": "2.13",
		"2": "2", "2.*": "2", "==2.*": "2", "=2": "2", "==2": "2.0", "~=2.4": ">=2.4,<3", "^2.4": ">=2.4,<3", "^2.4.1": ">=2.4,<3",
		">=2.4": ">=2.4", ">2.4": ">=2.4", "<=2.15": "<2.16", "<2.16": "<2.16", "<2.16.0": "<2.16", "<2.16.0rc0": "<2.16", "<2.15.1": "<2.16", "<3": "<3", "<3.0": "<3",
		">=2.4,<2.16": ">=2.4,<2.16", " >= 2.4 , != 2.5 , < 2.6 ": ">=2.4,<2.6", ">=2.4,<2.5": "2.4", "2.4|2.6": ">=2.4,<2.7", ">=2.4|1.15": ">=1.15", "1.15|>=2.4": ">=1.15",
		"2.16.0rc1": "2.16", "2.19.0.dev20250101": "2.19", "2.4.0+nv21.2": "2.4",
		"two": "", "2.x": "", ">=2.16,<2.4": "", "==${V}": "", "==": "", ">=": "", "=>2.4": "", "2.13,": "2.13", "99999999999999999999": "", "2.99999999999999999999": "", "@ https://a.b/c": "", ",,": "any version", "|": "any version",
	} {
		r, err := ParseRange(text)
		if got := r.String(); err != nil && want != "" || err == nil && got != want {
			t.Errorf("ParseRange(%q) = %v, %v; want %q", text, got, err, want)
		}
		if again, err := ParseRange(r.String()); want != "" && want != "any version" && (err != nil || again != r) {
			t.Errorf("%q is read as %v, %v, and was written for %v", r, again, err, r)
		}
	}
}

// TestGone sees which names are known not to exist.
func TestGone(t *testing.T) {
	for _, c := range []struct {
		tensorflow, keras, name string
		want                    bool
	}{
		{"2.15", "", "tensorflow.estimator.Estimator", true},
		{"2.16", "", "tensorflow.estimator.Estimator", false},
		{">=2.4", "", "tensorflow.estimator.Estimator", true},
		{"", "", "tensorflow.estimator.Estimator", true},
		{"", "", "tensorflow.keras.backend.get_session", true},
		{"2.15", "", "tensorflow.keras.ops.matmul", false},
		{"2.15", "3", "tensorflow.keras.ops.matmul", true},
		{"<2.20", "", "tensorflow.keras.ops.matmul", true},
		{"2.16", "", "tensorflow.keras.Model.fit_generator", false},
		{"2.16", "2", "tensorflow.keras.Model.fit_generator", true},
	} {
		var v Versions
		for _, s := range []struct {
			to   *Stated
			text string
		}{{&v.TensorFlow, c.tensorflow}, {&v.Keras, c.keras}} {
			if s.text != "" {
				r, err := ParseRange(s.text)
				if err != nil {
					t.Fatal(err)
				}
				*s.to = Stated{r, "a test"}
			}
		}
		library := With(Versions{}.Resolved(v))
		if got := library.Lookup(c.name) != nil; got != c.want {
			t.Errorf("with TensorFlow %q and Keras %q, %s is known: %v, want %v", c.tensorflow, c.keras, c.name, got, c.want)
		}
	}
}

// TestOptimizersInitialise sees that an optimizer's constructor initialises from Keras 2.11 on, and
// that of an OptimizerV2 does not.
func TestOptimizersInitialise(t *testing.T) {
	for _, c := range []struct {
		keras, name string
		want        Effect
	}{
		{"2.4", "keras.optimizers.Adam", 0},
		{"2.10", "keras.optimizers.Adam", 0},
		{">=2.0,<2.5", "keras.optimizers.SGD", 0},
		{"2.10", "keras.optimizers.get", 0},
		{"2.10", "keras.optimizers.experimental.Adam", Initialises},
		{"2.11", "keras.optimizers.Adam", Initialises},
		{"2.15", "keras.optimizers.Adam", Initialises},
		{"3.15", "keras.optimizers.Adam", Initialises},
		{">=2.16", "keras.optimizers.Adam", Initialises},
		{">=2.4", "keras.optimizers.Adam", MayInitialise},
		{"", "keras.optimizers.Adam", Initialises}, // nothing names a version: the newest
		{"2.13", "keras.optimizers.legacy.Adam", 0},
		{"3.15", "tensorflow.python.keras.optimizer_v2.adam.Adam", 0},
		{"2.13", "tensorflow.python.keras.optimizers.get", 0},
		{"2.8", "keras.optimizers.adam_v2.Adam", 0},
	} {
		r, err := ParseRange(c.keras)
		if err != nil {
			t.Fatal(err)
		}
		stated := Stated{Range: r}
		if c.keras != "" {
			stated.Source = "the test"
		}
		e := With(Versions{Keras: stated}.Resolved(Versions{})).Lookup(Library{}.Canonical(c.name))
		if e == nil {
			t.Errorf("Keras %s: %s has no row", c.keras, c.name)
		} else if got := e.Effects & (Initialises | MayInitialise); got&Initialises != c.want&Initialises || c.want == MayInitialise && !got.Has(MayInitialise) || c.want == 0 && got != 0 {
			t.Errorf("Keras %s: %s has the effects %b, want %b", c.keras, c.name, got, c.want)
		}
	}
}
