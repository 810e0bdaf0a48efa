package memory

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Place is where a model is to run, and how.
type Place struct {
	// Device is the GPU that the model is compared with, nil if none is known. Process is the
	// program's share of it.
	Device  *Device
	Process Process
	// Others are GPUs that the model may be moved to. They may include Device.
	Others []Device
	// Batch is the batch size to price, of all replicas together; 0 for the program's own.
	Batch int64
	// Beyond says why nothing is known of the memory there, whatever the model; nil if the memory
	// is TensorFlow's.
	Beyond *value.Cause
	// Feeds is set if Keras feeds models one batch after the other and leaves arrays in host memory, as
	// in TensorFlow 1.
	Feeds bool
	// Lost is set if the program trains a model that is not known.
	Lost bool
	// OnCPU is set if the program hides its GPUs, or places on the CPU what would otherwise run
	// on a GPU.
	OnCPU bool
}

// Fixed reports whether one batch size alone has a price: the program itself fixes it, in the shapes of
// the model's inputs or in a step without a batch, or the step was traced on it.
func (a *Assessment) Fixed() bool { return a.Named || a.Model.Own.Fixed() || a.Then.Traced != nil }

// An Assessment is all there is to say of one model.
type Assessment struct {
	Model *graph.Model
	// Phase is the main one: of those that are priced, the one with the largest need. Curve and
	// Largest are about it.
	*Phase
	// Phases are all that the program does with the model, in its order; if it does nothing, one that
	// is supposed. Build is the creation of its weights, which comes before them; nil if it is not
	// known.
	Phases []*Phase
	Build  *Phase
	// Trainings counts the trainings that differ in more than a smaller batch.
	Trainings int
	// Unresolved says why there is no estimate, or only half of one.
	Unresolved []*value.Cause

	Parameters, Trained Range
	Precision           string // the dtype policy: "float32", "mixed_float16"
	Layers              []LayerCost

	OnCPU bool // from Place.OnCPU
	lost  bool // from Place.Lost

	// Training and Inference are the phases of their kind with the largest need. Training is nil if
	// the model is not compiled, or cannot be priced. If the program only trains, Inference is a
	// prediction on the same batch in a process that does not train, of which only the Need is set.
	Training, Inference *Phase
	// Curve gives the need on each GPU by the batch size of all replicas.
	Curve Curve

	Device  *Device
	Process Process
	Budget  Budget // of the device; zero if there is none
	Verdict Verdict
	// Largest is the largest batch size that fits. It is meaningless if the verdict is Unknown.
	Largest int64
	Others  []Fit
}

// A LayerCost is what one layer costs.
type LayerCost struct {
	Layer      *graph.Layer
	Wider      *graph.Layer // the layer in the widest model, see [graph.Model]; else nil
	Parameters Range
	// Kept is the bytes, on each GPU, of the layer's tensors that gradients read.
	Kept  int64
	Inner []LayerCost // of a model that is used as a layer
}

// WeightBytes returns the size of the layer's weights.
func (c *LayerCost) WeightBytes() (n int64) {
	c.Layer.EachWeight(func(w *graph.Weight) { n += w.Bytes() })
	return n
}

// A Ranking holds the largest layers of a model.
type Ranking struct {
	First  []LayerCost // the largest layers, sorted; none of size 0
	Others int         // how many more layers have a size
	Rest   int64       // the sum of their sizes
	All    int         // the number of layers
}

// Rank returns the largest layers by a size, at most so many. A model that is used as a layer
// counts as its own layers.
func (a *Assessment) Rank(most int, size func(*LayerCost) int64) Ranking {
	var r Ranking
	r.rank(a.Layers, most, size)
	return r
}

func (r *Ranking) rank(layers []LayerCost, most int, size func(*LayerCost) int64) {
	for i := range layers {
		l := &layers[i]
		if len(l.Inner) > 0 {
			r.rank(l.Inner, most, size)
			continue
		}
		r.All++
		n := size(l)
		if n == 0 {
			continue
		}
		at := len(r.First)
		for at > 0 && size(&r.First[at-1]) < n {
			at--
		}
		if r.First = slices.Insert(r.First, at, *l); len(r.First) > most {
			r.Others++
			r.Rest += size(&r.First[most])
			r.First = r.First[:most]
		}
	}
}

// A Fit says how a model would fit another GPU.
type Fit struct {
	Device  Device
	Verdict Verdict
	Largest int64 // a batch size that surely fits, close to the largest; 0 for none
}

