// Package estimate finds the models of a file and what each needs of a GPU: what the estimate
// command prints, and hovers, hints and lenses show in an editor.
//
// It decides nothing about memory, which is the task of package memory. The caller chooses the
// files and the GPU, and shows the result.
package estimate

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
	"github.com/tfmem/tfmem/rules/budget"
	"github.com/tfmem/tfmem/rules/rule"
)

// A Model is a model of a file, priced.
type Model struct {
	*memory.Assessment
	Name string // of the variable it is bound to, else the model's own
	// Source and Span are where it is created.
	Source *source.Source
	Span   source.Span
	// UsedIn and UsedAt are where it is trained or run, or again where it is created.
	UsedIn *source.Source
	UsedAt source.Span
	// Places are where the phases of the program are.
	Places map[*memory.Phase]Place
	// Same is how many equal models follow one another, including this one; see [Distinct].
	Same int
	// Times is how often the call that makes it runs, at most, if the code shows it, else 0.
	Times int
	// Loop is the variables of the loops around it.
	Loop Loop
	// Part is set if the model is used only as a part of other models.
	Part bool
	// Data is what lies on the device beside the steps of the main phase, the largest first.
	Data []Datum
	// Host is what the machine's own memory holds; nil if nothing is known to be there.
	Host *Host
	// Reasons are those of Unresolved, with their places.
	Reasons []Reason
	// Hints are what a person says of the program, in sentences.
	Hints []string
	// Keras2 says why the program is taken for one of Keras 2, in a sentence; "" if it is not.
	Keras2 string
	// Backend is the backend that Keras is assumed to use, and why.
	Backend analyzer.Backend

	file  *analyzer.File // that it is a model of
	batch int64          // that was asked for; 0 for the program's own
}

// A Place is a place in a file.
type Place struct {
	Source *source.Source
	Span   source.Span
}

// Assumptions returns what the figures depend on besides the program, in sentences.
func (m Model) Assumptions() []string {
	said := m.Assessment.Assumptions()
	if m.Main() != nil {
		said = append(said, m.Hints...)
	}
	if m.Keras2 != "" && m.Main() != nil {
		said = append(said, m.Keras2)
	}
	if m.Main() == nil || m.Assessment.Model.Keras == 2 {
		return said
	}
	return append(said, "Keras computes with TensorFlow: "+m.Backend.Why+".")
}

// Advice says what would make a training smaller that does not fit, beside a smaller batch: how much it
// would need in mixed precision. It is "" if that is not known or saves little. It may evaluate the
// program once more.
func (m Model) Advice() (said string) {
	main := m.Main()
	if main == nil || m.Verdict != memory.Exceeds && m.Verdict != memory.Tight {
		return ""
	}
	_ = m.file.Do(context.Background(), func() { // nothing interrupts it
		half := budget.UnderMixed(m.file, main, m.batch)
		if half == nil {
			return
		}
		need := m.Built(half.Need)
		said = fmt.Sprintf("In mixed precision (the policy mixed_float16) it would need %s, between %s and %s", memory.Bytes(need.Peak), memory.Bytes(need.Low), memory.Bytes(need.High))
		decides := !slices.ContainsFunc(m.Phases, func(p *memory.Phase) bool { return p != main && p.Priced() && p.Need.High > need.High })
		switch verdict := memory.Judge(need, m.Budget); {
		case !decides:
		case verdict == memory.Fits:
			said += ", and fit"
		case verdict == memory.Tight:
			said += ", and be tight"
		case verdict == memory.Exceeds:
			said += ", and not fit"
		}
		if n := half.Largest(m.Budget); decides && n > 0 && !m.Fixed() {
			said += "; the largest batch that fits would be " + memory.Count(n)
		}
		said += "."
	})
	return said
}

// Bug is the bug of tfmem that keeps the model from being priced, or nil.
func (m Model) Bug() *value.Cause {
	for _, why := range m.Unresolved {
		if why.Code == value.Bug {
			return why
		}
	}
	return nil
}

// Told returns the phases to tell apart, in the order of the program: those with a known place, and
// the creation of the weights before them. It returns none if there is only one phase, and that needs
// more than making the weights.
func (m Model) Told() (told []*memory.Phase) {
	if !m.Priced() {
		return nil
	}
	for _, p := range m.Phases {
		if _, known := m.Places[p]; known {
			told = append(told, p)
		}
	}
	if m.Build != nil && (len(told) > 1 || m.Build.High > m.High) {
		told = slices.Insert(told, 0, m.Build)
	}
	if len(told) < 2 {
		return nil
	}
	return told
}

