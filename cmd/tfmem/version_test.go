package main

import (
	"encoding/json"
	"os"
	"testing"
)

// TestRelease: the extension for VS Code is of the same version as the program.
func TestRelease(t *testing.T) {
	for _, path := range []string{"../../editors/vscode/package.json", "../../editors/vscode/package-lock.json"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var extension struct{ Version string }
		if err := json.Unmarshal(text, &extension); err != nil {
			t.Fatal(err)
		}
		if extension.Version != release {
			t.Errorf("%s has the version %s, and tfmem %s", path, extension.Version, release)
		}
	}
}
