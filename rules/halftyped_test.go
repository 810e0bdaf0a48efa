package rules

import (
	"path/filepath"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/source"
)

// TestHalfTyped truncates every case, and cuts parts out of it, like an author's typing: no rule
// may fail on what is missing.
func TestHalfTyped(t *testing.T) {
	const cuts = 7
	for _, r := range checked() {
		for _, path := range cases.Sample(t, programs(t, r), 5) {
			text := read(t, path)
			step := len(text)/cuts + 1
			for i := step / 2; i < len(text); i += step {
				for _, cut := range []string{text[:i], text[:i] + text[min(i+5, len(text)):]} {
					Check(analyze(source.New(filepath.Base(path), cut)), alone(r))
				}
			}
		}
	}
}
