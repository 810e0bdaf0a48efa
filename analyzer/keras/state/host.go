package state

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/library"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Host answers for Keras, TensorFlow and NumPy. Each of its parts holds one kind of what is known of
// the evaluation so far.
type Host struct {
	Env        Environment
	Program    *Builder
	Interp     *value.Interp // that runs the program
	Libraries  Libraries
	Bounds     Bounds
	Names      Names
	Calls      Calls
	Steps      Steps
	Strategies Strategies
	Remats     Scopes[*graph.RematMode] // under which layers are created
	Uncalled   bool                     // an uncalled function is in progress
	Settings
	Arrays *numpy.Library
	// Objects makes objects of layers.
	Objects interface {
		LayerOf(*graph.Node) value.Value
		InputLayer(*graph.Symbolic) value.Value
	}
}

// NewHost returns a host before anything runs, with the initial settings of Keras
// (keras/src/backend/config.py). Its arrays and objects are set by who knows these.
func NewHost(env Environment, at Bound) *Host {
	return &Host{
		Env: env, Program: newBuilder(), Libraries: newLibraries(env.Library), Bounds: Bounds{At: at}, Names: newNames(),
		Settings: Settings{Types: startTypes(env), Format: "channels_last", Single: env.Policy == "float32"},
	}
}

func startTypes(env Environment) (of [effects.Packages]Types) {
	for p := range of {
		of[p] = Types{Policy: env.Policy, Floatx: "float32"}
	}
	return of
}

// InStep reports whether a step runs the code itself, and no call of a custom layer in it.
func (h *Host) InStep() bool { return h.Steps.running != nil && !h.Calls.Tracing() }

// OnTensors reports whether the code runs on tensors of TensorFlow, in a step or in the call of a custom
// layer, and not on Keras's symbolic ones.
func (h *Host) OnTensors() bool { return h.Steps.running != nil || h.Calls.Tracing() }

// Said returns the mode that the program passes to a call of a layer or a model of Keras.
func (h *Host) Said(args *value.Args) graph.Mode {
	given, ok := args.Keywords.Get("training")
	if !ok && len(args.Positional) > 1 {
		given = args.Positional[1]
		_, ok = given.X.(bool)
	}
	if _, none := given.X.(value.None); ok && !none {
		switch on := given.X; {
		case on == true && !h.Calls.assumed, on == int64(1):
			return graph.TrainingMode
		case on == false, on == int64(0):
			return graph.PredictionMode
		}
		return graph.UnsaidMode
	}
	if h.InStep() {
		return graph.PredictionMode
	}
	return graph.UnsaidMode
}

// Happens records when a call was made.
func (h *Host) Happens(out []*graph.Symbolic) {
	if len(out) > 0 && out[0].From != nil && out[0].From.At == 0 {
		n := out[0].From
		n.At, n.InLoop, n.Within = h.Steps.Next(), h.Steps.loops > 0, h.Calls.Tracing()
		if h.Calls.mode != graph.UnsaidMode {
			n.Mode = h.Calls.mode
		}
	}
}

// LoseTraining records why a training is not known, of the current step or of none.
func (h *Host) LoseTraining(why *value.Cause, at syntax.Node) value.Value {
	if h.Steps.running == nil && h.Program.Beside == nil {
		h.Program.Beside = value.Because(value.UnmodelledTraining, "a training of the program is not followed: %s", why).On(at)
	}
	return h.Steps.Lose(why)
}

// GPUs returns how many GPUs TensorFlow finds.
func (h *Host) GPUs() int64 {
	if h.Env.GPUs == nil {
		return 1
	}
	return int64(max(h.Env.GPUs(), 1))
}

func (h *Host) Unknown(code value.Code, format string, args ...any) value.Value {
	return objects.Unknown(code, format, args...)
}

// Constant returns the owner of a name whose calls all have one result.
func Constant(x any) Owner { return func(*Call) value.Value { return value.Value{X: x} } }

// A layered value is a layer or a model, and a layerClassed one an object of a class of the program
// that extends one.
type (
	layered      interface{ AsLayer() *graph.Layer }
	layerClassed interface{ OfInstance() *graph.Layer }
)

// LayerOf returns the layer that a value is, or nil. A model is a layer too.
func LayerOf(v value.Value) *graph.Layer {
	switch x := v.X.(type) {
	case layered:
		return x.AsLayer()
	case *value.Instance:
		if w, ok := x.Host.(layerClassed); ok {
			return w.OfInstance()
		}
	}
	return nil
}

// Stores is the type in which layers store their variables.
func (p *policyValue) Stores() tensor.DType {
	_, d := TypesOf(p.name)
	return d
}

// Environment is the environment of an evaluated program. Every field may be left out.
type Environment struct {
	// Policy is a dtype policy that is set before the module runs. float32 takes the place of the
	// float64 that the module sets.
	Policy string
	// Library returns the library that the names of a module of the program belong to.
	Library func(*names.Info) names.Library
	// Older returns the one that they belong to if Keras refuses the program from Keras 3 on; nil if
	// the version of Keras is known.
	Older func(*names.Info) names.Library
	// Package returns the package of a name of Keras, as imports spell it; nil for that of the newest
	// TensorFlow.
	Package func(written string) effects.Package
	// Switches is set if branches in graphs are chosen by the switches of TensorFlow 1.
	Switches bool
	// GPUs returns how many GPUs TensorFlow finds. It is called only if the program asks. An
	// estimate assumes at least one.
	GPUs func() int
	// Text, Head, Lines and Folder are as in [value.Host].
	Text, Head, Lines, Folder func(program, path string) (text string, ok bool)
	// Assume is what the settings say of values that only a run would tell.
	Assume *hints.Table
	// Observed returns what a run told of a module; nil if none told anything.
	Observed func(module *names.Info) *observed.Current
	// Commands returns the command lines with which the project runs the program. It is called only if
	// the program reads options.
	Commands func() []value.Command
	// While is as in [value.Interp]. Once it returns false, the result is incomplete.
	While func(steps int) bool
	// Evaluated is called for each evaluation of the program; nil if nobody counts them.
	Evaluated func()
}

// Opaque is an object of a library of which only the class is known.
type Opaque struct{ value.Base }

// Bool is the truth of an object that defines neither __bool__ nor __len__.
func (Opaque) Bool(*value.Interp) (truth, known bool) { return true, true }

// A Function is a function of TensorFlow, Keras or NumPy on tensors. It is known by the last part
// of its name. If the libraries differ, it does what they agree on.
type Function func(h *Host, in *value.Interp, name string, args *value.Args) value.Value

// Called records that a layer is called.
func (h *Host) Called(l *graph.Layer) {
	if l.Called && l.Doubt == nil || l.Function {
		return
	}
	if h.Interp != nil {
		h.Interp.Touch(graph.LayerReach{Of: l})
	}
	l.Called, l.Doubt = true, nil
}

// A Call is a call of a function or a class of a library.
type Call struct {
	H    *Host
	In   *value.Interp
	Name string // qualified
	Args *value.Args
}

// Below returns the name without that of a module that it is in.
func (c *Call) Below(module string) string { return strings.TrimPrefix(c.Name, module+".") }

// An Owner answers the calls of a name, or of a family of names. It returns the empty value for
// arguments that it does not answer for.
type Owner func(c *Call) value.Value

type Table = library.Table[Owner]

type Registries struct {
	Owners    *library.Registry[Owner]
	Functions map[string]Function // by the names of their rows
}

var Loaded func() Registries
