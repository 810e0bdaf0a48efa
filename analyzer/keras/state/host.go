package state

import (
	"maps"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/library"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A settler is a model of the program's own. It settles when the program has ended.
type settler interface{ Settle() }

// A Noted identifies a dataset at a place.
type Noted struct {
	Node syntax.Node
	Is   string
}

// A Host answers for Keras, TensorFlow and NumPy.
type Host struct {
	Program  *graph.Program
	Bases    map[string]string                         // the bases of layer names, by class
	Names    map[string]int                            // how many layers were named after a class
	Used     map[graph.Used][]*graph.TrainableSnapshot // in which the program already has them
	Noted    map[Noted]bool                            // the recorded datasets
	Own      []settler                                 // the program's own models
	Saved    map[string]value.Value                    // by the file that they were saved in
	Interp   *value.Interp                             // that runs the program
	Remats   []*graph.RematMode                        // of the scopes that are entered
	Env      Environment
	Majors   map[*names.Info]int // the major version of Keras that a module uses
	Tick     int                 // counts events, so that they can be ordered
	Tracing  int                 // the nested calls of custom layers in progress
	Counted  bool                // calls on arrays get as many rows as those have
	Recorder *Recorder           // of the step in progress, or nil
	Steps    []*Recorder         // of finished steps
	Units    map[syntax.Node]bool
	Compiled int // the functions compiled by tf.function in progress
	Settings
	Arrays *numpy.Library
	// Call calls a name of a library.
	Call func(in *value.Interp, name string, args *value.Args) (value.Value, bool)
	// Objects makes objects of layers.
	Objects interface {
		LayerOf(*graph.Node) value.Value
		InputLayer(*graph.Symbolic) value.Value
	}
	// Bound is the bound assumed for what is only known at run time, and assumptions says for
	// what: in sentences.
	Bound       Bound
	Assumptions []string
	// Losses are those added by the custom layer call in progress.
	Losses []*graph.Symbolic
	// Strategies are the entered strategies. replicated counts those that are running a function.
	Strategies    []*Distribution
	Replicated    int
	AllStrategies []*Distribution // all strategies of the program
	Strategic     bool            // the module creates a strategy somewhere
	Scoped        bool            // a strategy's scope was entered
	// mode is the mode of the current call. predicting is set if a custom layer's code runs for
	// prediction only because training was assumed.
	mode                graph.Mode
	LoopDepth           int // the nested TensorFlow loops in progress
	Predicting, assumed bool
	Uncalled            bool // an uncalled function is in progress
	Made                int  // layers created or called since the program had that many models, and since the last step began
	Models              int
	// Sources are the libraries that are known as programs, by name, as far as they are used.
	Sources map[string]*names.Info
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

// UIDPrefix separates the numbers of get_uid from those of names.
const UIDPrefix = "uid of "

// UniqueName returns the name that Keras gives the next layer of a class.
func (h *Host) UniqueName(in *value.Interp, class string) string {
	in.Touch(Counts{h})
	base, ok := h.Bases[class]
	if !ok {
		base = graph.Snake(class)
		h.Bases[class] = base
	}
	n := h.Names[base]
	h.Names[base] = n + 1
	if n == 0 {
		return base
	}
	return base + "_" + strconv.Itoa(n)
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
	_, d := Types(p.name)
	return d
}

func (h *Host) NewArray(shape tensor.Shape, d tensor.DType) value.Value {
	return h.Arrays.Array(shape, d)
}

func (h *Host) UnknownArray(of value.Value) value.Value { return numpy.Unknown(of) }

func (h *Host) DTypeArgument(args *value.Args, fallback tensor.DType) tensor.DType {
	return numpy.DTypeArgument(args, fallback)
}

// Environment is the environment of an evaluated program. Every field may be left out.
type Environment struct {
	// Policy is a dtype policy that is set before the module runs.
	Policy string
	// Library returns the library that the names of a module of the program belong to.
	Library func(*names.Info) names.Library
	// Older returns the one that they belong to if Keras refuses the program from Keras 3 on; nil if
	// the version of Keras is known.
	Older func(*names.Info) names.Library
	// GPUs returns how many GPUs TensorFlow finds. It is called only if the program asks. An
	// estimate assumes at least one.
	GPUs func() int
	// Text and Head are as in [value.Host].
	Text, Head func(program, path string) (text string, ok bool)
	// Assume is what the settings say of values that only a run would tell.
	Assume *hints.Table
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

// Remat returns the mode of the scope in which a layer is created, or nil.
func (h *Host) Remat() *graph.RematMode {
	if len(h.Remats) == 0 {
		return nil
	}
	return h.Remats[len(h.Remats)-1]
}

// Counts records how many layers were named after a class.
type Counts struct{ Of *Host }

func (s Counts) Content() any {
	return maps.Clone(s.Of.Names)
}

func (s Counts) Restore(x any) { s.Of.Names = x.(map[string]int) }

func (Counts) Either(_, b any, _ *value.Cause) any { return b }

func (Counts) Born() int { return 0 }

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

// A Distribution is how a strategy divides a batch.
type Distribution struct {
	Strategy value.Base // its name in reasons
	// Replicas is the number of replicas; 0 if why says why that is not known.
	Replicas int64
	Why      *value.Cause
	Standard bool // the default one, if the program creates none
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
