package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestDocumented checks that the settings in SETTINGS.md are valid.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../SETTINGS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "```toml\n")
	example, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("SETTINGS.md shows no settings")
	}
	s, err := finder([]txtar.File{{Name: "pyproject.toml", Data: []byte(example)}}).For(filepath.Join(root, "a.py"))
	if err != nil || s.Path == "" {
		t.Errorf("the settings in SETTINGS.md are not valid: %v", err)
	}
}