// defaultBatch is the default batch size of fit and predict
// (keras/src/trainers/data_adapters/array_data_adapter.py).
const defaultBatch = 32

// Assess prices a model for the given uses.
func Assess(m *graph.Model, uses []*graph.ModelCall, at Place) *Assessment {
	return NewPricing(uses, at, nil).Assess(m, at)
}

// Assess prices all that the program does with a model. What the pricing asks of a place is that of
// its own.
func (pr *Pricing) Assess(m *graph.Model, at Place) *Assessment {
	return pr.assess(m, at, func(pr *Pricing) []*Phase { return pr.of(m).phases })
}

// AssessUse is Assess for one use of a model.
func (pr *Pricing) AssessUse(u *graph.ModelCall, at Place) *Assessment {
	return pr.assess(u.Model, at, func(pr *Pricing) []*Phase { return pr.Phases(u) })
}

func (pr *Pricing) assess(m *graph.Model, at Place, phases func(*Pricing) []*Phase) *Assessment {
	a := &Assessment{Model: m, Phase: &Phase{Then: m}, Unresolved: m.Unresolved, Verdict: Unknown, Device: pr.at.Device, Process: at.Process, OnCPU: at.OnCPU, lost: at.Lost}
	if a.Device != nil {
		a.Budget = BudgetOf(*a.Device, at.Process)
	}
	if err := Guard(func() error { return a.assess(pr, phases, at) }); err != nil {
		a.Unresolved = []*value.Cause{value.From(err)}
		if a.Priced() {
			a.unpriced()
		}
		a.Training, a.Curve, a.Others, a.Verdict, a.Largest = nil, nil, nil, Unknown, 0
	}
	return a
}

// unpriced leaves only what the program does with the model, without any size.
func (a *Assessment) unpriced() {
	a.Phase = &Phase{Kind: a.Kind, Use: a.Use, Then: a.Then}
	a.Phases, a.Build, a.Inference = []*Phase{a.Phase}, nil, nil
}

func (a *Assessment) assess(pr *Pricing, phases func(*Pricing) []*Phase, at Place) error {
	m := a.Model
	a.Precision = precision(m)
	a.Layers = layerCosts(m)
	a.take(phases(pr))
	a.Trainings = distinct(a.Phases)
	a.Parameters, a.Trained = parameters(a.Then)
	unbuilt := m.Unbuilt()
	if len(a.Unresolved) > 0 || unbuilt != nil {
		a.unpriced()
	}
	if len(a.Unresolved) > 0 {
		return nil
	}
	if why := cmp.Or(unbuilt, a.Then.Unsettled(), at.Beyond); why != nil {
		if unbuilt == nil {
			a.take(phases(NewPricing(pr.uses, pr.at, nil))) // which nobody prices
		}
		return why
	}
	a.Build = pr.build(m)
	l := executor.Unused.Get().(*executor.Lowered)
	err := a.price(l, at.Others)
	l.Free()
	if a.Training != nil {
		a.Parameters, a.Trained = parameters(a.Training.Then)
	}
	return err
}

// take sets the phases, of which the first is the main one as long as none is priced.
func (a *Assessment) take(phases []*Phase) {
	a.Phases = slices.Clone(phases)
	a.Phase = a.first()
}

// first returns the first training, or else the first phase.
func (a *Assessment) first() *Phase {
	return a.Phases[max(slices.IndexFunc(a.Phases, (*Phase).Trains), 0)]
}

// distinct counts the trainings that differ in more than a smaller batch.
func distinct(phases []*Phase) (n int) {
	for i, p := range phases {
		if p.Trains() && !slices.ContainsFunc(phases[:i], p.like) {
			n++
		}
	}
	return n
}

// parameters returns the numbers of all and of the trained parameters of a model.
func parameters(m *graph.Model) (all, trained Range) {
	of, oft := m.Parameters()
	all, trained = Range{of, of}, Range{oft, oft}
	if m.Wider != nil {
		of, oft = m.Wider.Parameters()
		all, trained = all.with(of), trained.with(oft)
	}
	return all, trained
}

// widens reports whether the model changes if numbers that are only known at run time have their
// upper bounds.
func (a *Assessment) widens() bool {
	if a.Then.Wider == nil {
		return false
	}
	own := a.inputs(1)
	sameInputs := slices.EqualFunc(own, a.Then.WiderInputs(own), func(in, wide graph.Input) bool { return slices.Equal(in.Shape, wide.Shape) })
	return !a.Parameters.Exact() || !a.Trained.Exact() || !sameInputs || len(a.Then.Layers()) != len(a.Then.Wider.Layers())
}

