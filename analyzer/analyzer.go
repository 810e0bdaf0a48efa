// Package analyzer analyses one file: it takes the text of a Python file and returns the facts
// that rules, hovers and estimates ask for.
//
// A [File] is one version of a text and does not change. Its facts are memoised: names, order of
// execution, models. One goroutine at a time asks for them, within [File.Do], under a context.
// When the context ends, the work stops, and incomplete facts are not kept. A [Document] analyses
// version after version, and passes the facts of each on to the next.
//
// The package reads no files itself: a [project.Workspace] reads those that a file imports. It
// knows no rule and no editor, and never runs the code that it analyses.
package analyzer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tfmem/tfmem/analyzer/account"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/host"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/releases"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// MaxSize is the length in bytes beyond which a file is not analysed.
const MaxSize = project.MaxSize

// A Config is what the analysis of a file depends on beside its text.
type Config struct {
	// Devices returns the GPUs that models are compared with. It is called only if a model may be
	// trained. It is nil, or returns none, if no GPU is known.
	Devices func() []memory.Device
	// DevicesNamed is set if a person names them, and MachineNamed if one names Machine, or says that there
	// is none: then it does not matter what the project's jobs ask for.
	DevicesNamed, MachineNamed bool
	// Smallest and Largest are the GPUs with the least and the most memory that can be named, with
	// which models are compared where none is known. They are nil if the user says that there is none.
	Smallest, Largest *memory.Device
	// Machine is the one whose own memory programs are compared with; nil if none is named.
	Machine *host.Machine
	// Neighbours returns the programs that use a GPU at the moment, for people. It is nil where an
	// answer must be the same tomorrow.
	Neighbours func() []string
	// NamedGPU returns the GPU with a name as TensorFlow logs it, if it is known; nil if none is.
	NamedGPU func(name string) (memory.Device, bool)
	// Workspace finds the modules that a file imports; nil if the file is analysed by itself.
	Workspace *project.Workspace
	// Versions are those that the settings name. Others are looked for in the workspace when they
	// are first needed, and are the newest if it declares none.
	Versions effects.Versions
	// Backend is the Keras backend declared outside of the program and its project; the zero
	// Backend if there is none.
	Backend Backend
	// Assume is what the settings say of values that only a run would tell; nil for nothing.
	Assume *hints.Table
	// Observed is what runs told of values; nil for nothing.
	Observed *observed.Index
	// EntryPoint is set if the settings name the file as a program: it is neither a test nor a
	// module for others to import.
	EntryPoint bool
	// Command is the place of the only command of the project that counts for the program's options; ""
	// for all of them.
	Command string
	// Journal notes which texts are being analysed; nil for none.
	Journal Journal
	// Asked is set if the models of this very file are requested. It is then analysed even if it
	// never mentions TensorFlow, because an imported module may.
	Asked bool
	// SkipImports ignores the imports of a file when it decides whether the file concerns
	// TensorFlow: a file that never mentions TensorFlow is then not analysed.
	SkipImports bool
}

// A File is the meaning of one version of a text, and never changes. Its facts are computed on
// demand and kept. Callers ask for them within [File.Do].
type File struct {
	Source *source.Source
	Tree   *syntax.Tree
	Config Config
	// Unread says why the file was not analysed, for people; "" if it was.
	Unread string
	// Ended is set if the file was not analysed because a process ended while it analysed this text.
	Ended bool

	entry    Entry // of the journal; nil for none
	relevant bool  // mentions TensorFlow or Keras, reaches them through imports, or is asked for

	mu      sync.Mutex // held by Do
	facts   known
	account account.Account // of what follows names and values
	run     run             // the work of Do
	steps   atomic.Int64
}

// known are the facts of a file that were computed. A nil fact was never needed.
type known struct {
	epoch    uint64 // of the workspace, when names were resolved
	names    *names.Info
	does     *flow.Edited // what the functions of names do
	flow     *flow.Program
	keras    *graph.Program
	releases *releases.Releases
	facts    *facts.Facts
	role     facts.Role
	others   map[any]any // of Fact
}

