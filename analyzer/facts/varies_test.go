package facts

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// reached returns the event of a node in a function that the program calls once: the calls that lead to
// it, and the innermost loop.
func reached(info *names.Info, n syntax.Node) *flow.Event {
	e := &flow.Event{Node: n, Loop: LoopOf(n)}
	for fn := info.ScopeOf(n).Function(); fn != nil; fn = info.ScopeOf(e.Path[0]).Function() {
		calls := info.CallsOf(fn)
		if fn.Node.Kind() != syntax.FunctionDefinition || len(calls) == 0 {
			break
		}
		e.Path = append([]syntax.Node{calls[0]}, e.Path...)
		if !e.Loop.Valid() {
			e.Loop = LoopOf(calls[0])
		}
	}
	return e
}

// TestVaries checks testdata/facts/varies: whether the argument of print surely is another Python number
// ("# varies: 3", or "yes" if it is not known how many there are) or has another shape ("# shape: 3") in
// each iteration of a loop.
func TestVaries(t *testing.T) {
	said := func(f *Facts, info *names.Info, n syntax.Node, ask func(*flow.Event, syntax.Node) Change) []string {
		if !n.Valid() {
			return nil
		}
		e := reached(info, n)
		for _, loop := range LoopsAround(e) {
			if c := ask(e, loop); c.Surely && c.Values > 0 {
				return []string{fmt.Sprint(c.Values)}
			} else if c.Surely {
				return []string{"yes"}
			}
		}
		return []string{"no"}
	}
	cases.Run(t, "../../testdata/facts/varies", []string{"varies", "shape", "same"}, func(t *testing.T, c *cases.Case) {
		info := names.Resolve(syntax.Parse(c.Text), effects.Library{}, nil)
		f := Of(info)
		printed := printedIn(info, c)
		c.Compare(t, "varies", func(line int) []string {
			return said(f, info, printed[line], func(e *flow.Event, loop syntax.Node) Change { return f.Varies(e.Node, f.At(e), loop) })
		})
		c.Compare(t, "shape", func(line int) []string {
			return said(f, info, printed[line], func(e *flow.Event, loop syntax.Node) Change { return f.ShapeVaries(e.Node, f.At(e), loop) })
		})
		c.Compare(t, "same", func(line int) []string {
			e := reached(info, printed[line])
			if f.Invariant(e.Node, f.At(e), e.Loop) {
				return []string{"yes"}
			}
			return []string{"no"}
		})
	})
}

// TestUses checks testdata/facts/uses: what still has the object that a call of make returns when the
// iteration of the loop around it ends ("# holders: kept"), and whether the program reads it there, or
// releases it ("# stays: read").
func TestUses(t *testing.T) {
	cases.Run(t, "../../testdata/facts/uses", []string{"holders", "stays"}, func(t *testing.T, c *cases.Case) {
		info := names.Resolve(syntax.Parse(c.Text), effects.Library{}, nil)
		f := Of(info)
		made := map[int]syntax.Node{}
		for _, call := range info.Calls {
			if call.Child(syntax.FieldFunction).Text() == "make" {
				made[c.Line(call.Start())] = call
			}
		}
		c.Compare(t, "holders", func(line int) []string {
			e := reached(info, made[line])
			_, holders := f.Uses(e.Node, f.At(e), e.Loop)
			var found []string
			for _, h := range holders {
				if text := h.Node.Text(); !slices.Contains(found, text) {
					found = append(found, text)
				}
			}
			if found == nil {
				return []string{"nothing"}
			}
			return []string{strings.Join(found, ", ")}
		})
		c.Compare(t, "stays", func(line int) []string {
			e := reached(info, made[line])
			_, holders := f.Uses(e.Node, f.At(e), e.Loop)
			if len(holders) != 1 {
				return []string{"several"}
			}
			read, released := f.Stays(holders[0].Node, holders[0].Node, func(n syntax.Node) bool { return n.Child(syntax.FieldFunction).Text() == "make" })
			return []string{strings.TrimSpace(map[bool]string{true: "read "}[read] + map[bool]string{true: "released", false: "kept"}[released])}
		})
	})
}

// TestObjects checks testdata/facts/objects: which calls of make give the argument of print what it is or
// has, by their lines, and whether that exists before the iteration of the loop around it.
func TestObjects(t *testing.T) {
	cases.Run(t, "../../testdata/facts/objects", []string{"objects"}, func(t *testing.T, c *cases.Case) {
		info := names.Resolve(syntax.Parse(c.Text), effects.Library{}, nil)
		f := Of(info)
		printed := printedIn(info, c)
		c.Compare(t, "objects", func(line int) []string {
			e := reached(info, printed[line])
			made := func(call syntax.Node) bool { return call.Child(syntax.FieldFunction).Text() == "make" }
			var found []string
			for _, o := range f.Objects(origins.Place{Node: e.Node, In: f.At(e)}, e.Loop, made) {
				when := "new"
				if o.Earlier {
					when = "earlier"
				}
				found = append(found, fmt.Sprint(c.Line(o.Made.Start()), " ", when))
			}
			if found == nil {
				return []string{"nothing"}
			}
			return []string{strings.Join(found, ", ")}
		})
	})
}

// TestSwitchedOff checks testdata/facts/switched: whether the program rules out a call of print.
func TestSwitchedOff(t *testing.T) {
	cases.Run(t, "../../testdata/facts/switched", []string{"switched"}, func(t *testing.T, c *cases.Case) {
		info := names.Resolve(syntax.Parse(c.Text), effects.Library{}, nil)
		printed := printedIn(info, c)
		c.Compare(t, "switched", func(line int) []string {
			if Of(info).SwitchedOff(reached(info, printed[line])) {
				return []string{"off"}
			}
			return []string{"maybe"}
		})
	})
}

// TestRole checks testdata/facts/roles: what a file is for, and what shows it.
func TestRole(t *testing.T) {
	cases.Run(t, "../../testdata/facts/roles", []string{"role"}, func(t *testing.T, c *cases.Case) {
		info := names.Resolve(syntax.Parse(c.Text), effects.Library{}, nil)
		role := Of(info).RoleOf(Named{Path: c.Path}, func() *flow.Program { return flow.Of(info) })
		c.Compare(t, "role", func(int) []string { return []string{string(role.Kind), role.Why} })
	})
	tree := syntax.Parse("import tensorflow as tf\n\nCELL = tf.ones([2])\n")
	for named, want := range map[Named]RoleKind{{Path: "test.py"}: Library, {Notebook: true}: Library, {Path: "tests/test_x.py", EntryPoint: true}: Script} {
		info := names.Resolve(tree, effects.Library{}, nil)
		if got := Of(info).RoleOf(named, func() *flow.Program { return flow.Of(info) }); got.Kind != want {
			t.Errorf("%+v is a %s, want a %s", named, got.Kind, want)
		}
	}
}