// Known reports whether the model itself is known, whatever is known of its use.
func (a *Assessment) Known() bool { return a.Model.Known() }

// precision returns the policy under which most of a model computes.
func precision(m *graph.Model) string {
	count := map[string]int{}
	eachLeaf(m, func(l *graph.Layer) {
		if len(l.Weights) > 0 {
			count[l.Policy()]++
		}
	})
	most := "float32"
	for _, policy := range slices.Sorted(maps.Keys(count)) {
		if count[policy] > count[most] {
			most = policy
		}
	}
	return most
}

// price prices the phases, and weighs them.
func (a *Assessment) price(l *executor.Lowered, others []Device) error {
	for _, p := range a.Phases {
		if err := p.price(l, true); err != nil {
			if p.Why == nil {
				return err // it was interrupted
			}
			continue
		}
		of := &a.Inference
		if p.Trains() {
			of = &a.Training
		}
		if *of == nil || p.High > (*of).High {
			*of = p
		}
	}
	switch {
	case a.Training != nil:
		a.Phase = a.Training
	case a.Trains(): // no training is priced
	case a.Inference != nil:
		a.Phase = a.Inference
	}
	if a.Inference == nil && a.Then.Own == nil && a.Then.Traced == nil { // a custom training step says nothing about prediction
		a.Inference = a.alone(l)
	} else if a.Priced() && a.Inference != nil && a.Inference.High > a.High {
		a.Phase = a.Inference
	}
	if !a.Priced() {
		return a.Why
	}
	if a.Training != nil {
		kept, strays := a.owned()
		keep(a.Layers, kept)
		a.Layers = append(a.Layers, strays...)
	}
	a.weigh(others)
	return nil
}

// alone returns the prediction of a model on the batch of the main phase, which trains it. It
// returns nil if the batch is not known.
func (a *Assessment) alone(l *executor.Lowered) *Phase {
	p := &Phase{Kind: Predicting, Then: a.Then, Batch: a.Batch, Replica: a.Replica, Replicas: a.Replicas, Profile: &Profile{Top: -1}}
	if p.Replica < 1 || l.Lower(a.Then, a.inputs(p.Replica), true) != nil {
		return nil
	}
	p.Need = infer(a.Then, Resident(a.Then, nil), l, generationOf(a.device), nil)
	if widen(&p.Need, a.Then, l, a.inputs(p.Replica), generationOf(a.device)) != nil {
		return nil
	}
	return p
}

// owned attributes kept bytes to the layers of the model. What an inner layer keeps, as in
// Bidirectional and TimeDistributed, belongs to the outer layer. strays are the operations that
// belong to no layer of the model.
func (a *Assessment) owned() (kept map[*graph.Layer]int64, strays []LayerCost) {
	keptBy := a.Training.KeptBy
	outer := make(map[*graph.Layer]*graph.Layer, len(a.Layers))
	var own func(l, by *graph.Layer)
	own = func(l, by *graph.Layer) {
		outer[l] = by
		for _, p := range l.Parts() {
			own(p, by)
		}
	}
	eachLeaf(a.Model, func(l *graph.Layer) { own(l, l) })
	kept = make(map[*graph.Layer]int64, len(keptBy))
	outside := map[*graph.Layer]int64{}
	for l, n := range keptBy {
		if by := outer[l]; by != nil {
			kept[by] += n
		} else if l != nil && n > 0 { // nil is the loss
			outside[l] = n
		}
	}
	if len(outside) == 0 {
		return kept, nil
	}
	holder := map[*graph.Weight]*graph.Layer{}
	eachLeaf(a.Model, func(l *graph.Layer) {
		l.EachWeight(func(w *graph.Weight) { holder[w] = l })
	})
	for _, m := range a.Training.Moments {
		l := m.Layer
		n, ok := outside[l]
		if !ok {
			continue
		}
		delete(outside, l)
		var by *graph.Layer
		if len(l.Weights) > 0 {
			by = holder[l.Weights[0]]
		}
		if by != nil {
			kept[by] += n
		} else {
			strays = append(strays, LayerCost{Layer: l, Kept: n})
		}
	}
	return kept, strays
}