// A run is one use of a file's facts.
type run struct {
	ctx    context.Context // nil outside of Do
	most   int64           // limit on the steps of the file
	err    error
	models bool         // models were computed
	shared *project.Use // of the workspace; nil if it is not locked
}

// The reasons, beside the end of its context, why a use of a file's facts is given up.
var (
	ErrTooLong = errors.New("it takes more steps than it may")
	ErrStale   = errors.New("a module that the file imports has changed")
)

// Detached returns the same file with facts of its own, for long work. The next version of a text
// takes over the facts of the one before it, unless somebody uses them at that moment.
func (f *File) Detached() *File {
	return &File{Source: f.Source, Tree: f.Tree, Config: f.Config, Unread: f.Unread, Ended: f.Ended, entry: f.entry, relevant: f.relevant}
}

// Under returns the same file as one command of its project runs it, by its place.
func (f *File) Under(command string) *File {
	under := f.Detached()
	under.Config.Command = command
	return under
}

// Do calls use. Only use may ask the file for facts meanwhile. Names, flow and models that it got
// must not be used after Do has returned, because the next version of the text may take them
// over.
//
// Once ctx is done, Do returns its cause, and what use got is incomplete. If ctx can be done at
// all, others may use the workspace between two steps. If they change a module that the file
// imports, the error is [ErrStale].
func (f *File) Do(ctx context.Context, use func()) error { return f.DoWithin(ctx, Unlimited, use) }

// Unlimited is no limit on steps.
const Unlimited = math.MaxInt32

// DoWithin is Do that returns [ErrTooLong] if use takes more than so many steps. A step is about
// the work of evaluating an expression.
func (f *File) DoWithin(ctx context.Context, steps int, use func()) error {
	defer f.begin()()
	f.mu.Lock()
	defer f.mu.Unlock()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	f.run = run{ctx: ctx, most: f.Steps() + int64(steps)}
	defer func() { f.run = run{} }()
	f.account.Renew()
	f.account.Interrupted = nil
	if ctx.Done() != nil {
		f.account.Interrupted = func() error { return context.Cause(ctx) }
	}
	if w := f.Config.Workspace; w != nil && (f.Names().Connected() || w.Epoch(f.Source.Path) != f.facts.epoch) {
		use := w.Use(&f.account)
		defer use.End()
		f.run.shared = &use
		if w.Epoch(f.Source.Path) != f.facts.epoch {
			f.facts = known{}
			f.Names()
		}
	}
	f.interruptible(use)
	return f.Step(0)
}

// interruptible calls use, and ends it if the context of the run is done.
func (f *File) interruptible(use func()) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case account.Interruption:
			f.run.err = p.Err
		default:
			panic(p)
		}
	}()
	use()
}

// Within does a piece of work with an account of its own: see [account.Account.Within].
func (f *File) Within(do func()) *account.Spent { return f.account.Within(do) }

// Step counts steps that a use of the file's facts takes, or is about to take. The error says why
// the use is given up.
func (f *File) Step(steps int) error {
	r := &f.run
	if r.err != nil || r.ctx == nil {
		return r.err
	}
	if f.steps.Add(int64(steps)) > r.most {
		r.err = ErrTooLong
	} else if r.ctx.Err() != nil {
		r.err = context.Cause(r.ctx)
	} else if w := f.Config.Workspace; r.shared != nil && r.ctx.Done() != nil {
		if r.shared.Yield(); w.Epoch(f.Source.Path) != f.facts.epoch {
			r.err = ErrStale
		}
	}
	return r.err
}

// Steps returns how many steps all uses of the file's facts have taken so far.
func (f *File) Steps() int64 { return f.steps.Load() }

// Relevant reports whether the file was analysed and can concern TensorFlow at all.
func (f *File) Relevant() bool { return f.Unread == "" && f.relevant }

// Broken reports whether a part of the file is not valid Python.
func (f *File) Broken() bool {
	return f.Relevant() && (f.Tree.HasErrors() || slices.ContainsFunc(f.Source.Segments(), func(s source.Segment) bool { return s.Unclosed }))
}

