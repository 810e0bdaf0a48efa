package budget

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// MixedPrecisionAvailable is TFM603.
var MixedPrecisionAvailable = &rule.Rule{
	Code: "TFM603", Name: "mixed-precision-available", Severity: rule.Information,
	Summary: "Training that is tight on the GPU, or does not fit, runs in float32; mixed precision would save memory.",
	What: `
Estimates the training as written, and again under the policy mixed_float16.
Reports it if the first may not fit the GPU, the GPU has float16 units (compute
capability 7.0 or more), nothing in the program sets a policy, and the second
needs at least a twentieth less.`,
	Why: `
Under mixed_float16 the layers compute in float16, so what is kept for the
gradients takes half the memory, and the step is faster on such a GPU.
Variables and optimizer state stay float32. compile() adds loss scaling by
itself.`,
	GPU: "24 GiB",
	Bad: `
import tensorflow as tf

model = tf.keras.applications.VGG16(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(images, labels, batch_size=320)`,
	Good: `
import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")

model = tf.keras.applications.VGG16(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(images, labels, batch_size=320)`,
	FixSafety: `
Unsafe: float16 has fewer digits. Output layers of trained models get
dtype="float32"; those of keras.applications stay as they are. If an output
layer cannot be changed in this file, the fix is only shown. The fix is not
offered where the program has a gradient tape, because a custom loop must scale
the loss itself, where it may run on a TPU, which computes in bfloat16, nor
where models are built in a loop, because clear_session undoes the policy.`,
	Limitations: `
Whether a model still converges in float16 is not known. Models that cannot be
priced are not reported, nor those whose weights and optimizer state, which stay
float32, are the larger part of the need.`,
	References: []rule.Reference{
		rule.Guide("mixed_precision", "Mixed precision"),
		rule.Keras("mixed_precision", "Mixed precision"),
	},
	Triggers:     []string{".fit(", "train_on_batch"},
	DependsOnGPU: true,
	Priced:       true,
	Check:        checkMixedPrecision,
}

// policySetters set the dtype policy of all layers that are created after them.
var policySetters = []string{
	"tensorflow.keras.mixed_precision.set_global_policy", "tensorflow.keras.config.set_dtype_policy",
	"tensorflow.keras.mixed_precision.experimental.set_policy", "tensorflow.keras.mixed_precision.set_dtype_policy",
	"tensorflow.keras.backend.set_floatx", "tensorflow.keras.config.set_floatx",
	"tensorflow.train.experimental.enable_mixed_precision_graph_rewrite", "tensorflow.compat.v1.train.experimental.enable_mixed_precision_graph_rewrite",
	"tensorflow.compat.v1.mixed_precision.enable_mixed_precision_graph_rewrite",
}

func checkMixedPrecision(p *rule.Pass) {
	if !prices(p) || !mixes(p.File) {
		return
	}
	var most heaviest // by the call
	for _, u := range p.File.Models().Uses {
		if !p.Here(u.Node) || u.Model.Own != nil {
			continue // a custom training step would have to scale its loss, too
		}
		w, why := weigh(p.File, u)
		if verdict := w.verdict(); why != "" || verdict != memory.Tight && verdict != memory.Exceeds || w.alone || mostlyWeights(w.phase) || spared(p.File, u.Node) {
			continue
		}
		most.take(u.Node, w)
	}
	for _, call := range most.places {
		w := most.of[call]
		half := UnderMixed(p.File, w.phase, 0)
		if half == nil {
			continue
		}
		f := rule.Finding{
			Span: rule.Callee(call),
			Message: fmt.Sprintf("With mixed_float16 this training needs about %s less memory. It %s: it needs about %s, and TensorFlow can use %s of %s. With the policy mixed_float16, which this GPU computes at full speed "+
				"(compute capability %d.%d), it would need about %s and %s.",
				memory.Bytes(w.need.Peak-half.Need.Peak), outcome(w.verdict()), memory.Bytes(w.need.Peak), w.budget, w.device.Name, w.device.Major, w.device.Minor,
				memory.Bytes(half.Need.Peak), then(half, w.budget)),
			Fixes: setPolicy(p, "mixed_float16", nil),
		}
		if lit := w.use.Batch.Lit; lit.Valid() && p.Here(lit) { // where TFM601 stands
			f.FixesAt = []source.Span{rule.Span(lit)}
		}
		p.Report(f)
	}
}

