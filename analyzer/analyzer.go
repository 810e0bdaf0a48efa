// Package analyzer says what a file means: it takes the text of a Python file
// and returns the facts that rules, hovers and estimates ask for.
//
// It reads no files, but through a [project.Workspace] those that a file imports; it
// knows no rule and no editor, and never runs the code it reads.
package analyzer

import (
	"fmt"
	"strings"
	"sync"

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

// A File is the meaning of one version of a text. What a caller sees of it never
// changes; facts are found when they are first asked for, which is why only one
// goroutine at a time may ask: see [File.Lock]. Once that is given back, names, flow
// and models that were asked for are of no use any more: the next version of the text
// may go on from them.
type File struct {
	Source *source.Source
	Tree   *syntax.Tree
	Config Config
	// Unread says why the file was not analysed, for people; empty where it was.
	Unread string

	relevant bool // mentions TensorFlow or Keras, imports what leads to them, or is asked for

	mu     sync.Mutex
	others func()               // unlocks the workspace; nil where it is not locked
	while  func(steps int) bool // of LockWhile
	over   bool                 // it has said no
	epoch  uint64               // of the workspace, in which names were found
	names  *names.Info
	does   *flow.Edited // what the functions of names do
	flow   *flow.Program
	keras  *keras.Program
	asked  bool         // for that, since the file was locked
	facts  map[any]any  // of Fact
	keras2 *syntax.Node // of flow.Keras2; nil where that was not asked
}

// Apart is the file with facts of its own, for who asks for long: the next version of
// the text takes over those of f only while nobody does.
func (f *File) Apart() *File {
	return &File{Source: f.Source, Tree: f.Tree, Config: f.Config, Unread: f.Unread, relevant: f.relevant}
}

// Lock keeps other goroutines from asking f for facts until the returned
// function is called. What is known from modules that have changed since is
// forgotten first.
func (f *File) Lock() (unlock func()) {
	f.mu.Lock()
	f.asked = false
	w := f.Config.Workspace
	if w == nil || !f.Names().Connected() && w.Epoch(f.Source.Path) == f.epoch {
		return f.mu.Unlock
	}
	f.others = w.Lock()
	if w.Epoch(f.Source.Path) != f.epoch {
		f.forget()
	}
	return func() {
		f.others()
		f.others = nil
		f.mu.Unlock()
	}
}

// forget drops all facts, to be found again when they are asked for.
func (f *File) forget() {
	f.names, f.does, f.flow, f.keras, f.facts, f.keras2 = nil, nil, nil, nil, nil, nil
}

// LockWhile is Lock for work that may take long, and be of no use before it is done.
// While it goes on, [File.Spend] hands the steps that it takes to while; once that says
// no, there are no models any more until the file is unlocked.
func (f *File) LockWhile(while func(steps int) bool) (unlock func()) {
	release := f.Lock()
	f.while, f.over = while, false
	return func() {
		f.while, f.over = nil, false
		release()
	}
}

// Spend counts steps, each about the work of evaluating an expression, that whoever
// has locked the file takes or is about to. It is false where the work is of no use any
// more: what comes of it is then thrown away. In between it lets others have the
// workspace who wait for it.
func (f *File) Spend(steps int) bool {
	if f.while == nil || f.over {
		return !f.over
	}
	if f.others != nil {
		f.others()
	}
	f.over = !f.while(steps)
	if f.others != nil {
		w := f.Config.Workspace
		f.others = w.Lock()
		f.over = f.over || w.Epoch(f.Source.Path) != f.epoch // a module that it imports has changed
	}
	return !f.over
}

// Relevant tells whether the file was read and can concern TensorFlow at all.
func (f *File) Relevant() bool { return f.Unread == "" && f.relevant }

// Names are the file's scopes, bindings and qualified names.
func (f *File) Names() *names.Info {
	if f.names == nil && f.Config.Workspace != nil {
		f.epoch = f.Config.Workspace.Epoch(f.Source.Path)
		f.names = f.Config.Workspace.Resolve(f.Source.Path, f.Tree)
	} else if f.names == nil {
		f.names = names.Resolve(f.Tree, effects.Library{}, nil)
	}
	return f.names
}

// Flow is the file's order of execution.
func (f *File) Flow() *flow.Program {
	if f.flow != nil {
		return f.flow
	}
	library := f.Library()
	if f.does == nil {
		f.does = flow.NewEdited(f.Names())
	}
	if f.Names().Connected() {
		f.flow = f.Config.Workspace.Flow(f.does, library)
	} else {
		f.flow = flow.NewSummaries().OfEdited(f.does, library)
	}
	return f.flow
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
	if f.keras2 == nil {
		sign := flow.Keras2(f.Names())
		f.keras2 = &sign
	}
	if f.keras2.Valid() {
		found.Keras = effects.Stated{Range: effects.Keras2, Source: placeOf(f.Source, *f.keras2)}
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
	if f.flow == nil && !f.Names().Mentions(flow.UseLegacyKeras) {
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
	f.asked = true
	if f.keras != nil {
		return f.keras
	}
	models := f.ModelsUnder("")
	if f.Spend(0) {
		f.keras = models
	}
	return models
}

// Cut tells where the program was given up; nil where it was not, and where nobody has asked
// for models since the file was locked.
func (f *File) Cut() *value.Cut {
	if !f.asked || f.keras == nil {
		return nil
	}
	return f.keras.Cut
}

// FlowCut tells where the order of execution was given up; nil where it was not, and where
// nobody has asked for it.
func (f *File) FlowCut() *flow.Cut {
	if f.flow == nil {
		return nil
	}
	return f.flow.Cut
}

// Fact is what find returns, which is called once for a key: for what several rules ask
// for, and is made of facts.
func (f *File) Fact(key any, find func() any) any {
	if fact, ok := f.facts[key]; ok {
		return fact
	}
	fact := find()
	if f.Spend(0) {
		if f.facts == nil {
			f.facts = map[any]any{}
		}
		f.facts[key] = fact
	}
	return fact
}

// ModelsUnder are what Models would be if the program first set a dtype policy, where one is
// named. They are followed each time they are asked for.
func (f *File) ModelsUnder(policy string) *keras.Program {
	if !f.Spend(0) {
		return &keras.Program{}
	}
	around := keras.Around{Policy: policy, Library: f.libraryOf, GPUs: func() int { return len(f.Devices()) }, While: f.Spend}
	if w := f.Config.Workspace; w != nil {
		around.Text = w.Data
	}
	models := around.Follow(f.Names())
	if !f.Spend(0) {
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
// What is known of one version's statements is taken over by the next, from a File
// that nobody asks for facts at that moment; should anybody later, it finds them anew.
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
		f.takeOver(d.last)
		d.last.mu.Unlock()
	}
	if d.last = f; f.Unread != "" {
		d.last = nil // there is nothing to take over, and the text is long
	}
	return f
}

// takeOver makes the facts of the version before, whose lock is held, those of f, as
// far as they are the same.
func (f *File) takeOver(last *File) {
	info, does := last.names, last.does
	if info == nil || !f.Relevant() || f.Unread != "" || f.Config.Workspace != last.Config.Workspace || f.Source.Path != last.Source.Path {
		return
	}
	if w := f.Config.Workspace; w != nil && w.Epoch(f.Source.Path) != last.epoch {
		return
	}
	last.forget()
	move := syntax.NewMove(last.Tree, f.Tree)
	forgotten, ok := info.Update(move)
	if !ok {
		return
	}
	if does != nil {
		does.Advance(move, forgotten)
	}
	f.epoch, f.names, f.does = last.epoch, info, does
}

// Close frees the document's memory.
func (d *Document) Close() {
	if d.parser != nil {
		d.parser.Close()
		d.parser = nil
	}
	d.last = nil
}
