// Package effects says what TensorFlow's names do: which initialise the devices, configure them,
// create datasets or models, run a function that they get, and what they return. It is data, in
// table.txt, with a lookup.
//
// It implements [names.Library]. It holds no logic of any rule and knows no syntax.
package effects

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// An Effect is a set of effects of calling a name.
type Effect uint64

const (
	// Initialises creates the eager context: later setters raise RuntimeError.
	Initialises Effect = 1 << iota
	// MayInitialise does so in some versions of TensorFlow and Keras, or for some arguments, and
	// not for others.
	MayInitialise
	// MakesAllocator creates the GPU's allocator without the eager context: later setters stay
	// silent and have no effect.
	MakesAllocator
	// ReadsDevices asks CUDA for its devices: CUDA_VISIBLE_DEVICES is read.
	ReadsDevices
	SetsGrowth
	SetsVisible
	SetsLogical
	SelectsDevice
	GraphMode    // from here on operations build a graph
	EntersGraph  // inside the with, operations build a graph
	OpensSession // of TF1
	UsesTPU
	EntersStrategy
	StartsTape
	TakesGradient
	AppliesGradients
	Compiles  // tf.function
	SetsEager // whether what tf.function compiles runs eagerly from here on
	BuildsModel
	BuildsLayer
	CallsLayer // or builds its weights
	CallsModel
	LoadsModel
	LoadsWeights // into an existing model
	BuildsOptimizer
	CompilesModel
	Trains
	Infers
	MakesDataset
	StartsWorkers
	GivesWork       // passes a function to processes that were started before
	SetsStartMethod // of the processes that are started from here on
	// SetsEnvironment changes a variable of the process's environment; the
	// event says which, and to what.
	SetsEnvironment
	// RunsPrograms starts another program, which inherits the environment.
	RunsPrograms
	CallsCompiled // the result of tf.function
	FreesModels   // models without references: Keras's models are reference cycles, which only a collection frees
	AddsOperation // if a TF1 graph is built, to that graph
	Appends       // to a list
	ClosesContext // of CUDA in this process, also TensorFlow's
	ResetsGraph   // makes another default graph of TF1
	SetsPolicy    // the dtype policy of layers that name none
)

var words = map[string]Effect{
	"initialises": Initialises, "may-initialise": MayInitialise, "makes-allocator": MakesAllocator, "reads-devices": ReadsDevices,
	"sets-growth": SetsGrowth, "sets-visible": SetsVisible, "sets-logical": SetsLogical,
	"selects-device": SelectsDevice, "graph-mode": GraphMode, "enters-graph": EntersGraph,
	"opens-session": OpensSession, "uses-tpu": UsesTPU, "enters-strategy": EntersStrategy,
	"starts-tape": StartsTape, "takes-gradient": TakesGradient, "applies-gradients": AppliesGradients,
	"compiles": Compiles, "sets-eager": SetsEager, "builds-model": BuildsModel, "builds-layer": BuildsLayer, "calls-layer": CallsLayer, "calls-model": CallsModel, "loads-model": LoadsModel, "loads-weights": LoadsWeights, "builds-optimizer": BuildsOptimizer,
	"compiles-model": CompilesModel, "trains": Trains, "infers": Infers, "makes-dataset": MakesDataset,
	"starts-workers": StartsWorkers, "gives-work": GivesWork, "sets-start-method": SetsStartMethod, "sets-environment": SetsEnvironment,
	"runs-programs":  RunsPrograms,
	"calls-compiled": CallsCompiled, "frees-models": FreesModels, "adds-operation": AddsOperation, "appends": Appends, "closes-context": ClosesContext, "resets-graph": ResetsGraph,
	"sets-policy": SetsPolicy,
}

// Has reports whether e holds any of the effects.
func (e Effect) Has(any Effect) bool { return e&any != 0 }

// An Entry is what is known of one name.
type Entry struct {
	Name    string
	Effects Effect
	// Returns is the class of the result of calling the name; "" if the name stands for itself (a
	// class) or it is not known.
	Returns string
	// Runs is the parameter through which the name takes a function that it calls, and its
	// position. Traced is set if that function runs as a graph rather than eagerly, Spawned if it
	// runs in another process.
	Runs     string
	Position int
	Traced   bool
	Spawned  bool
	Repeat
	Pool
	// Nonzero is the parameter, at Position, that must be a nonzero number for the name to
	// initialise; "" for most.
	Nonzero string
	// Built is the parameter, at Position, with layers that must be built for the name to
	// initialise: their input shape is known, and one of them creates weights; "" for most.
	Built string

	// Keras is the major version of Keras in which the name does this, if it differs in the
	// other; 0 for most.
	Keras int

	span   span
	keras2 *Entry // if it differs in Keras 2, and below in Keras 3
	keras3 *Entry
	before *Entry // if it differs before Keras 2.11, and below since
	since  *Entry
}

