package effects

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPackages compares which packages of Keras share a dtype policy with what real TensorFlow does
// (testdata/packages/record.py).
func TestPackages(t *testing.T) {
	files, _ := filepath.Glob("../../testdata/packages/*.json")
	if len(files) == 0 {
		t.Fatal("no records")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var rows map[string]struct{ Applies []string }
		if err := json.Unmarshal(text, &rows); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		name, legacy := strings.CutSuffix(strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "tensorflow-"), ".json"), "-legacy")
		of, err := ParseRange(name)
		if err != nil {
			t.Fatal(err)
		}
		l := With(Versions{TensorFlow: Stated{of, file}}.Resolved(Versions{}))
		if legacy {
			l = l.Legacy()
		}
		for a, row := range rows {
			for b := range rows {
				if got, want := l.PackageOf(a) == l.PackageOf(b), slices.Contains(row.Applies, b); got != want {
					t.Errorf("%s: the policy of %s applies to %s: %t, recorded %t", filepath.Base(file), a, b, got, want)
				}
			}
		}
	}
}

// TestPackageUnknown holds that a package is unknown where only the run decides.
func TestPackageUnknown(t *testing.T) {
	stated := func(tensorflow, keras string) Library {
		var v Versions
		if tensorflow != "" {
			r, err := ParseRange(tensorflow)
			if err != nil {
				t.Fatal(err)
			}
			v.TensorFlow = Stated{r, "requirements.txt"}
		}
		if keras != "" {
			r, err := ParseRange(keras)
			if err != nil {
				t.Fatal(err)
			}
			v.Keras = Stated{r, "requirements.txt"}
		}
		return With(v.Resolved(Versions{}))
	}
	for _, c := range []struct {
		tensorflow, keras, written string
		want                       Package
	}{
		{"", "", "keras.layers.Dense", TheKeras},
		{"", "", "tf_keras.layers.Dense", Beside},
		{"", "2", "keras.layers.Dense", UnknownPackage},
		{"", "2", "tf_keras.layers.Dense", UnknownPackage},
		{"2.16", "2", "keras.layers.Dense", UnknownPackage},
		{"2.16", "2", "tf_keras.Model", UnknownPackage},
		{">=2.10", "", "keras.Model", TheKeras},
		{">=2.10", "", "tf_keras", Beside},
		{"2.3", "", "keras.Model", UnknownPackage},
		{"2.3", "", "tensorflow.python.keras.Model", TheKeras},
		{"2.3", "", "tensorflow.keras.Model", TheKeras},
		{"", "", "torch.nn.Linear", UnknownPackage},
		{"", "", "keras_hub.models.BertBackbone", UnknownPackage},
	} {
		if got := stated(c.tensorflow, c.keras).PackageOf(c.written); got != c.want {
			t.Errorf("TensorFlow %q, Keras %q: %s is of package %d, want %d", c.tensorflow, c.keras, c.written, got, c.want)
		}
	}
}
