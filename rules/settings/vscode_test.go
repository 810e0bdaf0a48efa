package settings

import (
	"encoding/json"
	"os"
	"testing"
)

// TestVSCodeScopes checks that VS Code takes no path from the settings that come with a repository.
// A path in a user's settings may lead anywhere.
func TestVSCodeScopes(t *testing.T) {
	text, err := os.ReadFile("../../editors/vscode/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var extension struct {
		Contributes struct {
			Configuration struct {
				Properties map[string]struct{ Scope string }
			}
		}
	}
	if err := json.Unmarshal(text, &extension); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"gpu", configurationKey} {
		if scope := extension.Contributes.Configuration.Properties["tfmem."+key].Scope; scope != "machine" {
			t.Errorf("tfmem.%s has the scope %q, want machine", key, scope)
		}
	}
}
