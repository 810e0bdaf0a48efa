// Package analyzer says what a file means: it takes the text of a Python file
// and returns the facts that rules, hovers and estimates ask for.
//
// A [File] is one version of a text and does not change. Its facts are memoised: names, order of
// execution, models. One goroutine at a time asks for them, within [File.Do], under a context; its
// end calls the work off, and what is incomplete then is not kept. A [Document] reads version after
// version, and hands the facts of each on to the next.
//
// It reads no files, but through a [project.Workspace] those that a file imports; it
// knows no rule and no editor, and never runs the code it reads.
package analyzer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// MaxSize is the length in bytes beyond which a file is not analysed.
const MaxSize = project.MaxSize

// A Config is what the meaning of a file depends on beside its text.
type Config struct {
	// Devices are the GPUs that models are compared with; asked only where a
	// model may be trained. Nil, or none, where no GPU is known.
	Devices func() []memory.Device
	// Workspace finds the modules that a file imports; nil where a file is to be
	// understood by itself.
	Workspace *project.Workspace
	// Versions are those that the settings name. What they do not name is looked for
	// in the workspace when it is first asked for, and is else the newest.
	Versions effects.Versions
	// Backend is the one that is declared for Keras outside of the program and its project; none
	// where nobody does.
	Backend Backend
	// Asked is set where somebody asks for the models of just this file: it is read
	// though it never mentions TensorFlow, for what it imports may.
	Asked bool
	// Unsearched is set where a file that never mentions TensorFlow is left alone without a
	// look at what it imports.
	Unsearched bool
}

// A File is the meaning of one version of a text, and never changes. Its facts are found
// when they are first asked for, and kept: whoever asks does so within [File.Do].
type File struct {
	Source *source.Source
	Tree   *syntax.Tree
	Config Config
	// Unread says why the file was not analysed, for people; empty where it was.
	Unread string

	relevant bool // mentions TensorFlow or Keras, imports what leads to them, or is asked for

	mu    sync.Mutex // held by Do
	facts facts
	run   run // what Do is doing
	steps atomic.Int64
}

// facts are what is known of a file so far. What is nil was not asked for.
type facts struct {
	epoch  uint64 // of the workspace, in which names were found
	names  *names.Info
	does   *flow.Edited // what the functions of names do
	flow   *flow.Program
	keras  *keras.Program
	keras2 *syntax.Node // of flow.Keras2
	others map[any]any  // of Fact
}

// A run is one use of a file's facts.
type run struct {
	ctx    context.Context // nil outside of Do
	most   int64           // steps of the file
	err    error
	models bool   // have been asked for
	unlock func() // the workspace; nil where it is not locked
}

// The reasons, beside the end of its context, for which a use of a file's facts is given up.
var (
	ErrTooLong = errors.New("it takes more steps than it may")
	ErrStale   = errors.New("a module that the file imports has changed")
)

// Detached is the same file with facts of its own, for work that takes long: the next
// version of a text goes on from the facts of the one before it, unless somebody is using
// them at that moment.
func (f *File) Detached() *File {
	return &File{Source: f.Source, Tree: f.Tree, Config: f.Config, Unread: f.Unread, relevant: f.relevant}
}

// Do calls use, which alone may ask the file for facts meanwhile. Names, flow and models
// that it was given are of no use any more once it has returned: the next version of the
// text may go on from them.
//
// Once ctx is done, Do returns the cause of that: what use was given is then incomplete.
// Where ctx can be done at all, others may have the workspace between two steps, and where
// they change a module that the file imports, the error is [ErrStale].
func (f *File) Do(ctx context.Context, use func()) error { return f.DoWithin(ctx, Unlimited, use) }

// Unlimited are as many steps as there may be.
const Unlimited = math.MaxInt32

// DoWithin is Do with [ErrTooLong] where use takes more than so many steps, each about the
// work of evaluating an expression.
func (f *File) DoWithin(ctx context.Context, steps int, use func()) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	f.run = run{ctx: ctx, most: f.Steps() + int64(steps)}
	defer func() { f.run = run{} }()
	if w := f.Config.Workspace; w != nil && (f.Names().Connected() || w.Epoch(f.Source.Path) != f.facts.epoch) {
		f.run.unlock = w.Lock()
		defer func() { f.run.unlock() }()
		if w.Epoch(f.Source.Path) != f.facts.epoch {
			f.facts = facts{}
			f.Names()
		}
	}
	use()
	return f.Step(0)
}