// eachLeaf visits the layers of a model. For a model that is used as a layer, it visits that
// model's layers instead.
func eachLeaf(m *graph.Model, visit func(*graph.Layer)) {
	for _, l := range m.Layers() {
		if l.Inner != nil {
			eachLeaf(l.Inner, visit)
		} else {
			visit(l)
		}
	}
}

// Assumptions returns what the figures assume beyond the program, in sentences.
func (a *Assessment) Assumptions() []string {
	if !a.Priced() {
		return nil
	}
	var out []string
	if a.Trainings > 1 {
		out = append(out, fmt.Sprintf("The program trains it in %d ways; this is the one that needs the most.", a.Trainings))
	}
	if a.widens() {
		out = append(append(out, a.Then.Assumptions...), "The range covers both extremes; all other figures are for the lower one.")
	}
	out = append(out, a.compiled()...)
	for _, p := range a.Phases {
		if p.Why != nil {
			out = append(out, fmt.Sprintf("The memory that %s needs is not known: %s.", p.Title(), p.Why))
			continue
		}
		for _, t := range p.Terms() {
			if t.Unknown != nil {
				out = append(out, fmt.Sprintf("Not counted: %s; %s.", t.What, t.Unknown))
			}
		}
	}
	out = slices.Compact(out)
	switch p := a.Process; {
	case a.Device != nil && p.Limit > 0:
		out = append(out, "The program sets a memory limit of "+Bytes(p.Limit)+", which is all that its tensors can use. The process takes several hundred MiB more of the GPU, for CUDA's context and libraries.")
	case a.Device != nil && p.Fraction > 0:
		out = append(out, fmt.Sprintf("The program lets TensorFlow have %.3g %% of the GPU's memory.", 100*p.Fraction))
	}
	if a.OnCPU {
		out = append(out, "The program hides GPUs or places a part of itself on the CPU, or may do so. The figures assume that all of it runs on a GPU.")
	}
	return out
}

// compiled says what compiles the step, in sentences.
func (a *Assessment) compiled() []string {
	xla, why := a.Then.XLA()
	own := a.Model.Own
	switch {
	case !xla && own != nil && !own.Compiled:
		return []string{"Operations run eagerly, without tf.function: Python names keep their tensors alive."}
	case !xla:
		out := []string{"Operations run one by one, without XLA: " + why + "."}
		if own == nil && a.Then.Compiled != nil && a.Then.Compiled.Eager {
			out = append(out, "Python and the tape keep more tensors alive than a graph does.")
		}
		return out
	}
	out := []string{"The step is compiled with XLA: " + why + ". Fused elementwise results are not materialised."}
	if most, high := a.withCublas(), a.High; most > high+high/20 {
		out = append(out, "XLA uses its own kernels for matrix products, unless autotuning on the GPU finds cuBLAS faster; with cuBLAS a step takes up to "+Bytes(most)+".")
	}
	return out
}

// withCublas returns the high end of the training step's need if XLA prefers cuBLAS's kernels. It
// returns 0 if XLA has no choice on the GPU, and for long steps.
func (a *Assessment) withCublas() int64 {
	if !a.Trains() || a.Device == nil || generationOf(*a.Device) != executor.Ampere || len(a.Moments) > executor.Long {
		return 0
	}
	other := *a.Phase
	other.device, other.trainer = Device{}, nil
	need, err := other.cost(a.Replica)
	if err != nil {
		return 0
	}
	return need.High
}

// Main returns the phase that decides the verdict, the one with the largest need. It returns nil if
// nothing is priced.
func (a *Assessment) Main() *Phase {
	if !a.Priced() {
		return nil
	}
	return a.Phase
}

// Total returns the need of the main phase, raised to what other phases may need, and to that of
// making the weights.
func (a *Assessment) Total() Need {
	need := a.Need
	for _, p := range a.Phases {
		if p.Priced() {
			need = need.atLeast(p.Need)
		}
	}
	return a.Built(need)
}

// Built raises a need to that of making the weights.
func (a *Assessment) Built(need Need) Need {
	if a.Build == nil {
		return need
	}
	return need.atLeast(a.Build.Need)
}

// Used reports whether the program says how it uses the model. A model that is neither compiled
// nor run is probably trained in a custom loop that was not found, and inference alone would
// understate its need.
func (a *Assessment) Used() bool { return a.Trains() || a.Use != nil }