// tensorCores are the compute capabilities, their major versions, from which GPUs compute at full speed under
// a policy (mixed precision guide of TensorFlow).
var tensorCores = map[string]int{"mixed_float16": 7, "mixed_bfloat16": 8}

// mixes reports whether the GPUs compute in float16 at full speed, and the program sets no policy.
func mixes(file *analyzer.File) bool {
	return !slices.ContainsFunc(file.Devices(), func(d memory.Device) bool { return d.Major < tensorCores["mixed_float16"] }) && !setsPolicy(file.Names())
}

// setsPolicy reports whether a program sets a dtype policy.
func setsPolicy(info *names.Info) bool {
	return slices.ContainsFunc(info.Calls, func(call syntax.Node) bool { return slices.Contains(policySetters, info.Callee(call)) })
}

// UnderMixed returns a priced training of Keras as it would be under the policy mixed_float16. It
// returns nil if that would save less than a twentieth, the program sets a policy, or nothing is known
// of it. batch is that of [Prices]. It may evaluate the program once more.
func UnderMixed(file *analyzer.File, p *memory.Phase, batch int64) *memory.Phase {
	switch {
	case p.Use == nil, !p.Trains(), p.Use.Model.Own != nil, p.Then.Traced != nil:
		return nil
	case mostlyWeights(p), !mixes(file), file.Cut() != nil: // interpreting it once more would take as long
		return nil
	}
	mixed := file.Fact(underMixed{}, func() any { return file.ModelsUnder("mixed_float16") }).(*graph.Program)
	counterpart := sameUse(mixed.Uses, p.Use, file.Models().Uses)
	if counterpart == nil {
		return nil
	}
	half := Prices(file, batch).Of(counterpart)
	if half.Price() != nil || p.Need.Peak-half.Need.Peak < p.Need.Peak/20 {
		return nil
	}
	return half
}

// mostlyWeights reports whether weights and optimizer state are the larger part of a training's need.
// Those stay float32 under mixed precision, and the gradient of a large kernel is there twice, in both
// types (keras/src/optimizers/loss_scale_optimizer.py casts it): what activations save may be lost.
func mostlyWeights(p *memory.Phase) bool {
	n := memory.Resident(p.Use.ModelAt(), p.Then.Optimizer)
	return n.Weights+n.Optimizer > p.Need.Peak/2
}

// underMixed is the key of the program's models under mixed_float16.
type underMixed struct{}

// sameUse returns the counterpart of u in uses: if u is the n-th use of a call with the same model
// and batch size in among, the n-th such use in uses.
func sameUse(uses []*graph.ModelCall, u *graph.ModelCall, among []*graph.ModelCall) *graph.ModelCall {
	like := func(other *graph.ModelCall) bool {
		return other.Node == u.Node && other.Model.Node == u.Model.Node && other.Batch.X == u.Batch.X
	}
	before := 0
	for _, other := range among {
		if other == u {
			break
		}
		if like(other) {
			before++
		}
	}
	for _, other := range uses {
		if like(other) {
			if before == 0 {
				return other
			}
			before--
		}
	}
	return nil
}

func outcome(v memory.Verdict) string {
	if v == memory.Tight {
		return "is tight on the GPU"
	}
	return "does not fit the GPU"
}

