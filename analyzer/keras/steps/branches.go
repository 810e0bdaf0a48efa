package steps

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A tensor may decide what a step computes, by tf.cond, tf.case and tf.switch_case or by an if
// that autograph compiles. Then one branch runs (tensorflow/core/common_runtime/lower_if_op.cc).
// The step is priced with the branch that computes more. An update in a branch counts as applied:
// see stepUpdates.

// BranchTable are the functions that choose between others.
var BranchTable = state.Table{
	"tensorflow.cond": cond, "tensorflow.compat.v1.cond": cond, "tensorflow.keras.ops.cond": cond,
	"tensorflow.switch_case": switchCase, "tensorflow.case": switchCase, "tensorflow.keras.ops.switch": switchCase,
}

func cond(c *state.Call) value.Value {
	test, _ := c.Args.Get(0, "pred")
	yes, first := objects.Passed(c.Args, 1, "true_fn", "fn1")
	no, second := objects.Passed(c.Args, 2, "false_fn", "fn2")
	if !first || !second {
		return value.Value{}
	}
	truth, known := interp.Truth(c.In, test)
	switch {
	case known && truth:
		return branch(c, yes)()
	case known:
		return branch(c, no)()
	}
	return c.In.Branches(test, value.Because(value.UndecidedBranch, "the test of a tf.cond is not known"), branch(c, yes), branch(c, no))
}

// branch returns a function that runs one of the branches. Only keras.ops.switch passes operands
// (keras/src/ops/core.py, switch).
func branch(c *state.Call, f value.Value) func() value.Value {
	var operands []value.Value
	if c.Name == "tensorflow.keras.ops.switch" && len(c.Args.Positional) > 2 {
		operands = c.Args.Positional[2:]
	}
	return func() value.Value {
		return interp.Call(c.In, f, &value.Args{Positional: slices.Clone(operands), Node: c.Args.Node})
	}
}

// switchCase is tf.switch_case, tf.case and keras.ops.switch.
func switchCase(c *state.Call) value.Value {
	test, _ := c.Args.Get(0, "branch_index")
	given, ok := objects.Passed(c.Args, 1, "branch_fns", "branches")
	if c.Name == "tensorflow.case" {
		given, ok = c.Args.Get(0, "pred_fn_pairs")
	}
	functions := LeavesOf(given, nil)
	if !ok || openIn(given) != nil || len(functions) == 0 {
		return value.Value{}
	}
	var runs []func() value.Value
	for _, f := range functions {
		switch f.X.(type) {
		case *value.Func, *value.Bound, value.External, *compiledFunction:
			runs = append(runs, branch(c, f))
		case *ops.SymbolicValue:
			test = f
		}
	}
	if i, known := test.Int(); known && i >= 0 && i < int64(len(runs)) && len(runs) == len(functions) {
		return runs[i]()
	}
	if f, ok := c.Args.Get(-1, "default"); ok && f.X != (value.None{}) {
		runs = append(runs, branch(c, f))
	}
	if len(runs) == 0 {
		return value.Value{}
	}
	return c.In.Branches(test, value.Because(value.UndecidedBranch, "the branch of a %s that runs is not known", c.Below("tensorflow")), runs...)
}
