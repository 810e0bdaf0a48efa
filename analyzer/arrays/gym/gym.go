package gym

import (
	"maps"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// environment is the result of gym.make.
type environment struct {
	value.Base
	lib *numpy.Library
	envSpec
	current bool // it is Gymnasium's
}

// Table are the functions and classes of Gymnasium, and of Gym before it.
var Table = []numpy.Table{gymRows("gym"), gymRows("gymnasium")}

func gymRows(library string) numpy.Table {
	t := numpy.Table{
		library + ".make": makeEnvironment,
		// The wrappers that keep the observations and actions of an environment
		// (gymnasium/wrappers/rendering.py, common.py; Monitor was Gym's before).
		library + ".wrappers.Monitor": watched, library + ".wrappers.RecordVideo": watched, library + ".wrappers.RecordEpisodeStatistics": watched,
		library + ".wrappers.TimeLimit": watched, library + ".wrappers.OrderEnforcing": watched, library + ".wrappers.HumanRendering": watched,
	}
	maps.Copy(t, numpy.Rows(library+".spaces.", spaces, func(f numpy.Function) numpy.Function { return f }))
	return t
}

// watched is an environment in a wrapper: the environment.
func watched(c *numpy.Call) value.Value {
	switch e := objects.First(c.Args).X.(type) {
	case *environment, *value.Instance:
		return value.Value{X: e}
	}
	return value.Value{}
}

func makeEnvironment(c *numpy.Call) value.Value {
	id, _ := c.Args.Get(0, "id")
	text, _ := id.X.(string)
	w, ok := worldOf(text)
	if !ok || strings.Contains(text, "-ram") {
		return value.Value{}
	}
	for name := range c.Args.Keywords.Names() {
		if reshaping[name] || strings.HasPrefix(name, "include_") {
			return value.Value{}
		}
	}
	return value.Value{X: &environment{"an environment", c.Lib, w, strings.HasPrefix(c.Function, "gymnasium.")}}
}

func (e *environment) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "observation_space":
		return value.Value{X: &space{"a space", e.lib, e.shows, e.dtype, e.states}}, true
	case "action_space":
		if e.actions > 0 {
			return value.Value{X: &space{"a space", e.lib, tensor.Shape{}, "int64", e.actions}}, true
		}
		return value.Value{X: &space{"a space", e.lib, e.acts, "float32", 0}}, true
	case "unwrapped", "env":
		return value.Value{X: e}, true
	case "reset":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			switch current, known := e.since026(args.Node, 2); {
			case !known:
				return objects.Unknown(value.Environment, "what reset returns depends on the version of gym")
			case current:
				return value.Value{X: value.Tuple{e.observation(), {X: &value.Dict{}}}}
			}
			return e.observation()
		})
	case "step":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			reward, done, info := e.lib.Array(tensor.Shape{}, "float64"), e.lib.Array(tensor.Shape{}, "bool"), objects.Unknown(value.Random, "what happens in an environment")
			switch current, known := e.since026(args.Node, 5); {
			case !known:
				return objects.Unknown(value.Environment, "what step returns depends on the version of gym")
			case current:
				return value.Value{X: value.Tuple{e.observation(), reward, done, done, info}}
			}
			return value.Value{X: value.Tuple{e.observation(), reward, done, info}}
		})
	case "close", "render", "seed":
		return objects.Method(objects.Nothing)
	}
	return e.Base.GetAttr(in, name)
}

// since026 reports whether an environment answers as Gymnasium does, and Gym from 0.26 on: reset
// returns a pair, and step five things, not four. A program that unpacks what a call of step
// returns runs with one of them only; many is into how many names the newer ones would be.
func (e *environment) since026(call syntax.Node, many int) (yes, known bool) {
	if e.current {
		return true, true
	}
	if n := targets(call); n > 1 {
		return n == many, n == many || many == 5 && n == 4
	}
	four, five := false, false
	for _, n := range steps(call.Tree()) {
		four, five = four || n == 4, five || n == 5
	}
	return five, four != five
}

// steps returns into how many names each call of a method step is unpacked.
func steps(t *syntax.Tree) (all []int) {
	for stmt := range t.Statements() {
		stmt.Walk(func(n syntax.Node) bool {
			if n.Is(syntax.Assignment) {
				if f := n.Child(syntax.FieldRight).Child(syntax.FieldFunction); f.Is(syntax.Attribute) && f.Child(syntax.FieldAttribute).Text() == "step" {
					all = append(all, targets(n.Child(syntax.FieldRight)))
				}
			}
			return true
		})
	}
	return all
}

// targets is how many names an assignment unpacks the result of a call into; 0 if it does not, or
// if that does not tell how many there are.
func targets(call syntax.Node) (n int) {
	into := call.Parent().Child(syntax.FieldLeft)
	if !call.Parent().Is(syntax.Assignment) || !into.Is(syntax.PatternList, syntax.TuplePattern, syntax.ListPattern) {
		return 0
	}
	for c := range into.Children() {
		switch {
		case c.Is(syntax.ListSplatPattern):
			return 0
		case !c.Is(syntax.Comment):
			n++
		}
	}
	return n
}

// observation is what the environment shows.
func (e *environment) observation() value.Value { return e.lib.Array(e.shows, e.dtype) }
