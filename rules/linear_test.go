//go:build linux && !race

package rules

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// cost measures the CPU time that the calling thread takes for the rules that price no models. The
// caller must stay on its thread.
func cost(text string) time.Duration {
	now := func() time.Duration {
		const thisThread = 1
		var used syscall.Rusage
		if err := syscall.Getrusage(thisThread, &used); err != nil {
			panic(err)
		}
		return time.Duration(used.Utime.Nano() + used.Stime.Nano())
	}
	devices := func() []memory.Device { return []memory.Device{{Name: "a GPU", Total: 12 << 30, Major: 8, Minor: 6}} }
	begun := now()
	Quick(context.Background(), analyzer.Analyze(source.New("a.py", text), analyzer.Config{Devices: devices}), Selection{Select: []string{"ALL"}})
	return now() - begun
}

// repeated are the ways in which a text is repeated n times in one file.
var repeated = map[string]func(text string, n int) string{
	"as it is": strings.Repeat,
	"with other names": func(text string, n int) string {
		other := renamed(text)
		return times(n, other)
	},
	"in functions": func(text string, n int) string {
		body := indented(text, "    ")
		return times(n, func(i int) string { return fmt.Sprintf("def f%d():\n%s    return 1\nf%[1]d()\n", i, body) })
	},
	"in one function": func(text string, n int) string {
		other := renamed(text)
		return text + "def f():\n" + times(n, func(i int) string { return indented(other(i), "    ") }) + "f()\n"
	},
	"in one loop": func(text string, n int) string {
		return text + "for _ in range(9):\n" + strings.Repeat(indented(text, "    "), n)
	},
	"in one class": func(text string, n int) string {
		body := indented(text, "        ")
		return text + "class C:\n" + times(n, func(i int) string { return fmt.Sprintf("    def f%d(self):\n%s        return 1\n", i, body) })
	},
}

func times(n int, text func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(text(i))
	}
	return b.String()
}

func indented(text, by string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			b.WriteString(by)
		}
		b.WriteString(line)
	}
	return b.String()
}

// renamed returns a text in which the names that it binds, except by imports, differ for each i.
func renamed(text string) func(i int) string {
	info := analyzer.Analyze(source.New("a.py", text), analyzer.Config{Asked: true}).Names()
	imports := info.Module.Imports()
	bound := slices.DeleteFunc(info.Module.Names(), func(name string) bool { return slices.Contains(imports, name) })
	var ends []int
	for s := range info.Tree.Statements() {
		s.Walk(func(n syntax.Node) bool {
			keyword := n.Kind() == syntax.Identifier && n.Parent().Kind() == syntax.KeywordArgument && n.Field() == syntax.FieldName
			if n.Kind() == syntax.Identifier && n.Field() != syntax.FieldAttribute && !keyword && slices.Contains(bound, n.Text()) {
				ends = append(ends, n.End())
			}
			return true
		})
	}
	return func(i int) string {
		var b strings.Builder
		last := 0
		for _, end := range ends {
			fmt.Fprintf(&b, "%s_%d", text[last:end], i)
			last = end
		}
		return b.String() + text[last:]
	}
}

// stages are texts that are expensive for the stages before the rules.
var stages = map[string]func(n int) string{
	"assignments in one": func(n int) string { return "import keras\n" + strings.Repeat("a = ", n) + "1\n" },
	"uses of a name that is bound again": func(n int) string {
		return times(n, func(i int) string {
			return fmt.Sprintf("import tensorflow as tf\ndef f%d(x):\n    return tf.add(x, x)\n", i)
		})
	},
	"one attribute": func(n int) string {
		return "import keras\nclass M(keras.Model):\n    def __init__(self):\n" + strings.Repeat("        self.a = keras.layers.Dense(1)\n", n) +
			"    def call(self, x):\n" + strings.Repeat("        x = self.a(x)\n", n)
	},
	"one import after another": func(n int) string {
		return "import tensorflow as tf\n" + strings.Repeat("try:\n    import keras\nexcept ImportError:\n    keras = None\n", n) + times(n, func(i int) string { return fmt.Sprintf("def f%d(): return keras.Model()\n", i) })
	},
	"comments": func(n int) string {
		return "import tensorflow as tf\n" + strings.Repeat("tf.Session()  # noqa: TFM204\n", n)
	},
	"chain of layers": func(n int) string {
		return "import tensorflow as tf\nfrom keras.layers import Dense\n\ndef build(x):\n" + times(n, func(i int) string {
			return fmt.Sprintf("    x = Dense(3)(x)\n    y%d = tf.reduce_sum(x)\n", i)
		})
	},
	"chain of training arguments": func(n int) string {
		return "import keras\nd = keras.layers.Dropout(0.1)\n\ndef call(x, training):\n" + times(n, func(i int) string {
			return fmt.Sprintf("    training = training\n    y%d = d(x, training)\n", i)
		}) + "call(1, None)\n"
	},
	"chain of functions": func(n int) string {
		return "import tensorflow as tf\n" + times(n, func(i int) string { return fmt.Sprintf("def f%d(x):\n    tf.Variable(x)\n    return f%d(x)\n", i, i+1) }) + "f0(1)\n"
	},
}

// grows measures the ratio of the times for a text and for one four times as long: about 4 if cost
// is linear in size, and 16 if it is quadratic. It returns the minimum of several measurements,
// because others use the machine too.
func grows(of func(n int) string) float64 {
	n := 1
	for len(of(n)) < 32<<10 {
		n *= 2
	}
	one, four := of(n), of(4*n)
	least := 1e9
	for range 3 {
		least = min(least, float64(cost(four))/float64(max(cost(one), 4*time.Millisecond)))
		if least < 7 {
			break
		}
	}
	return least
}

// TestLinear checks that the cost of a file is linear in its size, for the stages before the rules
// and for each rule's example with a finding. [BenchmarkLinear] measures all cases, in all ways to
// repeat them.
func TestLinear(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	check := func(what string, of func(n int) string) {
		if times := grows(of); times > 9 {
			t.Errorf("%s: a text four times as long takes %.1f times as long", what, times)
		}
	}
	for what, of := range stages {
		check(what, of)
	}
	for i, r := range checked() {
		way := slices.Sorted(maps.Keys(repeated))[i%len(repeated)]
		check(r.Code+" "+way, func(n int) string { return repeated[way](shown(r, r.Bad), n) })
	}
}

// BenchmarkLinear measures, for each case of a rule and each way to repeat it, the ratio of the
// times for a text and for one four times as long.
func BenchmarkLinear(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, r := range checked() {
		paths, err := filepath.Glob(filepath.Join(folder, r.Code, "*.py"))
		if err != nil {
			b.Fatal(err)
		}
		for _, path := range paths {
			for way, repeat := range repeated {
				b.Run(r.Code+"/"+filepath.Base(path)+"/"+way, func(b *testing.B) {
					for b.Loop() {
						b.ReportMetric(grows(func(n int) string { return repeat(read(b, path), n) }), "times")
					}
				})
			}
		}
	}
}