// A Repeat says how often a name has a function of the program called.
type Repeat struct {
	// Each is what the function is called for again and again, such as "trial": the one that Runs
	// passes, that the name decorates, or that overrides the name. It is "" if it is called once.
	Each string
	// Times is the parameter, at TimesAt, that says how many there are, and Default how many without
	// it; "" and 0 if that is not known.
	Times            string
	TimesAt, Default int
	// Folds is the parameter that says how often each of them is repeated, and FoldsDefault how often
	// without it, or "" and 0.
	Folds        string
	FoldsDefault int
	// KeepsResults is set if all that the function returned is kept until the last call.
	KeepsResults bool
	// PassesPlain is set if the function is passed numbers, strings and containers of these.
	PassesPlain bool
	// Collects is the parameter that has garbage collected after each, or "".
	Collects string
}

// A Pool says which processes a name starts.
type Pool struct {
	// Workers is the parameter, at WorkersAt, or -1 for a keyword only, that says how many, and
	// WorkersDefault how many without it: 0 for one for each CPU. It is "" where that is not said.
	Workers                   string
	WorkersAt, WorkersDefault int
	// By is how they are started where Python does not choose: "spawn", "loky", or "other" for a program
	// of its own.
	By string
	// Part is the parameter, a dict, whose item PartKey says which part of a GPU each asks Ray for, or "".
	Part, PartKey string
}

//go:embed table.txt
var table string

type index struct {
	entries map[string]*Entry
	below   map[string]*Entry // of "NAME.*", by NAME
	within  []*Entry          // of names with a "*" in them
	classes map[string]*Entry // of "NAME.<Class>", by NAME
	bases   map[string]string
}

var loaded = sync.OnceValue(func() index {
	in, err := load(table)
	if err != nil {
		panic(err) // the table is part of the program, and a test reads it
	}
	return in
})

func load(text string) (index, error) {
	in := index{entries: make(map[string]*Entry, 512), below: map[string]*Entry{}, classes: map[string]*Entry{}, bases: map[string]string{}}
	number := 0
	for line := range strings.Lines(text) {
		number++
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if fields[0] == "class" {
			if len(fields) != 4 || fields[2] != "<" {
				return in, fmt.Errorf("table.txt:%d: want \"class NAME < BASE\"", number)
			}
			in.bases[fields[1]] = fields[3]
			continue
		}
		e := &Entry{Name: fields[0]}
		if in.entries[e.Name] != nil {
			return in, fmt.Errorf("table.txt:%d: %s stands twice", number, e.Name)
		}
		for i := 1; i < len(fields); i++ {
			word := fields[i]
			if other, of := e.variant(word); other != nil {
				if err := other.add(of); err != nil {
					return in, fmt.Errorf("table.txt:%d: %w", number, err)
				}
				continue
			}
			switch {
			case word == "-":
			case word == "->" && i+2 == len(fields):
				e.Returns = fields[i+1]
				i++
			default:
				if err := e.add(word); err != nil {
					return in, fmt.Errorf("table.txt:%d: %w", number, err)
				}
			}
		}
		e.settle()
		in.entries[e.Name] = e
		if prefix, ok := strings.CutSuffix(e.Name, ".*"); ok {
			in.below[prefix] = e
		} else if prefix, ok := strings.CutSuffix(e.Name, ".<Class>"); ok {
			in.classes[prefix] = e
		} else if strings.Contains(e.Name, "*") && !strings.HasPrefix(e.Name, "*") {
			in.within = append(in.within, e)
		}
	}
	return in, nil
}

// variant returns the entry of one Keras for a word of the table such as "keras2:initialises",
// and the rest of the word; nil for any other word.
func (e *Entry) variant(word string) (*Entry, string) {
	of, word, _ := strings.Cut(word, ":")
	var v **Entry
	switch of {
	case "keras2":
		v = &e.keras2
	case "keras3":
		v = &e.keras3
	case "keras2.11":
		v = &e.since
	default:
		return nil, ""
	}
	if *v == nil {
		*v = &Entry{}
	}
	return *v, word
}

