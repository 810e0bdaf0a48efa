package budget

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// The edits that make a run smaller, for who looks for the cheapest ones (package plan). The fixes of
// the rules here are made of the same ones.

// A Run is a training, an evaluation or a prediction, compared with the GPU of its file.
type Run struct {
	pass   *rule.Pass
	w      weighing
	others *[]rule.Elsewhere
}

// RunOf returns the run of a use of a model, which is priced. The error says why it cannot be compared.
func RunOf(p *rule.Pass, u *graph.ModelCall) (Run, error) {
	w, why := weighRun(p.File, u)
	if why != "" {
		return Run{}, errors.New(why)
	}
	return Run{p, w, &[]rule.Elsewhere{}}, nil
}

// Elsewhere returns the edits that the changes of the run make in other modules.
func (r Run) Elsewhere() []rule.Elsewhere { return *r.others }

// In returns the edits of a module that are those of the file itself, and notes those of another one.
func (r Run) In(module *rule.Pass, edits ...source.Edit) []source.Edit {
	if module == r.pass || len(edits) == 0 {
		return edits
	}
	for i, other := range *r.others {
		if other.Source == module.File.Source {
			for _, e := range edits {
				if !slices.Contains(other.Others, e) { // several may need the same import
					(*r.others)[i].Others = append((*r.others)[i].Others, e)
				}
			}
			return nil
		}
	}
	*r.others = append(*r.others, rule.Elsewhere{Source: module.File.Source, Others: edits})
	return nil
}

// Phase is the run as it is priced.
func (r Run) Phase() *memory.Phase { return r.w.phase }

func (r Run) place() (syntax.Node, setting) {
	return sets(r.pass, r.w.use), elsewhere(r.pass, r.w.use.Batch)
}

// Smaller returns the fix by which the run takes the largest batch that fits, and that batch.
func (r Run) Smaller() (fix rule.Fix, batch int64, err error) {
	place, at := r.place()
	if r.w.phase.Largest(r.w.budget) == 0 {
		return fix, 0, errors.New("not even the smallest batch is sure to fit")
	}
	fix, batch, ok := smallerBatch(r.pass, r.w, place, at)
	switch {
	case batch >= r.w.batch:
		return fix, batch, errors.New("a batch of this size fits")
	case ok:
		return fix, batch, nil
	}
	fix = rule.Fix{Applicability: rule.Unsafe}
	if fix.Edits, ok = renumbered(r.pass, r.numbers(), batch, r.In); !ok {
		return fix, batch, errors.New("the batch size cannot be changed here: it is computed, or layers are made with the same number")
	}
	return fix, batch, nil
}

// Alike returns the other trainings of the file with as large a batch that do not fit either, one for each
// number that sets it: a change of one of them alone does not help.
func (r Run) Alike() (others []Run) {
	set := map[syntax.Node]bool{r.w.use.Batch.Lit: true}
	for _, u := range r.pass.File.Models().Uses {
		if lit := u.Batch.Lit; !trains(u) || !lit.Valid() || set[lit] {
			continue
		}
		if other, err := RunOf(r.pass, u); err == nil && other.w.batch == r.w.batch && other.w.verdict() == memory.Exceeds {
			other.others, set[u.Batch.Lit] = r.others, true
			others = append(others, other)
		}
	}
	return others
}

// renumbered returns the edits that write another batch size in place of some numbers; ok is false if there are none.
func renumbered(p *rule.Pass, numbers []syntax.Node, batch int64, in inModule) (edits []source.Edit, ok bool) {
	for _, number := range numbers {
		if module, n := p.Of(number); n.Valid() && n.Kind() == syntax.Integer && rule.Fixable(n) && !shapesLayers(p.File.Names(), number) && (module == p || in != nil) {
			edit := source.Edit{Span: rule.Span(n), New: fmt.Sprint(batch)}
			if ok = true; module == p {
				edits = append(edits, edit)
			} else {
				edits = append(edits, in(module, edit)...)
			}
		}
	}
	return edits, ok
}

// numbers are those that the batch size comes from or, if that is not known, may come from.
func (r Run) numbers() []syntax.Node { return batchSizes(r.pass, r.w) }

func batchSizes(p *rule.Pass, w weighing) []syntax.Node {
	if lit := w.use.Batch.Lit; lit.Valid() || w.use.Batch.Scalar != nil {
		return []syntax.Node{lit}
	}
	data := names.Argument(w.use.Node, 0, "x")
	if !data.Valid() {
		data = names.Argument(w.use.Node, 0, "generator")
	}
	return p.File.Facts().Batches(w.batch, data)
}

