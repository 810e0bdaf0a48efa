package estimate

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/value"
)

const causes = "../../testdata/estimate/causes"

// TestCauses estimates a program for each code: testdata/estimate/causes/CODE.py. The comment
// "# cause" is on the line where the cause is.
func TestCauses(t *testing.T) {
	cases := map[string]bool{}
	for _, code := range value.Codes() {
		cases[code.String()+".py"] = true
		t.Run(code.String(), func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(causes, code.String()+".py"))
			if err != nil {
				t.Fatal(err)
			}
			if code == value.Bug {
				fail(t, "sequential")
			}
			file := analyzer.Analyze(source.New(code.String()+".py", string(text)), analyzer.Config{})
			models, err := Read(context.Background(), file, Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range models.Models {
				for _, r := range m.Reasons {
					line, _, _ := strings.Cut(r.Source.Text()[r.Span.Start:], "\n")
					if r.Code == code && strings.HasSuffix(line, "# cause") {
						return
					}
					got = append(got, r.Code.String()+" at "+r.Where()+": "+r.String())
				}
			}
			t.Errorf("got %q", got)
		})
	}
	files, err := os.ReadDir(causes)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !cases[f.Name()] {
			t.Errorf("%s is the case of no code", f.Name())
		}
	}
}

// TestCodes checks that each code has a row of its own in the table.
func TestCodes(t *testing.T) {
	names := map[string]bool{"": true}
	for _, code := range value.Codes() {
		if names[code.String()] || code.Meaning() == "" {
			t.Errorf("code %d is %q, %q", code, code, code.Meaning())
		}
		names[code.String()] = true
	}
}

// TestNumberOfLibrary: the number that is not known is asked for in the code of a library.
func TestNumberOfLibrary(t *testing.T) {
	const program = `
import numpy as np
import segmentation_models as sm

images = np.load("images.npy")
model = sm.Unet("resnet34", encoder_weights=None, input_shape=(256, 256, 3), classes=len(np.unique(images)))
model.compile("adam", "mse")
model.fit(images, images)
`
	file := analyzer.Analyze(source.New("a.py", program), analyzer.Config{})
	models, err := Read(context.Background(), file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(models.Models) != 1 || len(models.Models[0].Reasons) != 1 {
		t.Fatalf("got %v", models.Models)
	}
	if r := models.Models[0].Reasons[0]; r.Where() != "line 5" {
		t.Errorf("the reason is on %s: %s", r.Where(), r.Cause)
	}
}