// Names returns the file's scopes, bindings and qualified names.
func (f *File) Names() *names.Info {
	if f.facts.names == nil && f.Config.Workspace != nil {
		f.facts.epoch = f.Config.Workspace.Epoch(f.Source.Path)
		f.facts.names = f.Config.Workspace.Resolve(f.Source.Path, f.Tree)
	} else if f.facts.names == nil {
		f.facts.names = names.Resolve(f.Tree, effects.Library{}, nil)
	}
	f.facts.names.Charge(&f.account)
	return f.facts.names
}

// Flow returns the file's order of execution.
func (f *File) Flow() *flow.Program {
	if f.facts.flow != nil {
		return f.facts.flow
	}
	library := f.Library()
	if f.facts.does == nil {
		f.facts.does = flow.NewEdited(f.Names())
	}
	spent := f.account.Within(func() {
		if f.Names().Connected() {
			f.facts.flow = f.Config.Workspace.Flow(f.facts.does, library)
		} else {
			f.facts.flow = flow.NewSummaries().OfEdited(f.facts.does, library)
		}
	})
	if spent != nil {
		f.facts.does, f.facts.flow = nil, flow.GivenUp(f.Names(), library, spent.From)
	}
	return f.facts.flow
}

// Facts returns the answers to what many rules ask of the file.
func (f *File) Facts() *facts.Facts {
	if f.facts.facts == nil {
		f.facts.facts = facts.Of(f.Names())
	}
	return f.facts.facts
}

// Role returns what the file is for, and what shows it.
func (f *File) Role() facts.Role {
	if f.facts.role.Kind == "" {
		f.facts.role = f.Facts().RoleOf(facts.Named{Path: f.Source.Path, Notebook: f.Source.Segments()[0].Cell != 0, EntryPoint: f.Config.EntryPoint}, f.Flow)
	}
	return f.facts.role
}

// Unreached reports whether no run of the file reaches a node: [flow.Program.Unreached]. The cells of
// a notebook may run in any order, and with what its author defined before.
func (f *File) Unreached(n syntax.Node) bool {
	return len(f.Source.Segments()) == 1 && f.Flow().Unreached(n)
}

// Releases returns which TensorFlow and Keras may run the file.
func (f *File) Releases() *releases.Releases {
	if f.facts.releases != nil {
		return f.facts.releases
	}
	p := releases.Program{
		Names: f.Names(), Source: f.Source, Settings: f.Config.Versions, Installed: f.installs(),
		Mentioned: func() (effects.Version, string) { return effects.Version{}, "" },
		Place:     func(n syntax.Node) string { return placeOf(f.SourceOf(n), n) },
		Flow:      f.Flow, Backend: f.projectBackend(), Environment: f.Config.Backend,
	}
	if w := f.Config.Workspace; w != nil {
		p.Declared, p.Sign = w.Versions(f.Source.Path), w.SignOfKeras2
		p.Mentioned = func() (effects.Version, string) { return w.Mentioned(f.Source.Path) }
	}
	f.facts.releases = releases.Of(p)
	return f.facts.releases
}

// installs returns the versions that the file itself installs by commands for a shell.
func (f *File) installs() effects.Versions {
	found := project.InstalledBy(f.Source)
	for _, call := range f.Names().MethodCalls(func(name string) bool { return name == "system" }) { // os.system, get_ipython().system
		if command, ok := names.StringValue(names.Argument(call, 0, "command")); ok {
			project.Install(&found, command, placeOf(f.Source, call))
		}
	}
	return found
}

// Library returns TensorFlow and Keras in the versions of the file's releases.
func (f *File) Library() effects.Library { return f.Releases().Library() }

// libraryOf returns the library of a module of the program.
func (f *File) libraryOf(module *names.Info) names.Library {
	return f.Releases().LibraryOf(module, f.facts.flow != nil)
}

// SourceOf returns the text that a node stands in: the file's own, or that of a module that it
// imports; nil for any other.
func (f *File) SourceOf(n syntax.Node) *source.Source {
	switch {
	case n.Tree() == f.Tree:
		return f.Source
	case f.Config.Workspace != nil && n.Valid():
		return f.Config.Workspace.Source(n.Tree())
	}
	return nil
}