// Accumulated returns the fix by which a training processes each batch in parts that fit, with the mean
// of their gradients, the batch that Keras then sees, 0 if it sees the whole, and what else is to be said of that.
func (r Run) Accumulated() (fix rule.Fix, batch int64, notes []string, err error) {
	place, at := r.place()
	return accumulated(r.pass, r.w, place, at, r.In)
}

// Normalizes reports whether the run computes the statistics of its batches, in a BatchNormalization that is
// trained.
func (r Run) Normalizes() bool { return normalizes(r.pass.File, r.w.phase) }

// Shared is how many calls train with the batch size of the run.
func (r Run) Shared() int {
	calls := map[syntax.Node]bool{}
	for _, u := range sharing(r.pass, r.w) {
		calls[u.Node] = true
	}
	return len(calls)
}

// Counts says what of a training counts batches, and stands for other examples where those are smaller; "" if
// nothing does.
func (r Run) Counts() string {
	use := r.w.use
	if use.Method == "step" {
		return counted(r.pass, use)
	}
	if !r.w.phase.Trains() || !strings.HasPrefix(names.Method(use.Node), "fit") {
		return ""
	}
	if n := names.Argument(use.Node, -1, "steps_per_epoch"); n.Valid() && n.Kind() != syntax.NoneLiteral && !slices.ContainsFunc(r.numbers(), func(number syntax.Node) bool {
		return number.Valid() && r.pass.File.Facts().DependsOn(n, number)
	}) {
		return "steps_per_epoch counts batches: an epoch has fewer examples"
	}
	return counted(r.pass, use)
}

// Validated returns the edits by which fit validates in batches of a size. The run is a validation.
func (r Run) Validated(batch int64) ([]source.Edit, error) {
	p, fit := r.pass.Of(r.w.use.Node)
	if p == nil || !names.Argument(fit, 2, "batch_size").Valid() && !names.Argument(fit, -1, "validation_batch_size").Valid() {
		return nil, errors.New("the batches of the validation are not made by fit")
	}
	edit, err := p.Set(fit, "validation_batch_size", fmt.Sprint(batch))
	if err != nil {
		return nil, err
	}
	return r.In(p, edit), nil
}

// Policy returns the edits that set a dtype policy for all layers.
func (r Run) Policy(policy string) ([]source.Edit, error) {
	file, least := r.pass.File, tensorCores[policy]
	switch {
	case slices.ContainsFunc(file.Devices(), func(d memory.Device) bool { return d.Major == 0 }):
		return nil, errors.New("it is not known what the GPU computes at full speed")
	case slices.ContainsFunc(file.Devices(), func(d memory.Device) bool { return d.Major < least }):
		return nil, fmt.Errorf("this GPU computes in %s slowly: GPUs do so at full speed from compute capability %d.0 on", strings.TrimPrefix(policy, "mixed_"), least)
	case setsPolicy(file.Names()):
		return nil, errors.New("the program sets a policy itself")
	case len(file.Names().CallsTo(func(name string) bool { return effects.Of(name).Has(effects.StartsTape) })) > 0:
		return nil, errors.New("the program's own step would have to scale its loss")
	}
	fixes := setPolicy(r.pass, policy, r.In)
	switch {
	case len(fixes) == 0:
		*r.others = nil
		return nil, errors.New("no line before all layers could set a policy for the whole program")
	case fixes[0].Applicability == rule.Display:
		*r.others = nil
		return nil, errors.New("what the model returns should stay float32, and the layer that computes it is not made in a way that could be changed")
	}
	return fixes[0].Edits, nil
}

// firstJIT is the release of TensorFlow whose compile takes jit_compile (keras/engine/training.py, 2.8).
var firstJIT = effects.Version{Major: 2, Minor: 8}

// Compiled returns the edits by which fit's steps run with XLA, or without it. needs is the release that takes
// them, where none is stated that surely does; "" otherwise.
func (r Run) Compiled(xla bool) (edits []source.Edit, needs string, err error) {
	p, call := r.pass.Of(r.w.compile)
	m := r.w.phase.Then
	versions := r.pass.File.Releases().Versions()
	// From 2.4 on, Keras 2 has the number of the TensorFlow that it is made for.
	older := versions.TensorFlow.Before(firstJIT) || versions.Keras.Before(firstJIT)
	newer := func(stated effects.Stated) bool { return stated.Source != "" && !stated.Low.Before(firstJIT) }
	keras2 := r.pass.File.Releases().RunningKeras() == 2
	switch is, why := m.XLA(); {
	case m.Own != nil || !r.w.compile.Valid():
		return nil, "", errors.New("its step is the program's own, which no argument of compile changes")
	case is == xla:
		return nil, "", fmt.Errorf("it is so already: %s", why)
	case xla && (m.Compiled.Eager || m.Compiled.XLA != "False"):
		return nil, "", errors.New(why)
	case p == nil:
		return nil, "", fmt.Errorf("compile is called on %s", r.pass.Line(r.w.compile, source.Span{}))
	case names.HasSplat(call):
		return nil, "", errors.New("the arguments of compile are not all written out")
	case keras2 && older:
		return nil, "", fmt.Errorf("compile takes jit_compile from TensorFlow %s on", firstJIT)
	case keras2 && !newer(versions.TensorFlow) && !newer(versions.Keras):
		needs = fmt.Sprintf("needs TensorFlow %s", firstJIT)
	}
	edit, err := p.Set(call, "jit_compile", map[bool]string{true: "True", false: "False"}[xla])
	if err != nil {
		return nil, "", err
	}
	return r.In(p, edit), needs, nil
}