// Step counts steps that a use of the file's facts takes, or is about to. The error says
// why the use is given up.
func (f *File) Step(steps int) error {
	r := &f.run
	if r.err != nil || r.ctx == nil {
		return r.err
	}
	if f.steps.Add(int64(steps)) > r.most {
		r.err = ErrTooLong
	} else if r.ctx.Err() != nil {
		r.err = context.Cause(r.ctx)
	} else if w := f.Config.Workspace; r.unlock != nil && r.ctx.Done() != nil {
		r.unlock()
		if r.unlock = w.Lock(); w.Epoch(f.Source.Path) != f.facts.epoch {
			r.err = ErrStale
		}
	}
	return r.err
}

// Steps are how many all uses of the file's facts have taken so far.
func (f *File) Steps() int64 { return f.steps.Load() }

// Relevant tells whether the file was read and can concern TensorFlow at all.
func (f *File) Relevant() bool { return f.Unread == "" && f.relevant }

// Names are the file's scopes, bindings and qualified names.
func (f *File) Names() *names.Info {
	if f.facts.names == nil && f.Config.Workspace != nil {
		f.facts.epoch = f.Config.Workspace.Epoch(f.Source.Path)
		f.facts.names = f.Config.Workspace.Resolve(f.Source.Path, f.Tree)
	} else if f.facts.names == nil {
		f.facts.names = names.Resolve(f.Tree, effects.Library{}, nil)
	}
	return f.facts.names
}

// Flow is the file's order of execution.
func (f *File) Flow() *flow.Program {
	if f.facts.flow != nil {
		return f.facts.flow
	}
	library := f.Library()
	if f.facts.does == nil {
		f.facts.does = flow.NewEdited(f.Names())
	}
	if f.Names().Connected() {
		f.facts.flow = f.Config.Workspace.Flow(f.facts.does, library)
	} else {
		f.facts.flow = flow.NewSummaries().OfEdited(f.facts.does, library)
	}
	return f.facts.flow
}

// Versions are the TensorFlow and the Keras that the file's project runs with. Where nobody
// says which they are, code that can only run with Keras 2 does.
func (f *File) Versions() effects.Versions {
	var found effects.Versions
	if f.Config.Workspace != nil {
		found = f.Config.Workspace.Versions(f.Source.Path)
	}
	v := found.Resolved(f.Config.Versions)
	if v.TensorFlow.Source != "" || v.Keras.Source != "" {
		return v
	}
	if f.facts.keras2 == nil {
		sign := flow.Keras2(f.Names())
		f.facts.keras2 = &sign
	}
	if f.facts.keras2.Valid() {
		found.Keras = effects.Stated{Range: effects.Keras2, Source: placeOf(f.Source, *f.facts.keras2)}
		v = found.Resolved(f.Config.Versions)
	}
	return v
}

// Library is TensorFlow and Keras in those versions.
func (f *File) Library() effects.Library { return effects.With(f.Versions()) }

// libraryOf is what the names of a module of the program are of, as far as that can be told:
// Keras may be that of the project's versions or tf_keras. The program is followed only where
// it may choose.
func (f *File) libraryOf(module *names.Info) names.Library {
	if f.facts.flow == nil && !f.Names().Mentions(flow.UseLegacyKeras) {
		return flow.LibraryOf(module, f.Library())
	}
	return f.Flow().LibraryOf(module)
}

// SourceOf is the text that a node stands in: the file's own, or that of a
// module that it imports; nil for any other.
func (f *File) SourceOf(n syntax.Node) *source.Source {
	switch {
	case n.Tree() == f.Tree:
		return f.Source
	case f.Config.Workspace != nil && n.Valid():
		return f.Config.Workspace.Source(n.Tree())
	}
	return nil
}

// Models are the models that the file builds and where it trains them.
func (f *File) Models() *keras.Program {
	f.run.models = true
	if f.facts.keras != nil {
		return f.facts.keras
	}
	models := f.ModelsUnder("")
	if f.Step(0) == nil {
		f.facts.keras = models
	}
	return models
}

// Cut tells where the program was given up; nil where it was not, and where nobody has asked
// for models within this [File.Do].
func (f *File) Cut() *value.Cut {
	if !f.run.models || f.facts.keras == nil {
		return nil
	}
	return f.facts.keras.Cut
}

// FlowCut tells where the order of execution was given up; nil where it was not, and where
// nobody has asked for it.
func (f *File) FlowCut() *flow.Cut {
	if f.facts.flow == nil {
		return nil
	}
	return f.facts.flow.Cut
}