// add parses a word of the table that says what a name does, or where it exists.
func (e *Entry) add(word string) error {
	kind, version, _ := strings.Cut(word, ":")
	switch {
	case word == "-":
	case word == "only:keras2":
		e.span.keras = 2
	case word == "only:keras3":
		e.span.keras = 3
	case kind == "since", kind == "until":
		r, err := ParseRange(version)
		if err != nil || !r.Exact() {
			return fmt.Errorf("%q names no release of TensorFlow", word)
		}
		if kind == "since" {
			e.span.tensorflow.Low = r.Low
		} else {
			e.span.tensorflow.High = r.High
		}
	case words[word] != 0:
		e.Effects |= words[word]
	case kind == "called":
		e.Each = version
	case kind == "by":
		e.By = version
	case word == "keeps-results":
		e.KeepsResults = true
	case word == "passes-plain":
		e.PassesPlain = true
	case kind == "collects":
		e.Collects = version
	case kind == "part":
		e.Part, e.PartKey, _ = strings.Cut(version, ":")
	case kind == "workers":
		return parse(word, &e.Workers, ":POSITION:DEFAULT", &e.WorkersAt, &e.WorkersDefault)
	case kind == "folds":
		return parse(word, &e.Folds, ":DEFAULT", &e.FoldsDefault)
	case kind == "times" && strings.Count(version, ":") == 1:
		return parse(word, &e.Times, ":POSITION", &e.TimesAt)
	case kind == "times":
		return parse(word, &e.Times, ":POSITION:DEFAULT", &e.TimesAt, &e.Default)
	case kind == "nonzero":
		return parse(word, &e.Nonzero, ":POSITION", &e.Position)
	case kind == "built":
		return parse(word, &e.Built, ":POSITION", &e.Position)
	case kind == "repeats":
		i := strings.LastIndexByte(word, ':')
		if e.Each = word[i+1:]; strings.Count(word, ":") != 3 || e.Each == "" {
			return fmt.Errorf("want repeats:PARAMETER:POSITION:EACH, have %q", word)
		}
		return parse(word[:i], &e.Runs, ":POSITION", &e.Position)
	case kind == "runs", kind == "traces", kind == "spawns":
		e.Traced, e.Spawned = kind == "traces", kind == "spawns"
		return parse(word, &e.Runs, ":POSITION", &e.Position)
	default:
		return fmt.Errorf("unknown word %q", word)
	}
	return nil
}

// parse reads the parameter that a word of the table names, and the numbers that stand after it, in the
// order of their form.
func parse(word string, parameter *string, form string, numbers ...*int) error {
	fields := strings.Split(word, ":")
	wrong := fmt.Errorf("want %s:PARAMETER%s, have %q", fields[0], form, word)
	if len(fields) != 2+len(numbers) || fields[1] == "" {
		return wrong
	}
	*parameter = fields[1]
	for i, field := range fields[2:] {
		n, err := strconv.Atoi(field)
		if err != nil {
			return wrong
		}
		*numbers[i] = n
	}
	return nil
}

// settle completes the entries of the two Keras: the library of an unknown Keras has all effects
// of either. If only one of them initialises, an unknown one may. If both do, and one on a
// condition, it does on that condition.
func (e *Entry) settle() {
	if e.since != nil {
		before, since := *e, *e
		since.Effects |= e.since.Effects
		before.since, since.since = nil, nil
		e.before, e.since = &before, &since
		if since.Effects.Has(Initialises) {
			e.Effects |= MayInitialise
		}
	}
	if e.keras2 == nil && e.keras3 == nil {
		return
	}
	common := *e
	for i, v := range []**Entry{&e.keras2, &e.keras3} {
		own := *e
		own.Keras = 2 + i
		if *v != nil {
			own.Effects |= (*v).Effects
			if (*v).Built != "" {
				own.Built, own.Position = (*v).Built, (*v).Position
				common.Built, common.Position = own.Built, own.Position
			}
		}
		own.keras2, own.keras3 = nil, nil
		*v = &own
	}
	switch either := e.keras2.Effects | e.keras3.Effects; {
	case (e.keras2.Effects & e.keras3.Effects).Has(Initialises):
		common.Effects |= Initialises
		for _, v := range []*Entry{e.keras2, e.keras3} {
			if v.Built == common.Built {
				v.Keras = 0 // on its condition, so does the other
			}
		}
	case either.Has(Initialises | MayInitialise):
		common.Effects |= MayInitialise
	}
	common.keras2, common.keras3 = e.keras2, e.keras3
	*e = common
}

// Lookup returns what is known of a canonical name in the library's versions. It returns nil if
// nothing is known, or if the name does not exist in them.
func (l Library) Lookup(name string) *Entry {
	e := Lookup(name)
	switch {
	case e == nil || l.gone(e.span):
		return nil
	case l.major == 2 && e.keras2 != nil:
		return e.keras2
	case l.major == 3 && e.keras3 != nil:
		return e.keras3
	case e.since != nil && l.OptimizerV2():
		return e.before
	case e.since != nil && (l.major == 3 || !l.keras.Low.Before(newOptimizers)):
		return e.since
	}
	return e
}

