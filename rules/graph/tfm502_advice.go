package graph

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// made says what Python makes anew, and where it does so.
var made = map[facts.TraceKey][2]string{
	facts.ByLambda:  {"function", "Python makes one where it is defined"},
	facts.ByMethod:  {"bound method", "Python makes one where the method is read"},
	facts.ByPartial: {"functools.partial", "The call makes one"},
	facts.ByObject:  {"object", "The call makes one"},
}

// claim says that the function is retraced, and on which evidence.
func (r *retracing) claim(when string) string {
	values := "its values"
	if r.Values > 0 {
		values = fmt.Sprintf("%d values", r.Values)
	}
	changes := func(what, of string) string {
		return fmt.Sprintf(" is retraced for each %s. The %s changes %s, and each of %s adds a graph.", of, what, when, values)
	}
	switch r.By {
	case facts.ByNumber:
		return changes("value", fmt.Sprintf("value of %s, a Python number", r.argument.Text()))
	case facts.ByText:
		return changes("value", fmt.Sprintf("value of %s, a string", r.argument.Text()))
	case facts.ByContainer:
		return changes("value", fmt.Sprintf("value of %s in this %s", r.Part.Text(), containers[r.display()]))
	case facts.ByListLength:
		return changes("length", fmt.Sprintf("length of %s, a Python list", r.argument.Text()))
	case facts.ByShape:
		return changes("shape", fmt.Sprintf("new shape of %s", r.argument.Text()))
	case facts.ByFileShape:
		return fmt.Sprintf(" is retraced for each new size of %s. The file is another one %s, and each size adds a graph.", r.argument.Text(), when)
	}
	return fmt.Sprintf(" is retraced for each new %s that is passed here. %s, %s, and each adds a graph.", made[r.By][0], made[r.By][1], when)
}

var containers = map[syntax.Kind]string{syntax.Dictionary: "dict", syntax.List: "list", syntax.Tuple: "tuple"}

// display returns the kind of container that the argument is.
func (r *retracing) display() syntax.Kind {
	of, _ := r.p.File.Facts().Only(r.argument, r.in)
	return of.Node.Kind()
}

// advice says what to pass instead, and offers it as a fix where that is one edit.
func (r *retracing) advice(f *rule.Finding) string {
	switch r.By {
	case facts.ByNumber:
		return r.passTensor(f)
	case facts.ByText:
		return fmt.Sprintf(" Pass a string tensor, which is traced once, or leave it out of what %s is given.", called(r.fn))
	case facts.ByContainer:
		if r.Item == facts.ByNumber || r.Item == facts.ByText {
			return " Make it a tensor, which is traced once."
		}
	case facts.ByListLength:
		return " Each other number in it does, too. Pass one array of them, padded to one of a few lengths, or with reduce_retracing=True."
	case facts.ByShape, facts.ByFileShape:
		return r.relaxShape(f)
	}
	return fmt.Sprintf(" Make it once, before the %s, and pass the same one.", r.repeated())
}

// repeated returns what runs again and again: "loop", or "first trial".
func (r *retracing) repeated() string {
	if r.repeat.Function != nil {
		return "first " + r.repeat.Each
	}
	return "loop"
}

// passTensor is the advice for a Python number.
func (r *retracing) passTensor(f *rule.Finding) string {
	if object := r.newInIteration(); object.Valid() {
		return fmt.Sprintf(" %s is a new object in every iteration and causes retracing too. Pass a tensor, and the same object.", object.Text())
	}
	if !r.takesTensor() {
		return fmt.Sprintf(" Pass a tensor, which is traced once; what needs a Python number or another dtype in %s changes with it.", called(r.fn))
	}
	if tf := r.p.TensorFlow(r.p.File.Names().ScopeOf(r.argument), r.argument); tf != "" && rule.Fixable(r.argument) {
		end := ")"
		if countsSummaries(r.fn, r.call, r.argument) {
			end = ", " + tf + ".int64)"
		}
		f.Fixes = rule.OneFix("Pass a tensor", rule.Unsafe, source.Insert(f.Span.Start, tf+".constant("), source.Insert(f.Span.End, end))
	}
	return " Pass a tensor, which is traced once."
}

// relaxShape is the advice for a shape. XLA compiles for each, whatever the trace leaves open
// (tensorflow/compiler/jit/device_compiler.h caches by the shapes of the arguments).
func (r *retracing) relaxShape(f *rule.Finding) string {
	if r.by.Kind() == syntax.Call && names.Argument(r.by, -1, "jit_compile").Kind() == syntax.True {
		return " Pad it to one of a few lengths: XLA compiles for each shape, with reduce_retracing=True, too."
	}
	if r.p.Here(r.by) && rule.Fixable(r.by) && !readsBatchSize(r.fn) { // it becomes None
		f.Fixes = rule.OneFix("Set reduce_retracing=True on "+called(r.fn), rule.Unsafe, addKeyword(r.by, "reduce_retracing=True"))
	}
	if r.By == facts.ByFileShape {
		return " Bring them to one size, or set reduce_retracing=True, with which it is traced twice."
	}
	return " With reduce_retracing=True it is traced twice."
}