// At returns where a phase is. The weights are made where the model is created.
func (m Model) At(p *memory.Phase) Place {
	if at, known := m.Places[p]; known {
		return at
	}
	return Place{m.Source, m.Span}
}

// Options say for what models are priced.
type Options struct {
	Batch  int64 // 0 for the program's own batch size
	Others []memory.Device
}

// Of returns the models of a file, in the order of their creation, and the GPU that they are
// compared with, or nil if there is none.
func Of(file *analyzer.File, o Options) (found []Model, device *memory.Device) {
	found, device, _ = OfContext(context.Background(), file, o) // nothing interrupts it
	return found, device
}

// OfContext is Of under a context. The error is that of [analyzer.File.Do].
func OfContext(ctx context.Context, file *analyzer.File, o Options) (found []Model, device *memory.Device, err error) {
	if !file.Relevant() {
		return nil, smallest(file.Devices()), nil
	}
	err = file.Do(ctx, func() {
		at := place(file, o)
		found, device = models(file, at), at.Device
	})
	return found, device, err
}

// place returns where the models of a file run.
func place(file *analyzer.File, o Options) memory.Place {
	at := memory.Place{
		Device: smallest(file.Devices()), Process: budget.Share(file), Others: o.Others, Batch: o.Batch, OnCPU: budget.OnCPU(file), Feeds: file.Releases().KerasFeeds().Found(),
	}
	if old := file.Releases().BeforeTensorFlow115(); old.Found() {
		at.Beyond = value.Because(value.Environment, "tfmem knows the memory of TensorFlow 1.15 and later, and the project asks for an older one (%s)", old.Why)
	}
	switch b := file.Releases().Backend(); {
	case !file.Foreign():
	case b.Name == "":
		at.Beyond = value.Because(value.Environment, "the backend of Keras is known only at run time, and tfmem knows the memory of TensorFlow only (%s)", b.Why)
	default:
		at.Beyond = value.Because(value.Environment, "Keras runs on %s, and tfmem knows the memory of TensorFlow only (%s)", b.Name, b.Why)
	}
	return at
}

func models(file *analyzer.File, at memory.Place) []Model {
	program := file.Models()
	at.Lost = slices.ContainsFunc(program.Unresolved, func(l graph.UnresolvedCall) bool {
		return !l.Assumed && (l.Method == "fit" || l.Method == "fit_generator" || l.Method == "train_on_batch")
	})
	used := map[*graph.Model]bool{}
	for _, u := range program.Uses {
		used[u.Model] = true
	}
	parts, inSteps := partsOf(program, used)
	backend := file.Releases().Backend()
	prices := budget.Prices(file, at.Batch)
	told, keras2 := hintsOf(file, program), onlyKeras2(file, program)
	var out []Model
	made := map[syntax.Node]int{}
	for _, m := range program.Models {
		if file.Step(0) != nil {
			break
		}
		src := file.SourceOf(m.Node)
		if src == nil {
			continue // it belongs to a library
		}
		at := at
		if !slices.ContainsFunc(program.Uses, func(u *graph.ModelCall) bool { return u.Model == m && u.Trains() }) {
			at.Beyond = cmp.Or(at.Beyond, program.Beside)
		}
		a := prices.Assess(m, at)
		part := parts[m] && !used[m] && (m.Optimizer == nil || inSteps[m])
		if part && a.Known() {
			a.Unresolved = nil // nothing feeds it by itself, so its data need not be known
		}
		found := Model{Assessment: a, Name: name(a), Source: src, Span: rule.Callee(m.Node), Part: part, Reasons: reasons(file, a), Hints: told, Keras2: keras2, Backend: backend, file: file, batch: at.Batch}
		if _, known := made[m.Node]; !known {
			made[m.Node] = times(file, m)
		}
		found.Times = made[m.Node]
		found.Loop = loopOf(found.Main())
		found.UsedIn, found.UsedAt = found.Source, found.Span
		if a.Use != nil {
			if src := file.SourceOf(a.Use.Node); src != nil {
				found.UsedIn, found.UsedAt = src, rule.Callee(a.Use.Node)
			}
		}
		found.Data, found.Host = dataOf(file, a), hostOf(file, m)
		found.Places = map[*memory.Phase]Place{}
		for _, p := range a.Phases {
			if src := file.SourceOf(p.Node()); p.Use != nil && src != nil {
				found.Places[p] = Place{src, rule.Callee(p.Node())}
			}
		}
		out = append(out, found)
	}
	return out
}

