package flow

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

var kindNames = map[TapeUseKind]string{GivesAway: "gives", TakesGradient: "gradient", CallsMethod: "calls", Records: "records", Lends: "lends", Deletes: "deletes"}

// TestTapes spells out what is known of the tapes of a text: "p" of a persistent
// and "s" of a single one, then the number of its with statements, its surroundings,
// and what is done with it.
func TestTapes(t *testing.T) {
	const with = "with tf.GradientTape() as t:\n  t.watch(x)\n"
	for text, want := range map[string]string{
		with + "t.gradient(y, x)":                                      "s1 t: calls gradient",
		with + "def f(t):\n  t.gradient(y, x)\nf(t=1)\no.t.jacobian()": "s1 t: calls",
		with + "del t":      "s1 t: calls deletes",
		with + "del (t, x)": "s1 t: calls deletes",
		with + "f(t)\ng(tape=t)\nu = t\nt.persistent": "s1 t: calls gives lends gives gives",
		with + "lambda: t.batch_jacobian(y, x)":       "s1 t: calls gradient",
		with + with + "t.gradient(y, x)":              "s1 t: calls, s1 t: calls gradient",
		"if a:\n  with tf.GradientTape() as t: pass\nelse:\n  with tf.GradientTape(True) as t: pass\nt.gradient(y, x)": "s1 t: gradient, p1 t: gradient",
		"with tf.GradientTape(): pass":                                                                 "s1:",
		"with a, tf.GradientTape(persistent=True) as t, b: pass":                                       "p1 t:",
		"with tf.GradientTape(persistent=a) as t: pass":                                                "1 t:",
		"with tf.GradientTape(*a) as t: pass":                                                          "1 t:",
		"with tf.GradientTape(None, False) as t: pass":                                                 "s1 t:",
		"with tf.GradientTape() as self.t: pass":                                                       "s1 self.t:",
		"t = tf.GradientTape()\nwith t:\n  pass\nwith t, a:\n  t.reset()":                              "s2 t: records records calls",
		"t = (tf.GradientTape())":                                                                      "s0 t:",
		"f(tf.GradientTape())":                                                                         "s0:",
		"with tf.GradientTape() as t:\n  with tf.GradientTape() as u: pass":                            "s1 t:, s1 watched u:",
		"@tf.function\ndef f():\n  with tf.GradientTape() as t: pass":                                  "s1 traced t:",
		"def f():\n  with tf.GradientTape() as t: pass\n@tf.function\ndef g():\n  f()":                 "s1 traced t:",
		"def f():\n  with tf.GradientTape() as t: pass\nwith tf.GradientTape() as u:\n  f()":           "s1 watched t:, s1 u:",
		"@of_another\ndef f():\n  with tf.GradientTape() as t: pass\nf()":                              "s1 traced t:",
		"def f(tf):\n  with tf.GradientTape() as t: pass":                                              "",
		"class A:\n  def f(self):\n    self.t = tf.GradientTape(True)\n    with self.t:\n      pass\n": "p0 self.t:",
	} {
		var got []string
		for _, tape := range programOf("import tensorflow as tf\n" + text + "\n").Tapes() {
			s := ""
			if tape.Persistent {
				s += "p"
			}
			if tape.Single {
				s += "s"
			}
			s += fmt.Sprint(len(tape.Recordings))
			if tape.Traced() {
				s += " traced"
			}
			if tape.Watched() {
				s += " watched"
			}
			if tape.Target.Valid() {
				s += " " + tape.Target.Text()
			}
			s += ":"
			for _, u := range tape.Uses {
				s += " " + kindNames[u.Kind]
			}
			got = append(got, s)
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("its tapes are\n%s\nwant\n%s\nin\n%s", got, want, text)
		}
	}
}

// TestTapeOf asks which tape the argument of ask is, by the line that makes it; 0 where it may be
// another, or none.
func TestTapeOf(t *testing.T) {
	for text, want := range map[string]int{
		"t = tf.GradientTape()\nask(t)":                                                  2,
		"t = tf.GradientTape()\nt = tf.GradientTape()\nask(t)":                           3,
		"t = tf.GradientTape()\nif a:\n  t = tf.GradientTape()\nask(t)":                  0,
		"if a:\n  t = tf.GradientTape()\nelse:\n  t = tf.GradientTape()\nask(t)":         0,
		"t = tf.GradientTape()\nask(t.gradient)":                                         0,
		"t = f()\nask(t)":                                                                0,
		"with tf.GradientTape() as t, tf.GradientTape() as u:\n  pass\nask(u)\n":         2,
		"with tf.GradientTape() as t:\n  pass\ndef f(t):\n  ask(t)\nf(t)":                0,
		"with tf.GradientTape() as t:\n  pass\nwith tf.GradientTape() as u:\n  ask(t)\n": 2,
	} {
		p := programOf("import tensorflow as tf\n" + text + "\n")
		for _, call := range p.info.Calls {
			if call.Child(syntax.FieldFunction).Text() != "ask" {
				continue
			}
			got := 0
			if tape := p.TapeOf(names.Argument(call, 0, "")); tape != nil {
				got = 1 + strings.Count(p.info.Tree.Text()[:tape.Call.Start()], "\n")
			}
			if got != want {
				t.Errorf("it is the tape of line %d, want %d, in\n%s", got, want, text)
			}
		}
	}
}

// TestEveryIteration spells out when A happens in each iteration of its loop.
func TestEveryIteration(t *testing.T) {
	const a = `mark("A", "")`
	for text, want := range map[string]bool{
		a:                                  false,
		"for i in x:\n  " + a:              true,
		"while x:\n  " + a:                 true,
		"for i in x:\n  if i:\n    " + a:   false,
		"for i in x:\n  with y:\n    " + a: true,
		"for i in x:\n  if i:\n    continue\n  " + a:            false,
		"for i in x:\n  " + a + "\n  if i:\n    break":          true,
		"[" + a + " for i in x]":                                true,
		"[" + a + " for i in x if i]":                           false,
		"[" + a + " for i in x for j in i]":                     false,
		"def f():\n  " + a + "\nfor i in x:\n  f()":             true,
		"def f():\n  if y:\n    " + a + "\nfor i in x:\n  f()":  false,
		"def f():\n  " + a + "\nfor i in x:\n  if i:\n    f()":  false,
		"for i in x:\n  if i:\n    for j in i:\n      " + a:     true,
		"for i in x:\n  for j in i:\n    pass\n  " + a:          true,
		"def f():\n  for i in x:\n    " + a + "\nif y:\n  f()":  true,
		"for i in x:\n  try:\n    " + a + "\n  except E: pass":  true,
		"for i in x:\n  try:\n    y()\n  except E:\n    " + a:   false,
		"for i in x:\n  y and " + a:                             false,
		"for i in x:\n  for j in range(3):\n    y()\n  z\n" + a: false,
	} {
		p := programOf("from os import putenv as mark\n" + text + "\n")
		for i := range p.Module.Events {
			if e := &p.Module.Events[i]; e.Key == "A" && e.EveryIteration != want {
				t.Errorf("every iteration is %v, want %v, in\n%s", e.EveryIteration, want, text)
			}
		}
	}
}