// then says how a training would turn out.
func then(p *memory.Phase, b memory.Budget) string {
	switch memory.Judge(p.Need, b) {
	case memory.Fits:
		return "fit"
	case memory.Unknown:
		return "perhaps fit"
	case memory.Tight:
		return "be tight"
	}
	if n := p.Largest(b); n > 0 {
		return fmt.Sprintf("still not fit, but a batch of %d would", n)
	}
	return "still not fit"
}

// setPolicy offers the line that sets a policy, after the imports, if no layer is created before
// it. What is to be done in other modules is given to in, without which there is nothing to be done there.
func setPolicy(p *rule.Pass, policy string, in inModule) []rule.Fix {
	info := p.File.Names()
	for _, m := range trainedModels(p) {
		if !p.Here(m.Node) && (in == nil || !m.Node.Ancestor(syntax.FunctionDefinition).Valid()) {
			return nil // another module may create one when it is imported
		}
	}
	trained := map[syntax.Node]bool{}
	for _, m := range trainedModels(p) {
		trained[m.Node] = true
	}
	for _, t := range p.File.Flow().Traces() {
		// A loop that builds models to train needs clear_session, which undoes the policy.
		if slices.ContainsFunc(t.Events, func(e flow.Event) bool {
			return e.Effects.Has(effects.UsesTPU) || e.Effects.Has(effects.BuildsModel) && e.Context&flow.InLoop != 0 && trained[e.Node]
		}) {
			return nil
		}
	}
	if len(info.CallsTo(func(name string) bool { return strings.HasSuffix(name, ".clear_session") })) > 0 {
		return nil
	}
	for _, call := range info.Calls {
		if effects.Of(info.Callee(call)).Has(effects.StartsTape) {
			return nil
		}
	}
	anchor, after := headImport(p)
	if !anchor.Valid() || !after.Valid() || !p.StartsLine(anchor) || !p.EndsLine(anchor) || anchor.HasError() {
		return nil
	}
	end := p.LineEnd(anchor)
	for _, call := range info.Calls {
		if call.Start() < end && effects.Of(info.Callee(call)).Has(effects.BuildsLayer|effects.BuildsModel) {
			return nil
		}
	}
	alias := ""
	for _, name := range []string{"tensorflow", "tensorflow.keras"} {
		if bound := p.Bound(name, info.Module, after); bound != "" {
			alias = bound
			if name == "tensorflow" {
				alias += ".keras"
			}
			break
		}
	}
	imports := ""
	if alias == "" {
		module := moduleOfKeras(p)
		if module == "" || p.FreeName("mixed_precision") == "" {
			return nil
		}
		imports = p.Newline() + p.IndentOf(anchor) + "from " + module + " import mixed_precision"
	} else {
		alias += "."
	}
	q := p.Quote()
	text := imports + p.Newline() + p.Newline() + p.IndentOf(anchor) + alias + "mixed_precision.set_global_policy(" + q + policy + q + ")"
	if !p.BlankAfter(anchor) {
		text += p.Newline()
	}
	fix := rule.Fix{
		Message:       "Compute in " + policy,
		Applicability: rule.Unsafe,
		Unless:        OversizedBatch.Code,
		Edits:         []source.Edit{source.Insert(end, text)},
	}
	outputs, all := exactOutputs(p, in)
	if len(outputs) > 0 {
		fix.Message += ", and what the model returns in float32"
		fix.Edits = append(fix.Edits, outputs...)
	}
	if !all {
		fix.Message += "; what a model returns should stay float32"
		fix.Applicability = rule.Display
	}
	return []rule.Fix{fix}
}

