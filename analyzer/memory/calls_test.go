package memory_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// head is what generate.py puts before each program.
const head = "import numpy as np\nimport tensorflow as tf\nfrom tensorflow import keras\nL = keras.layers\n"

// TestCalls holds "TensorFlow will raise" against the calls of testdata/estimate/raises/calls, which a
// real TensorFlow ran: nothing that runs is refused. Of what raises, at least so many are.
func TestCalls(t *testing.T) {
	for name, least := range map[string]int{"keras3": 1100, "tf_keras": 850} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("../../testdata/estimate/raises/calls/" + name + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var recorded struct {
				Keras string
				Rows  [][2]string
			}
			if err := json.Unmarshal(data, &recorded); err != nil {
				t.Fatal(err)
			}
			r, err := effects.ParseRange("==" + recorded.Keras)
			if err != nil {
				t.Fatal(err)
			}
			library := effects.With(effects.Versions{Keras: effects.Stated{Range: r, Source: name}})
			refused, raise := 0, 0
			for _, row := range recorded.Rows {
				program, raised := row[0], row[1]
				says := saysRaise(library, head+program)
				switch {
				case says != "" && raised == "":
					t.Errorf("it runs, and is refused: %s\n%s", says, program)
				case raised != "":
					raise++
					if says != "" {
						refused++
					}
				}
			}
			t.Logf("of %d programs %d raise, and %d of these are refused", len(recorded.Rows), raise, refused)
			if refused < least {
				t.Errorf("only %d programs are refused, of %d that raise", refused, raise)
			}
		})
	}
}

// saysRaise returns the reason for which a program is said to raise, or "".
func saysRaise(library effects.Library, text string) string {
	p := followUnder(library, text)
	for _, l := range p.Unresolved {
		if l.Why != nil && strings.Contains(l.Why.String(), "TensorFlow will raise") {
			return l.Why.String()
		}
	}
	for _, m := range p.Models {
		for _, why := range memory.Assess(m, p.Uses, memory.Place{}).Unresolved {
			if strings.Contains(why.String(), "TensorFlow will raise") {
				return why.String()
			}
		}
	}
	return ""
}
