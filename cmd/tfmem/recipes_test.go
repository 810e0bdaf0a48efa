package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestRecipes: the recipes of a release are of the form that their readers take, and hold the
// checksum of every archive that they name.
func TestRecipes(t *testing.T) {
	folder := t.TempDir()
	sums := map[string]string{}
	for _, name := range []string{"tfmem-0.1.0.tar.gz", "tfmem-0.1.0-linux-x64.tar.gz", "tfmem-0.1.0-linux-arm64.tar.gz", "tfmem-0.1.0-darwin-x64.tar.gz", "tfmem-0.1.0-darwin-arm64.tar.gz", "tfmem-0.1.0-win32-x64.zip", "tfmem-0.1.0-win32-arm64.zip"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
		sums[name] = fmt.Sprintf("%x", sha256.Sum256([]byte(name)))
	}
	if said, err := exec.Command("python3", "../../.ci/recipes", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(folder, "recipes", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	document := func(name string) map[string]any {
		t.Helper()
		var d map[string]any
		if err := yaml.Unmarshal([]byte(read(name)), &d); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return d
	}

	conda := document("conda-forge/recipe.yaml")
	if got := conda["source"].(map[string]any)["sha256"]; got != sums["tfmem-0.1.0.tar.gz"] {
		t.Errorf("conda-forge's recipe has the checksum %v", got)
	}
	if version := document("winget/tfmem.tfmem.yaml")["PackageVersion"]; version != "0.1.0" {
		t.Errorf("winget takes the version for %#v", version)
	}
	document("winget/tfmem.tfmem.locale.en-US.yaml")
	installers := document("winget/tfmem.tfmem.installer.yaml")["Installers"].([]any)
	for _, i := range installers {
		installer := i.(map[string]any)
		name := filepath.Base(installer["InstallerUrl"].(string))
		if got := installer["InstallerSha256"]; got != strings.ToUpper(sums[name]) {
			t.Errorf("winget has for %s the checksum %v", name, got)
		}
		nested := installer["NestedInstallerFiles"].([]any)[0].(map[string]any)["RelativeFilePath"]
		if want := strings.TrimSuffix(name, ".zip") + `\tfmem.exe`; nested != want {
			t.Errorf("winget looks for %v in %s", nested, name)
		}
	}
	if len(installers) != 2 {
		t.Errorf("winget has %d installers", len(installers))
	}
	formula := read("homebrew/tfmem.rb")
	for name, sum := range sums {
		if strings.Contains(name, "linux") || strings.Contains(name, "darwin") {
			if !strings.Contains(formula, name+"\"\n      sha256 \""+sum+"\"\n") {
				t.Errorf("the formula has no checksum of %s:\n%s", name, formula)
			}
		}
	}
	if ruby, err := exec.LookPath("ruby"); err == nil {
		if said, err := exec.Command(ruby, "-c", filepath.Join(folder, "recipes/homebrew/tfmem.rb")).CombinedOutput(); err != nil {
			t.Errorf("ruby: %v: %s", err, said)
		}
	}
}
