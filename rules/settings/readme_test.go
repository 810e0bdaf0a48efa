package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestReadme: the settings that README.md shows are valid.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "```toml\n")
	example, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("README.md shows no settings")
	}
	s, err := finder([]txtar.File{{Name: "pyproject.toml", Data: []byte(example)}}).For(filepath.Join(root, "a.py"))
	if err != nil || s.Path == "" {
		t.Errorf("the settings in README.md are not valid: %v", err)
	}
}
