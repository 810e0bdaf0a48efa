package rules

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
)

// randomProject creates a few modules that import each other in any way, cycles and stars included,
// and whose effects on TensorFlow depend on the order of import.
func randomProject(r *rand.Rand) files {
	const modules, things = 4, 4
	name := func() string { return fmt.Sprintf("n%d", r.IntN(things)) }
	module := func() string { return fmt.Sprintf("m%d", r.IntN(modules)) }
	values := []func() string{
		name,
		func() string { return name() + "()" },
		func() string { return module() + "." + name() },
		func() string { return module() + "." + name() + "()" },
		func() string { return "tf.keras.layers.Dense" },
		func() string { return "tf" },
		func() string { return "tf.keras.Sequential([tf.keras.layers.Dense(100_000_000, input_shape=(4,))])" },
		func() string { return "tf.zeros([3])" },
		func() string { return "tf.compat.v1.ConfigProto()" },
		func() string { return "tf.GradientTape(persistent=True)" },
		func() string { return fmt.Sprint(r.IntN(100)) },
	}
	value := func() string { return values[r.IntN(len(values))]() }
	statements := []func() string{
		func() string { return "from " + module() + " import *" },
		func() string { return "from " + module() + " import " + name() },
		func() string { return "from " + module() + " import " + name() + " as " + name() },
		func() string { return "import " + module() },
		func() string { return "import " + module() + " as " + module() },
		func() string { return name() + " = " + value() },
		func() string { return name() + " = " + value() },
		func() string { return "def " + name() + "():\n    return " + value() },
		func() string {
			return "def " + name() + "(x=" + value() + "):\n    global " + name() + "\n    " + value() + "\n    return x"
		},
		func() string { return value() },
		func() string { return name() + ".fit(x, y, batch_size=" + value() + ")" },
		func() string { return name() + ".compile(loss='mse')" },
		func() string { return "tf.compat.v1.Session(config=" + value() + ")" },
		func() string { return `tf.config.set_visible_devices([], "GPU")` },
		func() string {
			return "class " + name() + "(" + value() + "):\n    def call(self, x):\n        return " + value()
		},
	}
	fs := files{}
	for i := range modules {
		var b strings.Builder
		b.WriteString("import tensorflow as tf\n")
		for range 2 + r.IntN(10) {
			b.WriteString(statements[r.IntN(len(statements))]() + "\n")
		}
		fs[fmt.Sprintf("/w/m%d.py", i)] = b.String()
	}
	return fs
}

// TestAnyOrder checks that the findings of a file do not depend on which files of its project were
// checked before.
func TestAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	check := func(fs files, w *project.Workspace, name string) string {
		file := analyzer.Analyze(source.New(name, fs["/w/"+name]), analyzer.Config{
			Workspace: w, Devices: func() []memory.Device {
				return []memory.Device{{Name: "a GPU", Total: 8 << 30, Major: 8, Minor: 6, Source: "the test"}}
			},
		})
		var b strings.Builder
		for _, f := range Check(file, Selection{Select: []string{"ALL"}}) {
			fmt.Fprintf(&b, "%s %v %s %v %d\n", f.Rule.Code, f.Span, f.Message, f.Severity, len(f.Fixes))
			for _, at := range f.Related {
				fmt.Fprintf(&b, "\t%v %s\n", at.Span, at.Message)
			}
		}
		return b.String()
	}
	findings := 0
	for range cases.Times(t, 5000, 200) {
		fs := randomProject(r)
		names := slices.Sorted(maps.Keys(fs))
		alone := map[string]string{}
		for i := range names {
			names[i] = strings.TrimPrefix(names[i], "/w/")
			alone[names[i]] = check(fs, project.New(fs, "/w", "/w"), names[i])
			findings += strings.Count(alone[names[i]], "\n")
		}
		w := project.New(fs, "/w", "/w")
		var before []string
		for _, i := range r.Perm(len(names)) {
			if got := check(fs, w, names[i]); got != alone[names[i]] {
				t.Fatalf("%s alone:\n%s\nafter %v:\n%s\n%v", names[i], alone[names[i]], before, got, fs)
			}
			before = append(before, names[i])
		}
	}
	t.Logf("%d findings", findings)
}
