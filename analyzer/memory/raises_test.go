package memory_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// TestRaises compares our refusals with the programs in testdata/estimate/raises, which state
// whether Keras runs them.
func TestRaises(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/estimate/raises/*.py")
	if err != nil || len(paths) < 10 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if name == "check.py" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			p := followText(string(text))
			if len(p.Models) == 0 && len(p.Unresolved) == 0 {
				t.Fatal("no model is found")
			}
			says := false
			for _, l := range p.Unresolved {
				says = says || strings.Contains(l.Why.String(), "TensorFlow will raise")
			}
			for _, m := range p.Models {
				a := memory.Assess(m, p.Uses, memory.Place{})
				for _, why := range a.Unresolved {
					t.Log(why)
					says = says || strings.Contains(why.String(), "TensorFlow will raise")
				}
			}
			if raises := strings.HasPrefix(string(text), "# Keras raises\n"); says != raises {
				t.Errorf("it is said that TensorFlow will raise: %t, and it is so: %t", says, raises)
			}
		})
	}
}