// Fact is what find returns, which is called once for a key: for what several rules ask
// for, and is made of facts.
func (f *File) Fact(key any, find func() any) any {
	if fact, ok := f.facts.others[key]; ok {
		return fact
	}
	fact := find()
	if f.Step(0) == nil {
		if f.facts.others == nil {
			f.facts.others = map[any]any{}
		}
		f.facts.others[key] = fact
	}
	return fact
}

// ModelsUnder are what Models would be if the program first set a dtype policy, where one is
// named. They are followed each time they are asked for.
func (f *File) ModelsUnder(policy string) *keras.Program {
	if f.Step(0) != nil {
		return &keras.Program{}
	}
	around := keras.Environment{
		Policy: policy, Library: f.libraryOf, GPUs: func() int { return len(f.Devices()) },
		While: func(steps int) bool { return f.Step(steps) == nil },
	}
	if w := f.Config.Workspace; w != nil {
		around.Text = w.Data
	}
	models := around.Evaluate(f.Names())
	if f.Step(0) != nil {
		return &keras.Program{}
	}
	return models
}

// Devices are the GPUs that models are compared with.
func (f *File) Devices() []memory.Device {
	if f.Config.Devices == nil {
		return nil
	}
	return f.Config.Devices()
}

// mentions is the cheap test that comes before any parse.
func mentions(text string) bool {
	return strings.Contains(text, "tensorflow") || strings.Contains(text, "keras")
}

// leads tells whether a file imports modules of its project that lead to TensorFlow.
func (c Config) leads(src *source.Source) bool {
	return c.Workspace != nil && !c.Unsearched && c.Workspace.LeadsToTensorFlow(src.Path, src.Text())
}

var noTree = syntax.Parse("")

// Analyze reads a file once. Where the workspace has its tree already, or will be asked
// for it, the text is parsed once for both.
func Analyze(src *source.Source, config Config) *File {
	parse := syntax.Parse
	if config.Workspace != nil {
		parse = func(text string) *syntax.Tree { return config.Workspace.Tree(src.Path, text) }
	}
	return analyze(src, config, parse)
}

func analyze(src *source.Source, config Config, parse func(text string) *syntax.Tree) *File {
	f := &File{Source: src, Tree: noTree, Config: config, relevant: config.Asked || mentions(src.Text()) || config.leads(src)}
	if !f.relevant {
		return f
	}
	if n := len(src.Text()); n > MaxSize {
		f.Unread = fmt.Sprintf("the file has %.1f MB; files over %d MB are not analysed", float64(n)/(1<<20), MaxSize>>20)
		return f
	}
	f.Tree = parse(src.Text())
	f.Unread = f.Tree.GaveUp()
	return f
}

// A Document reads successive versions of one text, each at the cost of what
// changed. It holds memory outside Go's heap until Close, and is not safe for
// concurrent use; the Files it returns are.
//
// What is known of one version's statements goes to the next, unless somebody is asking
// for it at that moment; whoever asks the older one later has it found again.
type Document struct {
	parser *syntax.Parser
	last   *File
}

// NewDocument returns a document without a text.
func NewDocument() *Document { return &Document{} }

// Analyze reads the next version.
func (d *Document) Analyze(src *source.Source, config Config) *File {
	f := analyze(src, config, func(text string) *syntax.Tree {
		if d.parser == nil {
			d.parser = syntax.NewParser()
		}
		return d.parser.Parse(text)
	})
	if d.last != nil && d.last.mu.TryLock() {
		f.advance(d.last)
		d.last.mu.Unlock()
	}
	if d.last = f; f.Unread != "" {
		d.last = nil // nothing is known of it, and the text is long
	}
	return f
}

// advance makes what is known of the version before, whose mutex is held, that of f, as far
// as it is the same.
func (f *File) advance(last *File) {
	before := last.facts
	if before.names == nil || !f.Relevant() || f.Config.Workspace != last.Config.Workspace || f.Source.Path != last.Source.Path {
		return
	}
	if w := f.Config.Workspace; w != nil && w.Epoch(f.Source.Path) != before.epoch {
		return
	}
	last.facts = facts{}
	move := syntax.NewMove(last.Tree, f.Tree)
	forgotten, ok := before.names.Update(move)
	if !ok {
		return
	}
	if before.does != nil {
		before.does.Advance(move, forgotten)
	}
	f.facts = facts{epoch: before.epoch, names: before.names, does: before.does}
}

// Close frees the document's memory.
func (d *Document) Close() {
	if d.parser != nil {
		d.parser.Close()
		d.parser = nil
	}
	d.last = nil
}