// Of returns what a call of a canonical name does: nothing, if that is not known.
func Of(name string) Effect {
	if e := Lookup(name); e != nil {
		return e.Effects
	}
	return 0
}

// Does returns a function that reports whether a call of a canonical name does any of these.
func Does(any Effect) func(name string) bool {
	return func(name string) bool { return Of(name).Has(any) }
}

// Lookup returns what is known of a canonical name in all versions, or nil.
func Lookup(name string) *Entry {
	in := loaded()
	if e := in.entries[name]; e != nil {
		return e
	}
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return nil
	}
	if e := in.classes[name[:dot]]; e != nil && isClass(name[dot+1:]) {
		return e
	}
	if e := in.below[name[:dot]]; e != nil {
		return e
	}
	for _, e := range in.within {
		before, after, _ := strings.Cut(e.Name, "*")
		if strings.HasPrefix(name, before) && strings.HasSuffix(name, after) {
			return e
		}
	}
	return nil
}

// isClass reports whether a name is written like a class: neither like a function nor like a
// CONSTANT_NAME.
func isClass(name string) bool {
	return name != "" && name[0] >= 'A' && name[0] <= 'Z' && !(strings.Contains(name, "_") && name == strings.ToUpper(name))
}

// A Library answers for TensorFlow, Keras and their companions; package names queries it. The
// zero Library knows no versions; see [With].
type Library struct {
	tensorflow, keras Range
	major             int  // the Keras whose rows of the table apply; 0 for neither's
	chosen            bool // tf.keras is tf_keras, by the project's environment
	legacy            bool // Keras is tf_keras
}

// OnlyTensorFlow1 reports whether TensorFlow is surely a 1.x, which builds graphs unless told
// otherwise.
func (l Library) OnlyTensorFlow1() bool {
	return l.tensorflow.Before(Version{2, 0})
}

// Base returns the class that a class inherits from, or "". A class directly below
// tensorflow.keras.layers is a Layer; keras.applications creates a Model.
func (Library) Base(class string) string {
	if base := loaded().bases[class]; base != "" {
		return base
	}
	const layers = "tensorflow.keras.layers."
	if rest, ok := strings.CutPrefix(class, layers); ok && rest != "Layer" && !strings.Contains(rest, ".") {
		return layers + "Layer"
	}
	return ""
}

// Returns returns the class of the result of calling name. A name that is written like a class
// returns itself, unless its entry says otherwise.
func (Library) Returns(name string) string {
	if e := Lookup(name); e != nil && e.Returns != "" {
		return e.Returns
	}
	if isClass(name[strings.LastIndexByte(name, '.')+1:]) {
		return name
	}
	return ""
}

// Exports reports whether "from module import *" binds name, according to exports.txt or, for a
// module that is not listed there, the table.
func (Library) Exports(module, name string) bool {
	if !isTensorFlow(module) {
		return false
	}
	if listed := exported()[module]; listed != nil {
		_, ok := listed[name]
		return ok
	}
	return loaded().entries[module+"."+name] != nil
}

// Has reports whether a module has a name that does not begin with an underscore. known is false
// for modules that exports.txt does not list, and for names that only some versions have, unless
// Keras decides: if nothing declares its version, it is the newest.
func (l Library) Has(module, name string) (has, known bool) {
	listed := exported()[module]
	if listed == nil || strings.HasPrefix(name, "_") {
		return false, false
	}
	in, has := listed[name]
	switch {
	case has && (in == "2" || in == "3"):
		return l.Keras2() == (in == "2"), true
	case has:
		return true, in == inAll
	}
	return false, true
}

//go:embed exports.txt
var exports string

// inAll marks a name in exported that all recorded versions have.
const inAll = "all"

// exported holds the names that modules export, by module, with their versions: the major one of
// Keras, inAll, or "" if neither is known.
var exported = sync.OnceValue(func() map[string]map[string]string {
	out := map[string]map[string]string{}
	for line := range strings.Lines(exports) {
		module, names, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		out[module] = map[string]string{}
		for name := range strings.FieldsSeq(names) {
			name, in, some := strings.Cut(name, "?")
			if !some {
				in = inAll
			}
			out[module][name] = in
		}
	}
	return out
})

func isTensorFlow(name string) bool {
	return name == "tensorflow" || strings.HasPrefix(name, "tensorflow.")
}