// A Datum is data on the device, such as an array, and where it was put there.
type Datum struct {
	What  string
	Bytes int64
	At    Place // its Source is nil if that is not known
}

// dataOf returns what lies on the device beside the main phase of a model.
func dataOf(file *analyzer.File, a *memory.Assessment) (out []Datum) {
	if !a.Priced() {
		return nil
	}
	for _, t := range a.Phase.Terms() {
		d := Datum{What: t.What, Bytes: t.Bytes + t.PerExample*a.Replica + t.Joined}
		if src := file.SourceOf(t.Node); t.Node.Valid() && src != nil {
			d.At = Place{src, rule.Callee(t.Node)}
		}
		if i := slices.IndexFunc(out, func(o Datum) bool { return o.What == d.What && o.At == d.At }); i >= 0 {
			out[i].Bytes += d.Bytes
		} else if d.Bytes > 0 {
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b Datum) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return out
}

// onlyKeras2 says what shows that a program is one of Keras 2, although nothing states a version that
// is known to behave so.
func onlyKeras2(file *analyzer.File, program *graph.Program) string {
	if why := program.OnlyKeras2; why != nil {
		r := reason(file, why, why.Place())
		if stated := file.Releases().Versions().Keras; stated.Source != "" {
			return fmt.Sprintf("The newest Keras 2 is assumed in place of the older one that %s states (%s). %s.", stated.Source, r.Where(), why)
		}
		return fmt.Sprintf("Keras 2 is assumed, as nothing states a version (%s). %s.", r.Where(), why)
	}
	return ""
}

// hintsOf says which hints a program's figures assume.
func hintsOf(file *analyzer.File, program *graph.Program) (said []string) {
	for _, h := range program.Hints {
		if h.Wrong != "" {
			continue
		}
		if h.From != "" {
			said = append(said, fmt.Sprintf("%s says %s of %s.", h.From, h, h.Of))
			continue
		}
		r := reason(file, nil, h.At)
		said = append(said, fmt.Sprintf("A comment on %s says %s.", r.Where(), h))
	}
	set, differ := budget.Commanded(program)
	said = append(append(said, set...), differ...)
	said = append(said, observedOf(file, program)...)
	if len(program.Measured) > 0 {
		said = append(said, "Sizes are read from "+strings.Join(program.Measured, ", ")+".")
	}
	return said
}

// mostObserved is how many values of a run are listed.
const mostObserved = 20

// observedOf says which values of a run a program's figures rest on.
func observedOf(file *analyzer.File, program *graph.Program) (said []string) {
	run := file.Config.Observed.Run()
	more := 0
	for _, o := range program.Observed {
		switch {
		case o.Wrong != "":
		case len(said) == mostObserved:
			more++
		default:
			said = append(said, fmt.Sprintf("%s: %s, from %s.", o.What, o.Said, run))
		}
	}
	if more > 0 {
		said = append(said, fmt.Sprintf("%d more values are from %s.", more, run))
	}
	return said
}

// Outdated says which observations of a run the file, or a module that it imports, does not bear out
// any more.
func Outdated(file *analyzer.File) (said []string) {
	_ = file.Do(context.Background(), func() { // nothing interrupts it
		for _, o := range file.Models().Outdated {
			why := o.First.Name + " is not there any more"
			if o.First.At.Valid() {
				why = fmt.Sprintf("%s binds %s otherwise now", reason(file, nil, o.First.At).Where(), o.First.Name)
			}
			are := map[bool]string{true: "is", false: "are"}[o.Lost == 1]
			said = append(said, fmt.Sprintf("%d of %d observations of %s %s out of date: %s; run tfmem probe again", o.Lost, o.Total, filepath.Base(o.Module.Path), are, why))
		}
	})
	return said
}

// times returns how often the call that makes a model runs, at most, or 0.
func times(file *analyzer.File, m *graph.Model) int {
	for _, t := range file.Flow().Traces() {
		if at := slices.IndexFunc(t.Events, func(e flow.Event) bool { return e.Node == m.Node }); at >= 0 {
			return facts.Times(file.Facts().Around(&t.Events[at]))
		}
	}
	return 0
}

// Distinct groups equal models that a loop builds into one. The last iterations of a long loop are
// followed as one, so the models are counted by the loop where all that it builds are equal.
func Distinct(models []Model) []Model {
	var out []Model
	groups := map[Place]int{}
	for _, m := range models {
		if last := len(out) - 1; last >= 0 && alike(out[last], m) {
			out[last].Same++
			out[last].Loop = out[last].Loop.With(m.Loop)
			continue
		}
		m.Same = 1
		groups[Place{m.Source, m.Span}]++
		out = append(out, m)
	}
	for i := range out {
		if m := &out[i]; m.Same > 1 && groups[Place{m.Source, m.Span}] == 1 {
			m.Same = max(m.Same, m.Times)
		}
	}
	return out
}

func alike(a, b Model) bool {
	if a.Source != b.Source || a.Span != b.Span || a.Parameters != b.Parameters || a.Part != b.Part || !slices.EqualFunc(a.Unresolved, b.Unresolved, (*value.Cause).Same) {
		return false
	}
	return a.Priced() == b.Priced() && (!a.Priced() || a.Need == b.Need)
}

// smallest returns the GPU that models are compared with: the one with the least memory.
func smallest(devices []memory.Device) *memory.Device {
	if len(devices) == 0 {
		return nil
	}
	d := slices.MinFunc(devices, func(a, b memory.Device) int { return cmp.Compare(a.Total, b.Total) })
	return &d
}

// partsOf returns the models that other models of the program have as layers, and those all of
// whose layers are in a model that is used: Model(base.input, head(base.output)). inSteps are
// those that a step of the program's own trains, whatever they are compiled with.
func partsOf(p *graph.Program, used map[*graph.Model]bool) (parts, inSteps map[*graph.Model]bool) {
	parts, inSteps = map[*graph.Model]bool{}, map[*graph.Model]bool{}
	var wholes []map[*graph.Layer]bool
	for _, m := range p.Models {
		m.AddInside(parts)
		if used[m] && m.Own != nil && len(m.Unresolved) == 0 {
			m.AddInside(inSteps)
		}
		if used[m] {
			wholes = append(wholes, setOf(m.Layers()))
		}
	}
	for _, m := range p.Models {
		if !used[m] && !parts[m] {
			layers := m.Layers()
			parts[m] = len(layers) > 0 && slices.ContainsFunc(wholes, func(whole map[*graph.Layer]bool) bool {
				return len(layers) <= len(whole) && !slices.ContainsFunc(layers, func(l *graph.Layer) bool { return !whole[l] })
			})
		}
	}
	return parts, inSteps
}

func setOf(layers []*graph.Layer) map[*graph.Layer]bool {
	set := make(map[*graph.Layer]bool, len(layers))
	for _, l := range layers {
		set[l] = true
	}
	return set
}

// name returns the variable that a model is bound to: the module's, or the one on which fit is
// called, or the one in the function that builds it; else the name that Keras gives the model.
func name(a *memory.Assessment) string {
	m := a.Model
	if m.Variable != "" {
		return m.Variable
	}
	var bound syntax.Node
	if u := a.Use; u != nil {
		// The code calls search on a tuner, which fits what it builds.
		if f := u.Node.Child(syntax.FieldFunction); u.Method != "fit" || f.Child(syntax.FieldAttribute).Text() != "search" {
			bound = f.Child(syntax.FieldObject)
		}
	}
	if p := m.Node.Parent(); !isName(bound) && p.Is(syntax.Assignment) && p.Child(syntax.FieldRight) == m.Node {
		bound = p.Child(syntax.FieldLeft)
	}
	if isName(bound) {
		return bound.Text()
	}
	return m.Name
}

// isName reports whether a node is a name, or an attribute of one: self.model.
func isName(n syntax.Node) bool {
	for n.Is(syntax.Attribute) {
		n = n.Child(syntax.FieldObject)
	}
	return n.Is(syntax.Identifier)
}

// Output is the shape of a layer's output for any batch size: its first dimension, and
// every unknown one, is [keras.None]. It is nil if nothing is known.
func Output(l memory.LayerCost) tensor.Shape {
	shape := slices.Clone(l.Layer.Output)
	if len(shape) > 0 {
		shape[0] = tensor.None
	}
	if l.Wider != nil && len(l.Wider.Output) == len(shape) {
		for i, d := range l.Wider.Output {
			if d != shape[i] {
				shape[i] = tensor.None
			}
		}
	}
	return shape
}
