package layers

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNewLayer starts layers with new.go in a copy of the package: the package with them builds,
// and the program says what it cannot do.
func TestNewLayer(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the package")
	}
	t.Parallel()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	for _, folder := range []string{"analyzer/keras/layers/*.go", "testdata/estimate/layers/cases.txt"} {
		paths, err := filepath.Glob(filepath.Join(root, folder))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %v", folder, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			to := strings.Replace(path, root, scratch, 1)
			if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(to, text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	maker := filepath.Join(t.TempDir(), "maker.exe")
	if out, err := exec.Command("go", "build", "-o", maker, "new.go").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct{ args, want string }{
		{"PositionScaling normalization", "go test ./analyzer/keras -run 'TestLayers/keras3/^PositionScaling$"},
		{"PositionScaling image", "norm.go has a row of PositionScaling"},
		{"GroupNormalization image", "has a row of GroupNormalization"},
		{"HSVShift image", "wrote " + filepath.Join("analyzer", "keras", "layers", "hsvshift.go")},
		{"Another families", `there is no family "families"; there are activation, attention, convolution`},
		{"another image", `"another" is not the name of a class`},
	} {
		cmd := exec.Command(maker, strings.Fields(c.args)...)
		cmd.Dir = scratch
		if out, _ := cmd.CombinedOutput(); !strings.Contains(string(out), c.want) {
			t.Errorf("new.go %s says %q, want %q", c.args, out, c.want)
		}
	}
	replace := map[string]string{}
	for _, file := range []string{"norm.go", "image.go", "position_scaling.go", "hsvshift.go"} {
		path := filepath.Join("analyzer", "keras", "layers", file)
		replace[filepath.Join(root, path)] = filepath.Join(scratch, path)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(scratch, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-overlay", list, ".").CombinedOutput(); err != nil {
		t.Errorf("the package with the layers does not build: %v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(scratch, "testdata/estimate/layers/cases.txt"))
	if err != nil || !strings.HasSuffix(string(text), "\n# HSVShift\n(8, 6) -> HSVShift()(x)\n") {
		t.Errorf("the cases end with %q, %v", text[max(0, len(text)-80):], err)
	}
}