// sourceOf returns the text of a module of the program, or nil.
func (f *File) sourceOf(module *names.Info) *source.Source {
	if module.Tree.Len() == 0 {
		return nil
	}
	return f.SourceOf(module.Tree.Statement(0))
}

// Written returns the file of settings in which a number stands, and where.
func (f *File) Written(n *value.Scalar) (in *source.Source, span source.Span, ok bool) {
	if n == nil || n.Path == "" || n.Text == "" || f.Config.Workspace == nil {
		return nil, span, false
	}
	path, text, ok := f.Config.Workspace.DataAt(f.Source.Path, n.Path)
	if !ok {
		return nil, span, false
	}
	if relative, err := filepath.Rel(f.Config.Workspace.Absolute("."), path); err == nil && !filepath.IsAbs(f.Source.Path) {
		path = relative
	}
	in = source.New(path, text)
	start, err := in.Segments()[0].Lines().Offset(source.Position{Line: n.Line, Column: n.Column}, source.UTF32)
	if err != nil || !strings.HasPrefix(text[start:], n.Text) {
		return nil, span, false
	}
	return in, source.Span{Start: start, End: start + len(n.Text)}, true
}

// Models returns the models that the file builds, and where it trains them.
func (f *File) Models() *graph.Program {
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

// Cut says where the evaluation of the program was given up. It is nil if it is complete, or if
// this [File.Do] has not asked for models.
func (f *File) Cut() *value.Cut {
	if !f.run.models || f.facts.keras == nil {
		return nil
	}
	return f.facts.keras.Cut
}

// FlowCut says where the order of execution was given up. It is nil if it is complete, or if
// nothing asked for it.
func (f *File) FlowCut() *flow.Cut {
	if f.facts.flow == nil {
		return nil
	}
	return f.facts.flow.Cut
}

// Fact returns the result of find, which is called once per key: for results that several rules
// need, and that depend on facts only.
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

// ModelsUnder returns what Models would be if the program first set the given dtype policy, if
// any: under float32, if it also set that in place of float64. It evaluates the program at each call.
func (f *File) ModelsUnder(policy string) *graph.Program {
	if f.Step(0) != nil {
		return &graph.Program{}
	}
	env := state.Environment{
		Policy: policy, Library: f.libraryOf, Package: f.Releases().PackageOf, Assume: f.Config.Assume, Switches: f.Releases().Switches().Found(), GPUs: func() int { return len(f.Devices()) },
		While: func(steps int) bool { return f.Step(steps) == nil },
	}
	if f.Releases().MayBeOfKeras2() {
		env.Older = func(module *names.Info) names.Library { return flow.LibraryOf(module, f.Library().Legacy()) }
	}
	if w := f.Config.Workspace; w != nil {
		env.Text, env.Head, env.Lines, env.Folder = w.Data, w.Head, w.Lines, w.Folder
		if f.Config.Observed != nil {
			env.Observed = func(module *names.Info) *observed.Current {
				return f.Config.Observed.Of(w.Absolute(module.Path), module, f.sourceOf(module))
			}
		}
		env.Commands = func() (all []value.Command) {
			for _, run := range f.Runs() {
				if place := run.Place(); f.Config.Command == "" || f.Config.Command == place {
					all = append(all, value.Command{Words: run.Words, Place: place})
				}
			}
			return all
		}
	}
	var models *graph.Program
	if spent := f.account.Within(func() { models = keras.EvaluateIn(env, f.Names()) }); spent != nil {
		models = &graph.Program{Cut: &value.Cut{Node: spent.From, Why: value.Because(value.TooLong, "its names lead through too many others")}}
	}
	if f.Step(0) != nil {
		return &graph.Program{}
	}
	if old := f.Releases().OnlyKeras1(); old.Found() {
		for _, m := range models.Models {
			m.Unresolved = []*value.Cause{value.Because(value.KerasRaises, "%s", old.Why).On(old.At)}
		}
	}
	return models
}

// Servers returns the servers that import the file as a module, as files of its project say.
func (f *File) Servers() []project.Started {
	if f.Config.Workspace == nil {
		return nil
	}
	return f.Config.Workspace.Servers(f.Source.Path)
}

// Runs returns how files of its project run the file as a program.
func (f *File) Runs() []project.Run {
	if f.Config.Workspace == nil {
		return nil
	}
	return f.Config.Workspace.Runs(f.Source.Path)
}

// Neighbours returns the programs that use a GPU at the moment, for people; none where an answer
// must be the same tomorrow.
func (f *File) Neighbours() []string {
	if f.Config.Neighbours == nil {
		return nil
	}
	return f.Config.Neighbours()
}

// searches reports whether a file that does not mention TensorFlow concerns it if modules of its
// project that it imports do, directly or not.
func (c Config) searches() bool { return c.Workspace != nil && !c.SkipImports }

var noTree = syntax.Parse("")

// Analyze analyses a file once. If the workspace has its tree already, or will need it, the text
// is parsed once for both.
func Analyze(src *source.Source, config Config) *File {
	parse := syntax.Parse
	if config.Workspace != nil {
		parse = func(text string) *syntax.Tree { return config.Workspace.Tree(src.Path, text) }
	}
	return analyze(src, config, parse)
}

func analyze(src *source.Source, config Config, parse func(text string) *syntax.Tree) *File {
	f := &File{Source: src, Tree: noTree, Config: config, relevant: config.Asked || effects.Mentioned(src.Text())}
	if !f.relevant && !config.searches() {
		return f
	}
	if config.Journal != nil && len(src.Text()) <= MaxSize { // a longer one may have 200 MB, and is not analysed
		f.entry = config.Journal.Entry(src.Path, src.Text())
	}
	if f.Ended = f.entry != nil && f.entry.Ended(); f.Ended {
		f.Unread = "tfmem ended while it analysed this text, and leaves it out until it changes"
		return f
	}
	defer f.begin()()
	if f.relevant = f.relevant || config.Workspace.ReachesTensorFlow(src.Path, src.Text()); !f.relevant {
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

// A Document analyses successive versions of one text, each at the cost of what changed. It holds
// memory outside Go's heap until Close, and is not safe for concurrent use; the Files that it
// returns are.
//
// The next version takes over the facts of a version's statements, unless they are in use at that
// moment. A later query to the older version computes them again. A version that does not parse
// takes over nothing: while somebody types, the last version that did is asked.
type Document struct {
	parser *syntax.Parser
	last   *File
}

// NewDocument returns a document without a text.
func NewDocument() *Document { return &Document{} }

// Analyze analyses the next version.
func (d *Document) Analyze(src *source.Source, config Config) *File {
	f := analyze(src, config, func(text string) *syntax.Tree {
		if d.parser == nil {
			d.parser = syntax.NewParser()
		}
		return d.parser.Parse(text)
	})
	if d.last != nil && f.Broken() && !d.last.Broken() {
		return f
	}
	if d.last != nil && d.last.mu.TryLock() {
		f.advance(d.last)
		d.last.mu.Unlock()
	}
	if d.last = f; f.Unread != "" {
		d.last = nil // it has no facts, and its text is long
	}
	return f
}

// advance makes the facts of the previous version those of f, as far as they are the same. The
// mutex of last is held.
func (f *File) advance(last *File) {
	before := last.facts
	if before.names == nil || !f.Relevant() || f.Config.Workspace != last.Config.Workspace || f.Source.Path != last.Source.Path {
		return
	}
	if w := f.Config.Workspace; w != nil && (w.Epoch(f.Source.Path) != before.epoch || !project.SameSearch(last.Tree, f.Tree)) {
		return
	}
	last.facts = known{}
	move := syntax.NewMove(last.Tree, f.Tree)
	forgotten, ok := before.names.Update(move)
	if !ok {
		return
	}
	if before.does != nil {
		before.does.Advance(move, forgotten)
	}
	f.facts = known{epoch: before.epoch, names: before.names, does: before.does}
}

// Close frees the document's memory.
func (d *Document) Close() {
	if d.parser != nil {
		d.parser.Close()
		d.parser = nil
	}
	d.last = nil
}
