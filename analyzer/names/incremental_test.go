package names_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A session is a module under edits: its names are updated from version to version, or resolved
// afresh if they cannot be.
type session struct {
	parser  *syntax.Parser
	in      *names.Info
	updated int
}

func (s *session) edit(text string) {
	tree := s.parser.Parse(text)
	if s.in != nil && tree == s.in.Tree {
		return
	}
	if s.in != nil {
		if _, ok := s.in.Update(syntax.NewMove(s.in.Tree, tree)); ok {
			s.updated++
			return
		}
	}
	s.in = names.Resolve(tree, effects.Library{}, nil)
}

// told returns the answers to all queries that the cases of this package use.
func told(in *names.Info) string {
	var b strings.Builder
	for s := range in.Tree.Statements() {
		s.Walk(func(n syntax.Node) bool {
			if n.Is(syntax.Identifier, syntax.Attribute, syntax.Call) {
				fmt.Fprintf(&b, "%d…%d %s: %s, a %s, calls %s, made by %s\n", n.Start(), n.End(), n.Text(), name(in, n), typeOf(in, n), target(in, n), maker(in, n))
				if option := in.OptionDefault(n.Text()); option.Valid() {
					fmt.Fprintf(&b, "the option is %s at %d by default\n", option.Text(), option.Start())
				}
			}
			return true
		})
	}
	for _, scope := range scopes(in) {
		for _, name := range scope.Names() {
			for _, x := range scope.Bindings(name) {
				fmt.Fprintf(&b, "%s is bound at %d\n", name, x.Node.Start())
			}
		}
	}
	return b.String()
}

// chained is code with statements that depend on others through several names.
const chained = `import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
first = tf.zeros
second = layers.Dense
both = first(second)
pair = [first(1), second(2)]
def build(n):
    return keras.Sequential([second(n), layers.Dropout(first(n))])
model = build(both)
model.fit(first(3), second)
class Net(keras.Model):
    def call(self, x):
        return build(x)(second(x))
net = Net()
net.call(model)
`

// alternating is code whose statements depend on each other upwards and downwards in turn, from the
// last one on.
const alternating = `import tensorflow as tf
def fifth():
    return fourth()
def third():
    return second()
def seventh():
    return sixth()
def first():
    return maker(1)
def second():
    return first()
def sixth():
    return fifth()
def fourth():
    return third()
maker = tf.keras.layers.Dense
fourth()
seventh()
`

// options is code that defines some twice.
const options = `import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--size", default=8)
parser.add_argument("--size", "-s", default=16)
flags.DEFINE_integer("rows", 10, "how many")
parser.add_argument("--rows", dest="size", default=32)
args = parser.parse_args()
size = args.size
rows = args.rows
`

// unfinished is code with a part that is being typed.
const unfinished = `tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=
tf.config.set_logical_device_configuration(gpu, [
import tensorflow as tf
if "--list" in sys.argv:
    print(tf.config.list_physical_devices("GPU"))
import tensorflow as tf
import tensorflow as tf
`

// TestUpdate removes one top-level statement after another, and makes each bind another name. The
// facts of each version must equal those of a fresh resolution.
func TestUpdate(t *testing.T) {
	texts := map[string]string{"chained": chained, "alternating": alternating, "options": options}
	paths, err := filepath.Glob(filepath.Join(folder, "*.py"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no cases in %s: %v", folder, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(path)] = string(text)
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			s := &session{parser: syntax.NewParser()}
			defer s.parser.Close()
			check := func(version, what string) {
				t.Helper()
				s.edit(version)
				if diff := cmp.Diff(told(resolve(version)), told(s.in)); diff != "" {
					t.Fatalf("%s (-afresh +updated):\n%s\nof\n%s", what, diff, version)
				}
			}
			var spans [][2]int
			for st := range syntax.Parse(text).Statements() {
				spans = append(spans, [2]int{st.Start(), st.End()})
			}
			check(text, "the text")
			for _, span := range cases.Sample(t, spans, 14) {
				statement := text[span[0]:span[1]]
				for what, other := range map[string]string{
					"without": "pass", "with another module in": strings.Replace(statement, "tensorflow", "tensor_flow", 1), "with another value in": strings.Replace(statement, "= ", "= other or ", 1),
				} {
					what = fmt.Sprintf("%s %q", what, statement)
					check(text[:span[0]]+other+text[span[1]:], what)
					check(text, what+", undone")
				}
			}
			if s.updated == 0 && !strings.Contains(text, "import *") {
				t.Error("the names were found afresh for every version")
			}
		})
	}
}

// FuzzUpdate edits a module at one place, and back.
func FuzzUpdate(f *testing.F) {
	f.Add(chained, 70, 9, "x")
	f.Add(chained, 130, 0, "first = None\n")
	f.Add(unfinished, 150, 9, "import tensorflow as tf\n")
	f.Fuzz(func(t *testing.T, text string, start, length int, insert string) {
		if len(text)+len(insert) > 4000 {
			return
		}
		s := &session{parser: syntax.NewParser()}
		defer s.parser.Close()
		start = min(max(start, 0), len(text))
		edited := text[:start] + insert + text[min(start+max(length, 0)%64, len(text)):]
		for _, version := range []string{text, edited, text} {
			s.edit(version)
			if diff := cmp.Diff(told(resolve(version)), told(s.in)); diff != "" {
				t.Fatalf("(-afresh +updated):\n%s\nof\n%s", diff, version)
			}
		}
	})
}
