package memory_test

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// TestUnsettled holds that nobody prices a model of which it is not known in which types it
// computes: neither an estimate nor a rule.
func TestUnsettled(t *testing.T) {
	const why = "the dtype policy is not known"
	trained := "import sys\nfrom tensorflow import keras\nkeras.config.set_dtype_policy(sys.argv[1])\n" + strings.TrimPrefix(deep(2), "from tensorflow import keras\n")
	run, _, _ := strings.Cut(trained, "m.compile")
	p := followText(trained)
	u := p.Uses[0]
	if _, err := memory.NewTrainer(u.Model, u.Model.Optimizer); err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("a trainer is made, or refused as %v", err)
	}
	for _, p := range []*keras.Program{p, followText(run)} {
		a := memory.Assess(p.Models[0], p.Uses, memory.Place{Replicas: 1})
		if got := strings.Join(a.Unresolved, "; "); !strings.Contains(got, why) || a.Parameters == 0 {
			t.Errorf("%d parameters, unknown because %q", a.Parameters, got)
		}
	}
}
