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
	pass *rule.Pass
	w    weighing
}

// RunOf returns the run of a use of a model, which is priced. The error says why it cannot be compared.
func RunOf(p *rule.Pass, u *graph.ModelCall) (Run, error) {
	w, why := weighRun(p.File, u)
	if why != "" {
		return Run{}, errors.New(why)
	}
	return Run{p, w}, nil
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
		return fix, 0, errors.New("not even the smallest batch fits")
	}
	fix, batch, ok := smallerBatch(r.pass, r.w, place, at)
	switch {
	case batch >= r.w.batch:
		return fix, batch, errors.New("a batch of this size fits")
	case !ok:
		return fix, batch, errors.New("the batch size cannot be changed here: it is computed, or layers are made with the same number")
	}
	return fix, batch, nil
}

// Accumulated returns the fix by which a training processes each batch in parts that fit, with the mean
// of their gradients.
func (r Run) Accumulated() (rule.Fix, error) {
	place, at := r.place()
	if !r.w.phase.Trains() {
		return rule.Fix{}, errors.New("it is no training")
	}
	fixes := accumulated(r.pass, r.w, place, at)
	if len(fixes) == 0 && r.pass.File.Releases().Keras() == 0 && r.w.use.Method == "fit" {
		return rule.Fix{}, errors.New("it is not known which Keras runs this; say it in tfmem.toml or requirements.txt")
	}
	if len(fixes) == 0 {
		return rule.Fix{}, errors.New("gradients of smaller batches cannot be accumulated here, or do not fit either")
	}
	return fixes[0], nil
}

// Validated returns the fix by which fit validates in batches of a size. The run is a validation.
func (r Run) Validated(batch int64) (rule.Fix, error) {
	fit := r.w.use.Node
	if !r.pass.Here(fit) || !names.Argument(fit, 2, "batch_size").Valid() && !names.Argument(fit, -1, "validation_batch_size").Valid() {
		return rule.Fix{}, errors.New("the batches of the validation are not made by fit")
	}
	edit, err := r.pass.Set(fit, "validation_batch_size", fmt.Sprint(batch))
	return rule.Fix{Message: fmt.Sprintf("Validate in batches of %d", batch), Applicability: rule.Unsafe, Edits: []source.Edit{edit}}, err
}

// Policy returns the fix that sets a dtype policy for all layers.
func (r Run) Policy(policy string) (rule.Fix, error) {
	file, least := r.pass.File, tensorCores[policy]
	switch {
	case slices.ContainsFunc(file.Devices(), func(d memory.Device) bool { return d.Major < least }):
		return rule.Fix{}, fmt.Errorf("GPUs compute in %s at full speed from compute capability %d.0 on", strings.TrimPrefix(policy, "mixed_"), least)
	case setsPolicy(file.Names()):
		return rule.Fix{}, errors.New("the program sets a policy itself")
	}
	fixes := setPolicy(r.pass, policy)
	if len(fixes) == 0 || fixes[0].Applicability == rule.Display {
		return rule.Fix{}, errors.New("a policy cannot be set for the whole program here")
	}
	return fixes[0], nil
}

// Compiled returns the fix by which fit's steps run with XLA, or without it.
func (r Run) Compiled(xla bool) (rule.Fix, error) {
	call, m := r.w.compile, r.w.phase.Then
	switch is, why := m.XLA(); {
	case m.Own != nil || !call.Valid():
		return rule.Fix{}, errors.New("the program compiles its steps itself")
	case is == xla:
		return rule.Fix{}, fmt.Errorf("it is so already: %s", why)
	case xla && (m.Compiled.Eager || m.Compiled.XLA != "False"):
		return rule.Fix{}, errors.New(why)
	case !r.pass.Here(call) || names.HasSplat(call):
		return rule.Fix{}, errors.New("compile is not called in this file")
	}
	value := map[bool]string{true: "True", false: "False"}[xla]
	edit, err := r.pass.Set(call, "jit_compile", value)
	return rule.Fix{Message: map[bool]string{true: "Compile with XLA", false: "Train without XLA"}[xla], Applicability: rule.Unsafe, Edits: []source.Edit{edit}}, err
}