// moduleOfKeras returns the module from which the file imports what it makes its first trained model
// with: keras or tensorflow.keras. It is empty if it is no import from there.
func moduleOfKeras(p *rule.Pass) string {
	models := trainedModels(p)
	if len(models) == 0 {
		return ""
	}
	if !p.Here(models[0].Node) { // what the file imports from there is as good
		for _, from := range p.File.Names().Imports() {
			for _, module := range []string{"tensorflow.keras", "keras"} {
				if strings.HasPrefix(from+".", module+".") {
					return module
				}
			}
		}
		return ""
	}
	for _, b := range p.File.Names().ReachingDefs(models[0].Node.Child(syntax.FieldFunction)) {
		for _, module := range []string{"tensorflow.keras", "keras"} {
			if b.Kind == names.FromBinding && strings.HasPrefix(b.Module, module+".") {
				return module
			}
		}
	}
	return ""
}

// trainedModels returns the models that the program trains, each once.
func trainedModels(p *rule.Pass) []*graph.Model {
	var out []*graph.Model
	for _, u := range p.File.Models().Uses {
		if trains(u) && !slices.Contains(out, u.Model) {
			out = append(out, u.Model)
		}
	}
	return out
}

// wrappers compute in the type of the layer that they wrap.
var wrappers = []string{"TimeDistributed", "Bidirectional", "RNN", "Wrapper", "SpectralNormalization"}

// exactOutputs returns the edits that make the layers which compute the trained models' outputs use
// float32. Scores and probabilities of float16 have three digits, and their exponentials overflow.
// all is false if one of them stays in float16: its call is not of one of Keras's layers in the
// file, or creates other layers of the model too.
func exactOutputs(p *rule.Pass, in inModule) (edits []source.Edit, all bool) {
	all = true
	seen := map[syntax.Node]bool{}
	for _, m := range trainedModels(p) {
		if strings.HasPrefix(p.File.Names().Callee(m.Node), "tensorflow.keras.applications.") {
			continue
		}
		last := m.Last()
		all = all && len(last) > 0
		for _, l := range last {
			call := l.Node
			if seen[call] {
				continue
			}
			seen[call] = true
			if call.Kind() != syntax.Call || in == nil && !p.Here(call) {
				all = false
				continue
			}
			q, call := p.Of(call)
			if q == nil {
				all = false
				continue
			}
			info := q.File.Names()
			if set, _ := names.StringValue(names.Argument(call, -1, "dtype")); set == "float32" {
				continue
			}
			if !strings.HasPrefix(info.Callee(call), "tensorflow.keras.layers.") || slices.Contains(wrappers, l.Class) ||
				names.HasSplat(call) || names.Argument(call, -1, "dtype").Valid() || !onlyLayer(m, l) {
				all = false
				continue
			}
			quote := q.Quote()
			argument := "dtype=" + quote + "float32" + quote
			var edit source.Edit
			if !call.Child(syntax.FieldArguments).FirstChild().Valid() { // Flatten()
				edit = source.Insert(call.Child(syntax.FieldArguments).Start()+1, argument)
			} else if more, ok := oneMore(q, call, argument); ok {
				edit = more
			} else {
				all = false
				continue
			}
			if q == p {
				edits = append(edits, edit)
			} else {
				in(q, edit)
			}
		}
	}
	return edits, all
}

// onlyLayer reports whether the call that creates a layer creates no other layer of the model.
func onlyLayer(m *graph.Model, l *graph.Layer) bool {
	return !slices.ContainsFunc(m.Layers(), func(other *graph.Layer) bool { return other != l && other.Node == l.Node })
}

// headImport returns the last import before anything else is defined or done in a block, and what
// follows it. Both are none if there is no such import.
func headImport(p *rule.Pass) (last, after syntax.Node) {
	for s := range p.File.Tree.Statements() {
		switch s.Kind() {
		case syntax.ImportStatement, syntax.ImportFromStatement, syntax.FutureImportStatement:
			last, after = s, syntax.Node{}
			continue
		case syntax.ExpressionStatement:
		case syntax.Comment:
			continue
		default:
			if !after.Valid() {
				after = s
			}
			return last, after
		}
		if !after.Valid() {
			after = s
		}
	}
	return last, after
}