// WhyUnknown says in words why there is no verdict.
func (a *Assessment) WhyUnknown() string {
	switch {
	case !a.Budget.Known():
		return "no GPU is known"
	case !a.Used():
		return "the program does not say whether it is trained"
	case a.Assumed:
		return "no training of it is known that sets a batch size"
	case a.MayTrain():
		return "the program trains a model that is not known, which may be this one"
	case a.Total().Open:
		said := "the GPU holds " + a.Uncounted() + ", whose size is not known"
		if left := a.Budget.Low - a.Total().High; left > 0 {
			said += " (" + a.Device.Name + " surely has room for " + Bytes(left) + ")"
		}
		return said
	}
	return "it needs between " + Bytes(a.Need.Low) + " and " + Bytes(a.Need.High)
}

// Uncounted names the data that the device holds and whose size is not known: "x and y of fit()".
// It returns "" if there are none.
func (a *Assessment) Uncounted() string {
	var names []string
	for _, p := range a.Phases {
		if !p.Priced() {
			continue
		}
		for _, t := range p.Terms() {
			if t.Open() && !slices.Contains(names, t.What) {
				names = append(names, t.What)
			}
		}
	}
	return strings.Join(names, " and ")
}

// MayTrain reports whether a compiled model, of which no training is known, may be the one that
// another training of the program is of.
func (a *Assessment) MayTrain() bool { return a.lost && a.Training == nil && a.Then.Optimizer != nil }

// weigh compares the model with the device and with others.
func (a *Assessment) weigh(others []Device) {
	need := a.Total()
	beyond := a.Budget.Expected
	for _, d := range others {
		beyond = max(beyond, BudgetOf(d, Process{}).Expected)
	}
	factor := int64(2)
	if len(a.Moments) > executor.Long/4 {
		factor = 8
	}
	unit := a.Unit()
	made := a.Built(Need{}).High // no batch is small enough for less
	if a.Assumed {
		// What trains a compiled model and is not followed, as another library, takes batches of any
		// size. Only what does not fit on the smallest is known.
		if least, err := a.Cost(unit); err == nil {
			need = a.Built(least)
		}
	}
	judge := func(b Budget) Verdict {
		switch v := Judge(need, b); {
		case !a.Used(), v != Exceeds && (a.Assumed || a.MayTrain()):
			return Unknown
		default:
			return v
		}
	}
	xla, _ := a.Then.XLA()
	each := curve(factor, beyond, a.Replica/unit, xla, func(n int64) (Need, error) { return a.Cost(n * unit) })
	for _, p := range each {
		a.Curve = append(a.Curve, Point{p.Batch * unit * a.Replicas, p.Need})
	}
	for _, d := range others {
		if a.Device != nil && d.Name == a.Device.Name && d.Total == a.Device.Total {
			continue
		}
		budget := BudgetOf(d, Process{})
		fit := Fit{d, Unknown, 0}
		if made <= budget.Low {
			fit.Largest = each.Within(budget.Low) * unit * a.Replicas
		}
		fit.Verdict = judge(budget)
		a.Others = append(a.Others, fit)
	}
	if a.Budget.Known() && a.Used() {
		a.Verdict = judge(a.Budget)
		if !a.Assumed {
			a.Largest = a.Phase.Largest(a.Budget)
		}
	}
}

// layerCosts returns the costs of a model's layers. Shared weights count for the first layer that
// has them.
func layerCosts(m *graph.Model) []LayerCost {
	layers := m.Layers()
	out := make([]LayerCost, len(layers))
	counted := make(map[*graph.Weight]bool, 2*len(layers))
	count := func(l *graph.Layer) (n int64) {
		l.EachWeight(func(w *graph.Weight) {
			if !counted[w] {
				counted[w] = true
				n += w.Elements()
			}
		})
		return n
	}
	var wider []*graph.Layer
	if m.Wider != nil {
		wider = m.Wider.Layers()
	}
	for i, l := range layers {
		c := LayerCost{Layer: l}
		n := count(l)
		c.Parameters = Range{n, n}
		if len(wider) == len(layers) && wider[i].Class == l.Class {
			c.Wider = wider[i]
			c.Parameters = c.Parameters.with(count(c.Wider))
		}
		if l.Inner != nil {
			c.Inner = layerCosts(l.Inner)
		}
		out[i] = c
	}
	return out
}

// keep fills in the kept bytes of layers and returns their sum.
func keep(layers []LayerCost, kept map[*graph.Layer]int64) (sum int64) {
	for i := range layers {
		c := &layers[i]
		c.Kept = kept[c.Layer] + keep(c.Inner, kept)
		sum += c.Kept
	}
	return sum
}