// Leaner returns the fixes by which a training has an optimizer that keeps less, by its class.
func (r Run) Leaner() (fixes []rule.Fix, classes []string, err error) {
	m, o := r.w.phase.Then, r.w.optimizer
	if !r.w.phase.Trains() || o == nil || m.Own != nil {
		return nil, nil, errors.New("the optimizer is not one that compile is given")
	}
	for _, class := range leaner {
		if leanerThan(o, class) {
			if edits := otherOptimizer(r.pass, m, class); len(edits) > 0 {
				fixes, classes = append(fixes, rule.Fix{Message: "Train with " + class, Applicability: rule.Unsafe, Edits: edits}), append(classes, class)
			}
		}
	}
	if len(fixes) == 0 {
		err = fmt.Errorf("%s keeps no more than others do, or is made elsewhere or with arguments of its own", o.Class)
	}
	return fixes, classes, err
}

// Frozen returns the fix that freezes a part of the model which was trained before, and its name.
func (r Run) Frozen() (fix rule.Fix, name string, err error) {
	m := r.w.phase.Then
	if m.Own == nil && r.w.phase.Trains() {
		for _, base := range r.pass.File.Models().Models {
			if freezes(m, base) == nil {
				continue
			}
			if name, edits := freeze(r.pass, m, base); len(edits) > 0 {
				return rule.Fix{Message: "Freeze " + name, Applicability: rule.Unsafe, Edits: edits}, name, nil
			}
		}
	}
	return fix, "", errors.New("the model has no part with loaded weights that could be frozen here")
}

// firstRematScope is the release of Keras that has RematScope for all layers (keras/src/utils, 3.9).
var firstRematScope = effects.Version{Major: 3, Minor: 9}

// Rematerialised returns the fix that makes the model under a RematScope, so that gradients compute
// activation functions again instead of keeping what those compute. The other modes make TensorFlow
// raise for each layer that takes training=, as Dense does (analyzer/graph/remat.go).
func (r Run) Rematerialised() (rule.Fix, error) {
	p, m := r.pass, r.w.phase.Then
	made := m.Node
	releases := p.File.Releases()
	switch {
	case releases.RunningKeras() == 2 || releases.Versions().Keras.Low.Before(firstRematScope):
		return rule.Fix{}, fmt.Errorf("RematScope came with Keras %s", firstRematScope)
	case !made.Valid() || !p.Here(made) || !r.w.phase.Trains():
		return rule.Fix{}, errors.New("the model is made in another file")
	}
	statement := r.builds()
	if !statement.Valid() {
		return rule.Fix{}, errors.New("its layers are made in several statements, not by one that a scope could hold")
	}
	if !rule.Fixable(statement) || !p.StartsLine(statement) || !p.EndsLine(statement) || strings.Contains(statement.Text(), `"""`) {
		return rule.Fix{}, errors.New("the statement that makes it cannot be put under a scope")
	}
	keras := p.Keras(p.File.Names().ScopeOf(statement), statement)
	if keras == "" {
		return rule.Fix{}, errors.New("keras is not imported by its name")
	}
	edits := p.Under("with "+keras+".RematScope(mode="+p.Quote()+"activations"+p.Quote()+"):", statement)
	return rule.Fix{Message: "Compute activations again for the gradients", Applicability: rule.Unsafe, Edits: edits}, nil
}

// builds returns the statement that makes the whole model: itself, or by a function that it calls.
func (r Run) builds() syntax.Node {
	info, m := r.pass.File.Names(), r.w.phase.Then
	all := func(within ...syntax.Node) bool {
		return !slices.ContainsFunc(m.Layers(), func(l *graph.Layer) bool {
			return l.Class != "InputLayer" && l.Node.Valid() && r.pass.Here(l.Node) && !slices.ContainsFunc(within, l.Node.Within)
		})
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
