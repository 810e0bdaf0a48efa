package interp

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Run runs the module as the main script: __name__ is "__main__". It returns why a part
// of it was not run, or nil.
func Run(in *value.Interp) (why *value.Cause) {
	in.Bounds.Allow(value.MaxSteps)
	tree := in.Main.Info.Tree
	for s := range tree.Statements() {
		how := exec(in, s)
		if in.Bounds.Cancelled {
			return value.OutOfSteps
		}
		if in.Bounds.Exhausted {
			in.Commit(0)
			in.Frame, in.Main.Open = in.Main, nil
			unbindFrom(in, in.Main, s)
			return value.OutOfSteps
		}
		if how == value.Throws { // sys.exit() ends a script, too
			break
		}
	}
	in.CloseExits(in.Main, 0, value.GoesOn)
	return nil
}

// RunUncalled calls the functions of the module that were not called so far, in source
// order: with their defaults as overridable values and with unknown values for other
// parameters. Methods are called on an instance that is created in the same way. The
// changes of each call are undone after it.
func RunUncalled(in *value.Interp) {
	in.Bounds.Allow(value.MaxSteps)
	instances := map[*value.Class]value.Value{}
	for _, def := range in.Main.Info.Functions {
		if in.Functions.Called(def.Node) || in.Bounds.Exhausted || in.Bounds.Cancelled || def.Node.Kind() != syntax.FunctionDefinition || strings.HasPrefix(def.Name, "__") {
			continue
		}
		f := in.Functions.Latest(def.Node)
		if f == nil {
			continue // its definition did not run
		}
		in.DryRun(value.MaxUncalled, func() { CallUncalled(in, f, instances) })
	}
}

// CallUncalled calls a function as RunUncalled does, with the instances made so far.
func CallUncalled(in *value.Interp, f *value.Func, instances map[*value.Class]value.Value) {
	args := &value.Args{Node: f.Def.Node}
	skip := 0
	member := value.Value{}
	if f.Class != nil {
		member, _ = f.Class.Attrs.Get(f.Def.Name)
	}
	switch member.X.(type) {
	case *value.StaticMethod:
	case *value.ClassMethod:
		args.Positional, skip = []value.Value{{X: f.Class}}, 1
	default:
		if f.Class == nil {
			break
		}
		self, ok := instances[f.Class]
		if !ok {
			init, _ := f.Class.Lookup("__init__")
			made := &value.Args{Node: f.Def.Node}
			if init, ok := init.X.(*value.Func); ok {
				in.Assume(init, 1, made)
			}
			self = Call(in, value.Value{X: f.Class}, made)
			instances[f.Class] = self
		}
		args.Positional, skip = []value.Value{self}, 1
	}
	in.Assume(f, skip, args)
	Call(in, value.Value{X: f}, args)
}
