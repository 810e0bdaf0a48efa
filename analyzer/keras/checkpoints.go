package keras

import (
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// checkpointTable is tf.train.Checkpoint (tensorflow/python/checkpoint/checkpoint.py).
var checkpointTable = state.Table{
	"tensorflow.train.Checkpoint": func(c *state.Call) value.Value {
		if c.Args.Open != nil || len(c.Args.Positional) > 1 {
			return value.Value{}
		}
		return value.Value{X: &checkpoint{state.Opaque{Base: "a checkpoint"}, c.Args}}
	},
}

// checkpoint has what it saves as attributes. What it restores has the shapes that it has already.
type checkpoint struct {
	state.Opaque
	args *value.Args
}

func (c *checkpoint) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	if v, ok := c.args.Keywords.Get(name); ok {
		return v, true
	}
	switch name {
	case "restore", "read":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			return value.Value{X: &restored{state.Opaque{Base: "the status of a checkpoint"}}}
		})
	}
	return c.Opaque.GetAttr(in, name)
}

// restored tells whether all is restored.
type restored struct{ state.Opaque }

func (r *restored) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "assert_consumed", "assert_existing_objects_matched", "assert_nontrivial_match", "expect_partial":
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return value.Value{X: r} })
	case "initialize_or_restore", "run_restore_ops":
		return objects.Method(objects.Nothing)
	}
	return r.Opaque.GetAttr(in, name)
}
