package keras

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A tensor may decide what a step computes, by tf.cond, tf.case and tf.switch_case or by an if
// that autograph compiles. Then one branch runs (tensorflow/core/common_runtime/lower_if_op.cc).
// The step is priced with the branch that computes more. An update in a branch counts as applied:
// see stepUpdates.

// branchTable are the functions that choose between others.
var branchTable = table{
	"tensorflow.cond": (*hostCall).cond, "tensorflow.compat.v1.cond": (*hostCall).cond, "tensorflow.keras.ops.cond": (*hostCall).cond,
	"tensorflow.switch_case": (*hostCall).switchCase, "tensorflow.case": (*hostCall).switchCase, "tensorflow.keras.ops.switch": (*hostCall).switchCase,
}

func (c *hostCall) cond() value.Value {
	test, _ := c.args.Get(0, "pred")
	yes, first := objects.Passed(c.args, 1, "true_fn", "fn1")
	no, second := objects.Passed(c.args, 2, "false_fn", "fn2")
	if !first || !second {
		return value.Value{}
	}
	truth, known := c.in.Truth(test)
	switch {
	case known && truth:
		return c.branch(yes)()
	case known:
		return c.branch(no)()
	}
	return c.in.Branches(test, value.Because(value.UndecidedBranch, "depends on the test of a tf.cond"), c.branch(yes), c.branch(no))
}

// branch returns a function that runs one of the branches. Only keras.ops.switch passes operands
// (keras/src/ops/core.py, switch).
func (c *hostCall) branch(f value.Value) func() value.Value {
	var operands []value.Value
	if c.name == "tensorflow.keras.ops.switch" && len(c.args.Positional) > 2 {
		operands = c.args.Positional[2:]
	}
	return func() value.Value {
		return c.in.Call(f, &value.Args{Positional: slices.Clone(operands), Node: c.args.Node})
	}
}

// switchCase is tf.switch_case, tf.case and keras.ops.switch.
func (c *hostCall) switchCase() value.Value {
	test, _ := c.args.Get(0, "branch_index")
	given, ok := objects.Passed(c.args, 1, "branch_fns", "branches")
	if c.name == "tensorflow.case" {
		given, ok = c.args.Get(0, "pred_fn_pairs")
	}
	functions := leavesOf(given, nil)
	if !ok || openIn(given) != nil || len(functions) == 0 {
		return value.Value{}
	}
	var runs []func() value.Value
	for _, f := range functions {
		switch f.X.(type) {
		case *value.Func, *value.Bound, value.External, *compiledFunction:
			runs = append(runs, c.branch(f))
		case *symbolicValue:
			test = f
		}
	}
	if i, known := test.Int(); known && i >= 0 && i < int64(len(runs)) && len(runs) == len(functions) {
		return runs[i]()
	}
	if f, ok := c.args.Get(-1, "default"); ok && f.X != (value.None{}) {
		runs = append(runs, c.branch(f))
	}
	if len(runs) == 0 {
		return value.Value{}
	}
	return c.in.Branches(test, value.Because(value.UndecidedBranch, "depends on which branch of a %s is taken", c.below("tensorflow")), runs...)
}

// Select returns the one of two alternatives that took more computation. A tensor wins over a
// number.
func (v *symbolicValue) Select(a, b value.Value) (value.Value, bool) { return v.h.choose(a, b) }

func (h *host) choose(a, b value.Value) (value.Value, bool) {
	x, first := a.X.(*symbolicValue)
	y, second := b.X.(*symbolicValue)
	switch {
	case first && second:
		if len(x.s.Shape) != len(y.s.Shape) || x.s.DType != y.s.DType {
			return value.Value{}, false
		}
		if computed([]*Symbolic{x.s}) >= computed([]*Symbolic{y.s}) {
			return a, true
		}
		return b, true
	case first && number(b):
		return a, true
	case second && number(a):
		return b, true
	}
	some, ok := a.X.(value.Tuple)
	others, ok2 := b.X.(value.Tuple)
	if !ok || !ok2 || len(some) != len(others) || len(some) == 0 {
		return value.Value{}, false
	}
	out := slices.Clone(some)
	for i := range some {
		var ok bool
		if out[i], ok = h.choose(some[i], others[i]); !ok {
			return value.Value{}, false
		}
	}
	return value.Value{X: out}, true
}

// computed returns how many elements were computed on the way to some tensors, for one example.
func computed(of []*Symbolic) (sum int64) {
	for _, n := range trace(nil, of) {
		for _, s := range n.out {
			elements := int64(1)
			for _, d := range s.Shape {
				elements *= max(d, 1)
			}
			sum += cmp.Or(elements, 1)
		}
	}
	return sum
}