// Leaner returns the edits by which a training has another class of optimizer, which keeps less.
func (r Run) Leaner(class string) ([]source.Edit, error) {
	m, o := r.w.phase.Then, r.w.optimizer
	switch {
	case !r.w.phase.Trains() || o == nil || m.Own != nil:
		return nil, errors.New("the optimizer is not one that compile is given")
	case o.Class == class:
		return nil, fmt.Errorf("it trains with %s already", class)
	case !leanerThan(o, class):
		return nil, fmt.Errorf("%s keeps no more than %s", o.Class, class)
	}
	if m.Compiled != nil {
		if p, edits := anotherOptimizer(r.pass, m, class); len(edits) > 0 {
			return r.In(p, edits...), nil
		}
	}
	return nil, fmt.Errorf("%s is made with arguments of its own, or in a way that is not followed", o.Class)
}

// Frozen returns the edits that freeze a part of the model which was trained before, and its name.
func (r Run) Frozen() (name string, edits []source.Edit, err error) {
	bases := r.bases()
	for _, base := range bases {
		if at := unfrozen(r.pass, r.w.phase.Then, base); at.Valid() {
			return "", nil, fmt.Errorf("it is trained on purpose: %s unfreezes it", r.pass.Line(at, source.Span{}))
		}
		if p, named, at := compiledAfter(r.pass, r.w.phase.Then, base); at.Valid() {
			return named, r.In(p, source.Insert(at.Start(), named+".trainable = False"+p.Newline()+p.IndentOf(at))), nil
		}
	}
	if len(bases) > 0 {
		return "", nil, fmt.Errorf("the part with loaded weights, made on %s, has no name at the call of compile by which it could be frozen", r.pass.Line(bases[0].Node, source.Span{}))
	}
	return "", nil, errors.New("the model trains no part with loaded weights that it could do without training")
}

// bases are the parts of a training's model that were trained before and are trained on.
func (r Run) bases() (all []*graph.Model) {
	m := r.w.phase.Then
	if m.Own != nil || !r.w.phase.Trains() {
		return nil
	}
	for _, base := range r.pass.File.Models().Models {
		if freezes(m, base) != nil {
			all = append(all, base)
		}
	}
	return all
}

// Rank is that of the matrices by which LoRA trains a layer.
const Rank = 8

// LowRank returns the edits by which a part of the model which was trained before is trained by LoRA,
// and its name: layers that have no enable_lora are frozen (keras/src/layers/core/dense.py).
func (r Run) LowRank() (name string, edits []source.Edit, err error) {
	p := r.pass
	if p.File.Releases().RunningKeras() == 2 {
		return "", nil, errors.New("LoRA came with Keras 3")
	}
	for _, base := range r.bases() {
		p, name, at := compiledAfter(p, r.w.phase.Then, base)
		if !at.Valid() || !slices.ContainsFunc(base.Layers(), func(l *graph.Layer) bool {
			return l.Class == "Dense" || l.Class == "EinsumDense" || l.Class == "Embedding"
		}) {
			continue
		}
		var b strings.Builder
		indent, newline := p.IndentOf(at), p.Newline()
		for _, line := range []string{
			"for layer in " + name + ".layers:",
			p.Indent() + "if hasattr(layer, " + p.Quote() + "enable_lora" + p.Quote() + "):",
			p.Indent() + p.Indent() + fmt.Sprintf("layer.enable_lora(%d)", Rank),
			p.Indent() + "else:",
			p.Indent() + p.Indent() + "layer.trainable = False",
		} {
			b.WriteString(line + newline + indent)
		}
		return name, r.In(p, source.Edit{Span: source.Span{Start: at.Start(), End: at.Start()}, New: b.String()}), nil
	}
	return "", nil, errors.New("the model has no part with loaded weights whose Dense layers could have LoRA here")
}

// firstRematScope is the release of Keras that has RematScope for all layers (keras/src/utils, 3.9).
var firstRematScope = effects.Version{Major: 3, Minor: 9}

