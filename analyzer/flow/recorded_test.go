package flow

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestRecorded follows the program of each record under testdata/effects, in its versions:
// what did not initialise must not do so here, and what did must, but for what the table
// does not speak of: operations on symbolic tensors. That something only may initialise is
// right where another record shows that it need not, and never of what a Sequential builds.
func TestRecorded(t *testing.T) {
	const prelude = "import numpy as np\nimport tensorflow as tf\nv1 = tf.compat.v1\nFIXTURES = ''\n"
	type record struct {
		Versions struct {
			TensorFlow, Keras string
			Legacy            string `json:"tf_keras"`
		}
		Names []struct {
			Name, Case, Setup, Expression string
			Initialises                   bool
			SetupInitialises              bool `json:"setup_initialises"`
			Raised                        string
		}
	}
	stated := func(version string) effects.Stated {
		r, err := effects.ParseRange(version)
		if err != nil {
			t.Fatal(err)
		}
		return effects.Stated{Range: r, Source: "the record"}
	}
	paths, _ := filepath.Glob("../../testdata/effects/*.json")
	compared, sure := 0, 0
	undecided, decided := map[string]string{}, map[string]bool{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var r record
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		library := effects.With(effects.Versions{TensorFlow: stated(r.Versions.TensorFlow), Keras: stated(r.Versions.Keras + r.Versions.Legacy)})
		for _, n := range r.Names {
			if n.SetupInitialises || n.Raised != "" {
				continue
			}
			compared++
			program := NewSummaries().Of(names.Resolve(syntax.Parse(prelude+n.Setup+"\n"+n.Expression+"\n"), library, nil), library)
			var may *Event
			surely, inGraph := false, false
			for i := range program.Module.Events {
				e := &program.Module.Events[i]
				surely = surely || e.Effects.Has(effects.Initialises) && e.Context&InGraph == 0 && e.when == nil
				inGraph = inGraph || e.Effects.Has(effects.GraphMode) || e.Context&InGraph != 0
				if may == nil && e.Effects.Has(effects.MayInitialise) {
					may = e
				}
			}
			said := fmt.Sprintf("%s: %s (%s): %s", filepath.Base(path), n.Name, n.Case, n.Expression)
			switch {
			case inGraph:
			case surely && n.Initialises:
				sure++
			case surely:
				t.Errorf("initialises here, and did not: %s", said)
			case may != nil && n.Initialises:
				if may.Built != "" {
					t.Errorf("only may initialise here: %s", said)
				}
				undecided[may.Name] = said
			case may != nil:
				decided[may.Name] = true
			case n.Initialises && !strings.Contains(n.Name, "KerasTensor") && n.Case != "symbolic":
				t.Errorf("initialised, and does not here: %s", said)
			}
		}
	}
	for name, said := range undecided {
		if !decided[name] {
			t.Errorf("only may initialise here, which no record says: %s", said)
		}
	}
	if compared < 1900 || sure < 700 {
		t.Errorf("only %d programs compared, %d of which surely initialise", compared, sure)
	}
	t.Logf("%d programs compared, %d of which surely initialise", compared, sure)
}