// Rematerialised returns the edits that make the model under a RematScope, so that gradients compute
// activation functions again instead of keeping what those compute. The other modes make TensorFlow
// raise for each layer that takes training=, as Dense does (analyzer/graph/remat.go).
func (r Run) Rematerialised() ([]source.Edit, error) {
	p, m := r.pass, r.w.phase.Then
	made := m.Node
	releases := p.File.Releases()
	switch {
	case releases.RunningKeras() == 2 || releases.Versions().Keras.Low.Before(firstRematScope):
		return nil, fmt.Errorf("RematScope came with Keras %s", firstRematScope)
	case !r.w.phase.Trains():
		return nil, errors.New("it is no training")
	case !made.Valid() || m.Own != nil:
		return nil, errors.New("what makes the model is not one statement of this file")
	}
	statement := r.builds()
	if !statement.Valid() {
		return nil, fmt.Errorf("its layers are made in several statements, not by one that a scope could hold: the model is made on %s", p.Line(made, source.Span{}))
	}
	if !rule.Fixable(statement) || !p.StartsLine(statement) || !p.EndsLine(statement) {
		return nil, errors.New("the statement that makes it cannot be put under a scope")
	}
	keras, imports := p.Keras(p.File.Names().ScopeOf(statement), statement), []source.Edit(nil)
	if keras == "" {
		edit, ok := p.ImportAlso("from tensorflow import keras", statement)
		if !ok || p.FreeName("keras") == "" {
			return nil, errors.New("keras is not imported by its name")
		}
		keras, imports = "keras", []source.Edit{edit}
	}
	return append(imports, p.Under("with "+keras+".RematScope(mode="+p.Quote()+"activations"+p.Quote()+"):", statement)...), nil
}

// builds returns the statement that makes the whole model: itself, or by a function that it calls.
func (r Run) builds() syntax.Node {
	info, m := r.pass.File.Names(), r.w.phase.Then
	all := func(within ...syntax.Node) bool {
		return !slices.ContainsFunc(m.Layers(), func(l *graph.Layer) bool {
			return l.Class != "InputLayer" && l.Node.Valid() && r.pass.Here(l.Node) && !slices.ContainsFunc(within, l.Node.Within)
		})
	}
	if !r.pass.Here(m.Node) {
		return r.buildsElsewhere()
	}
	statement := m.Node.Ancestor(syntax.ExpressionStatement, syntax.ReturnStatement)
	if all(statement) {
		return statement
	}
	for _, b := range info.ReachingDefs(r.w.use.Node.Child(syntax.FieldFunction).Child(syntax.FieldObject)) {
		if f := info.Target(b.Value.Child(syntax.FieldFunction)).Function; b.Value.Kind() == syntax.Call && f != nil && r.pass.Here(b.Value) && all(f.Body) {
			return b.Value.Ancestor(syntax.ExpressionStatement)
		}
	}
	return syntax.Node{}
}

// buildsElsewhere returns the statement of the file that calls the function of another module which makes the whole
// model.
func (r Run) buildsElsewhere() syntax.Node {
	info, m := r.pass.File.Names(), r.w.phase.Then
	trained := r.w.use.Node.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	if !r.pass.Here(trained) {
		return syntax.Node{}
	}
	for _, b := range info.ReachingDefs(trained) {
		f := info.Target(b.Value.Child(syntax.FieldFunction)).Function
		if b.Value.Kind() != syntax.Call || f == nil || !r.pass.Here(b.Value) || !m.Node.Within(f.Body) {
			continue
		}
		made := b.Value.Ancestor(syntax.ExpressionStatement)
		if !slices.ContainsFunc(m.Layers(), func(l *graph.Layer) bool {
			return l.Class != "InputLayer" && l.Node.Valid() && r.pass.Here(l.Node) && !l.Node.Within(made)
		}) {
			return made
		}
	}
	return syntax.Node{}
}

// Pooled returns the edits that put global average pooling in place of a Flatten before the Dense layer that holds
// most of a training's parameters.
func (r Run) Pooled() ([]source.Edit, error) {
	m := r.w.phase.Then
	all, _ := m.Parameters()
	at, ok := findFlattened(m, all/2)
	if !ok || all < leastParameters || !learns(m, at.dense) {
		return nil, errors.New("no Dense layer after a Flatten holds most of the parameters")
	}
	if !at.features {
		return nil, errors.New("the Flatten is of the input itself, of which pooling would leave the mean")
	}
	if p, node := r.pass.Of(at.op.Layer.Node); p != nil && node.Valid() {
		if fixes := pool(p, node, len(at.op.In[0].Shape)-2); len(fixes) > 0 {
			return r.In(p, fixes[0].Edits...), nil
		}
	}
	return nil, fmt.Errorf("the Flatten on %s cannot be replaced as it is written", r.pass.Line(at.op.Layer.Node, source.Span{}))
}
