package graph

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// OneARow returns the shape of a number for each row of a tensor.
func OneARow(s tensor.Shape) tensor.Shape { return s[:max(len(s)-1, 0)] }

// LossName returns the name of a loss without underscores and in lower case.
func LossName(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// An OwnLoss holds the operations of the program's own loss on a model's output and its target.
type OwnLoss struct {
	Guess, Truth *Symbolic
	Body         *Body
}

// Owned returns the program's own loss of an output, as far as it is followed, or nil.
func (c *Compile) Owned(output int) *OwnLoss {
	if c == nil {
		return nil
	}
	own, _ := At(c.Own, output)
	return own
}

// Weights visits the variables of the layers that the loss calls, each once and if it is not among seen.
func (l *OwnLoss) Weights(seen map[*Weight]bool, visit func(*Weight)) {
	for _, n := range l.Body.Nodes {
		n.Layer.Visit(nil, false, seen, func(w *Weight, _ bool) { visit(w) })
	}
}

// Foreign visits the variables of networks that the losses call, each once. They are as resident as the
// model's, and fit trains none of them.
func (c *Compile) Foreign(seen map[*Weight]bool, visit func(*Weight)) {
	if c == nil {
		return
	}
	for _, own := range c.Own {
		if own != nil {
			own.Weights(seen, visit)
		}
	}
}

// Compares adds the operations of the loss of the n-th output to g, and returns its result and
// the target. They are nil if the operations are unknown. Of the networks that the loss calls, fit trains
// only the weights that are the model's.
func (c *Compile) Compares(g *Graph, number int, output *Tensor, trains func(*Weight) bool) (loss, truth *Tensor) {
	if c == nil {
		return nil, nil
	}
	own := c.Owned(number)
	if own == nil {
		l, known := At(c.Parts, number)
		if !known {
			return nil, nil
		}
		truth = c.truth(number, output)
		return l.Lower(g, output, truth, false), truth
	}
	truth = &Tensor{Shape: own.Truth.Shape.With(0, output.Shape[0]), DType: own.Truth.DType}
	if _, ok := truth.Shape.Elements(); !ok {
		return nil, nil
	}
	from, before := len(g.Ops), g.Snapshot
	g.Snapshot = before.frozen(own.Body.Nodes, trains)
	out, err := own.Body.Lower(g, []*Tensor{output, truth})
	g.Snapshot = before
	known := err == nil && len(out) == 1 && out[0].Grad
	for _, op := range g.Ops[from:] {
		for _, t := range op.Out {
			if _, ok := t.Shape.Elements(); !ok {
				known = false
			}
		}
	}
	if !known {
		g.Ops = g.Ops[:from]
		return nil, nil
	}
	return out[0], truth
}

// truth returns the target of an output: a tensor of its shape, or a number for each of its rows.
func (c *Compile) truth(number int, output *Tensor) *Tensor {
	if strings.HasPrefix(c.Loss(number), "sparse") {
		return &Tensor{Shape: OneARow(output.Shape), DType: "float32"}
	}
	return &Tensor{Shape: output.Shape, DType: "float32"}
}

// A LossCall is one of Keras's losses with the arguments that decide its operations.
type LossCall struct {
	Name   string // without underscores and in lower case
	logits bool   // from_logits: it compares scores before a softmax or a sigmoid
	// smooths, ignores and balances are set by label_smoothing, ignore_class and
	// apply_class_balancing.
	smooths, ignores, balances bool
	axis                       int64 // the dimension of the categories
	Keras2                     bool
}

// LossWith returns a loss that is called, or created, with the given arguments.
func LossWith(name string, args *value.Args, keras2 bool) *LossCall {
	l := &LossCall{Name: LossName(name), axis: -1, Keras2: keras2}
	if args == nil {
		return l
	}
	given := func(keyword string) bool {
		v, ok := args.Keywords.Get(keyword)
		_, none := v.X.(value.None)
		return ok && !none && v.X != false && v.X != 0.0 && v.X != int64(0)
	}
	l.logits, l.smooths, l.balances = given("from_logits"), given("label_smoothing"), given("apply_class_balancing")
	if v, ok := args.Keywords.Get("ignore_class"); ok {
		_, none := v.X.(value.None)
		l.ignores = !none
	}
	if axis, ok := args.Keywords.Get("axis"); ok {
		if n, known := axis.Int(); known {
			l.axis = n
		}
	}
	if len(args.Positional) == 1 && strings.HasSuffix(l.Name, "crossentropy") && !strings.HasSuffix(l.Name, "focalcrossentropy") {
		l.logits = args.Positional[0].X == true // the first argument of these classes
	}
	return l
}

// lossOperations are the losses that consist of operations on tensors of the size of their
// inputs, by name, as in keras/src/losses/losses.py.
var lossOperations = map[string]func(l *LossCall, p *parted) *Tensor{
	"meanabsoluteerror": func(_ *LossCall, p *parted) *Tensor { return p.mean(p.one(OpAbs, p.two(OpSubtract, p.truth, p.guess))) },
	"meanabsolutepercentageerror": func(_ *LossCall, p *parted) *Tensor {
		scale := p.number(OpMaximum, p.one(OpAbs, p.truth))
		return p.mean(p.one(OpAbs, p.two(OpDivide, p.two(OpSubtract, p.truth, p.guess), scale)))
	},
	"meansquaredlogarithmicerror": func(l *LossCall, p *parted) *Tensor {
		log := func(x *Tensor) *Tensor { return p.one(OpLog, p.number(OpAdd, p.number(OpMaximum, x))) }
		if l.Keras2 {
			return p.mean(p.two(OpSquaredDifference, log(p.guess), log(p.truth)))
		}
		return p.mean(p.one(OpSquare, p.two(OpSubtract, log(p.guess), log(p.truth))))
	},
	"huber": func(_ *LossCall, p *parted) *Tensor {
		difference := p.two(OpSubtract, p.guess, p.truth)
		distance := p.one(OpAbs, difference)
		return p.mean(p.choose(p.number(OpLessEqual, distance), p.number(OpMultiply, p.one(OpSquare, difference)), p.number(OpSubtract, distance)))
	},
	"logcosh": func(_ *LossCall, p *parted) *Tensor {
		x := p.two(OpSubtract, p.guess, p.truth)
		return p.mean(p.number(OpSubtract, p.two(OpAdd, x, p.active("softplus", p.number(OpMultiply, x)))))
	},
	"kldivergence": func(_ *LossCall, p *parted) *Tensor {
		truth, guess := p.clip(p.truth), p.clip(p.guess)
		return p.sum(p.two(OpMultiply, truth, p.one(OpLog, p.two(OpDivide, truth, guess))))
	},
	"poisson": func(_ *LossCall, p *parted) *Tensor {
		return p.mean(p.two(OpSubtract, p.guess, p.two(OpMultiply, p.truth, p.one(OpLog, p.number(OpAdd, p.guess)))))
	},
	"hinge":        func(_ *LossCall, p *parted) *Tensor { return p.mean(p.margin()) },
	"squaredhinge": func(_ *LossCall, p *parted) *Tensor { return p.mean(p.one(OpSquare, p.margin())) },
	"categoricalhinge": func(_ *LossCall, p *parted) *Tensor {
		right := p.sum(p.two(OpMultiply, p.truth, p.guess))
		wrong := p.reduce(OpMax, p.two(OpMultiply, p.number(OpSubtract, p.truth), p.guess))
		return p.number(OpMaximum, p.two(OpSubtract, wrong, right))
	},
	"cosinesimilarity": func(_ *LossCall, p *parted) *Tensor {
		normal := func(x *Tensor) *Tensor {
			return p.two(OpMultiply, x, p.one(OpRsqrt, p.number(OpMaximum, p.keep(OpSum, p.one(OpSquare, x)))))
		}
		guess := normal(p.guess)
		return p.sum(p.two(OpMultiply, normal(p.truth), guess))
	},
	"dice": func(_ *LossCall, p *parted) *Tensor {
		both := p.total(p.two(OpMultiply, p.truth, p.guess))
		return p.two(OpDivide, both, p.two(OpAdd, p.total(p.truth), p.total(p.guess)))
	},
	"tversky": func(_ *LossCall, p *parted) *Tensor {
		both := p.total(p.two(OpMultiply, p.truth, p.guess))
		missed := p.total(p.two(OpMultiply, p.number(OpSubtract, p.guess), p.truth))
		wrong := p.total(p.two(OpMultiply, p.guess, p.number(OpSubtract, p.truth)))
		return p.two(OpDivide, both, p.two(OpAdd, both, p.two(OpAdd, missed, wrong)))
	},
	"binarycrossentropy": func(l *LossCall, p *parted) *Tensor {
		return p.mean(p.binary(l, p.smoothed(l)))
	},
	"binaryfocalcrossentropy": func(l *LossCall, p *parted) *Tensor {
		truth := p.smoothed(l)
		if l.logits {
			p.guess = p.active("sigmoid", p.guess)
		}
		entropy := p.binary(l, truth)
		certain := p.two(OpAdd, p.two(OpMultiply, truth, p.guess), p.two(OpMultiply, p.number(OpSubtract, truth), p.number(OpSubtract, p.guess)))
		loss := p.two(OpMultiply, p.number(OpPow, p.number(OpSubtract, certain)), entropy)
		if l.balances {
			weight := p.two(OpAdd, p.number(OpMultiply, truth), p.number(OpMultiply, p.number(OpSubtract, truth)))
			loss = p.two(OpMultiply, weight, loss)
		}
		return p.mean(loss)
	},
	"categoricalcrossentropy": func(l *LossCall, p *parted) *Tensor {
		truth := p.smoothed(l)
		scores, told := p.scores()
		if l.logits || told {
			if n := int64(len(scores.Shape)); l.axis != -1 && l.axis != n-1 {
				scores, truth = p.turned(scores), p.turned(truth)
			}
			return p.entropy(scores, truth)
		}
		likely := p.clip(p.two(OpDivide, p.guess, p.keep(OpSum, p.guess)))
		return p.sum(p.two(OpMultiply, truth, p.one(OpLog, likely)))
	},
	"categoricalfocalcrossentropy": func(l *LossCall, p *parted) *Tensor {
		truth, guess := p.smoothed(l), p.guess
		if l.logits {
			guess = p.active("softmax", guess)
		}
		likely := p.clip(p.two(OpDivide, guess, p.keep(OpSum, guess)))
		entropy := p.two(OpMultiply, p.one(OpNegative, truth), p.one(OpLog, likely))
		weight := p.number(OpMultiply, p.number(OpPow, p.number(OpSubtract, likely)))
		return p.sum(p.two(OpMultiply, weight, entropy))
	},
	"sparsecategoricalcrossentropy": func(l *LossCall, p *parted) *Tensor {
		if l.ignores && !l.Keras2 {
			valid := p.number(OpNotEqual, p.truth)
			shape := append(append(tensor.Shape{}, valid.Shape...), 1)
			p.guess = p.choose(View(p.g, valid, shape), p.guess, nil)
		}
		scores, told := p.scores()
		if !l.logits && !told {
			scores = p.one(OpLog, p.clip(p.guess))
		}
		if l.ignores && l.Keras2 {
			// At most all rows of the scores. Their gradient is sparse, and its rows are summed.
			all, op := p.g.Add(OpGather, []*Tensor{scores}, scores.Shape, scores.DType)
			op.Extra = []int64{p.truth.Bytes()}
			scores = all
		}
		return p.entropy(scores, p.truth)
	},
}

func init() {
	for short, name := range map[string]string{
		"mae": "meanabsoluteerror", "mape": "meanabsolutepercentageerror", "msle": "meansquaredlogarithmicerror", "kld": "kldivergence", "kullbackleiblerdivergence": "kldivergence",
		"bce": "binarycrossentropy", "huberloss": "huber",
	} {
		lossOperations[short] = lossOperations[name]
	}
}

// A parted is a loss that is being lowered to operations.
type parted struct {
	g            *Graph
	guess, truth *Tensor
	err          error
}

// Lower adds the operations of a loss to g, and returns its result, per row if requested; nil if
// the operations are unknown.
func (l *LossCall) Lower(g *Graph, guess, truth *Tensor, rows bool) *Tensor {
	f := lossOperations[l.Name]
	if f == nil || len(guess.Shape) == 0 {
		return nil
	}
	from := len(g.Ops)
	p := &parted{g: g}
	p.guess, p.truth = l.Typed(g, guess, truth)
	loss := f(l, p)
	if p.err != nil {
		g.Ops = g.Ops[:from]
		return nil
	}
	if !rows && len(loss.Shape) > 0 {
		loss = Reduce(g, OpSum, loss, tensor.Shape{}) // keras/src/losses/loss.py, reduce_values
	}
	return loss
}

// Typed converts predictions and targets to one type: in Keras 2, that of the predictions
// (tf_keras/src/losses.py, mean_squared_error).
func (l *LossCall) Typed(g *Graph, guess, truth *Tensor) (*Tensor, *Tensor) {
	if l.casts(guess) {
		guess = Cast(g, guess, "float32")
	}
	if l.Name != "sparsecategoricalcrossentropy" {
		truth = Cast(g, truth, guess.DType)
	}
	return guess, truth
}

// casts reports whether a Keras 3 loss converts its inputs to its own type
// (keras/src/losses/loss.py, Loss.__call__).
func (l *LossCall) casts(guess *Tensor) bool {
	return !l.Keras2 && guess.DType != "float32"
}

func (p *parted) fail(t *Tensor, err error) *Tensor {
	if err != nil && p.err == nil {
		p.err = err
	}
	if t == nil {
		return &Tensor{DType: "float32"}
	}
	return t
}

// one adds a function of a tensor.
func (p *parted) one(kind *Kind, x *Tensor) *Tensor {
	return Unary(p.g, kind, x)
}

// two adds an operation on two tensors.
func (p *parted) two(kind *Kind, a, b *Tensor) *Tensor {
	return p.fail(Combine(p.g, kind, a, b))
}

// number adds an operation on a tensor and a number.
func (p *parted) number(kind *Kind, x *Tensor) *Tensor {
	return WithNumber(p.g, kind, x, false)
}

// active adds an activation.
func (p *parted) active(name string, x *Tensor) *Tensor {
	out, ok := Activation(p.g, name, x)
	if !ok {
		return p.fail(nil, value.Because(value.WrongType, "%s is not an activation", name))
	}
	return out
}

// choose adds tf.where; a nil tensor is a number.
func (p *parted) choose(condition, a, b *Tensor) *Tensor {
	in := []*Tensor{condition, a}
	if b != nil {
		in = append(in, b)
	}
	return p.fail(Choice(p.g, in))
}

// clip adds tf.clip_by_value (tensorflow/python/ops/clip_ops.py).
func (p *parted) clip(x *Tensor) *Tensor { return p.number(OpMaximum, p.number(OpMinimum, x)) }

// reduce reduces each row of a tensor to one number.
func (p *parted) reduce(kind *Kind, x *Tensor) *Tensor {
	return Reduce(p.g, kind, x, OneARow(x.Shape))
}

// total adds up all of a tensor.
func (p *parted) total(x *Tensor) *Tensor { return Reduce(p.g, OpSum, x, tensor.Shape{}) }

// keep is reduce that keeps the last dimension as 1.
func (p *parted) keep(kind *Kind, x *Tensor) *Tensor {
	return Reduce(p.g, kind, x, x.Shape.With(-1, 1))
}

// mean and sum reduce rows.
func (p *parted) mean(x *Tensor) *Tensor { return p.reduce(OpMean, x) }

func (p *parted) sum(x *Tensor) *Tensor { return p.reduce(OpSum, x) }

// margin returns the tensor that a hinge loss averages.
func (p *parted) margin() *Tensor {
	return p.number(OpMaximum, p.number(OpSubtract, p.two(OpMultiply, p.truth, p.guess)))
}

// smoothed returns the target after label_smoothing.
func (p *parted) smoothed(l *LossCall) *Tensor {
	if !l.smooths {
		return p.truth
	}
	return p.number(OpAdd, p.number(OpMultiply, p.truth))
}

// scores returns what a loss reads if the guess is the output of an activation
// (keras/src/backend/tensorflow/nn.py, _get_logits).
func (p *parted) scores() (*Tensor, bool) {
	if op := p.guess.From; op != nil && (op.Kind == OpSoftmax || op.Kind == OpSigmoid) && len(op.In) == 1 {
		return op.In[0], true
	}
	return p.guess, false
}

// entropy adds the kernel that compares scores with categories.
func (p *parted) entropy(scores, truth *Tensor) *Tensor {
	out, op := p.g.Add(OpLoss, []*Tensor{scores, truth}, OneARow(scores.Shape), "float32")
	op.Loss = "softmaxcrossentropywithlogits"
	op.NoGradOf = []int{1}
	return out
}

// turned transposes a tensor so that categories are last (tensorflow/python/ops/nn_ops.py,
// softmax_cross_entropy_with_logits_v2).
func (p *parted) turned(x *Tensor) *Tensor {
	return p.g.Tensor(OpTranspose, []*Tensor{x}, x.Shape, x.DType)
}

// binary adds binary cross-entropy, element by element (tensorflow/python/ops/nn_impl.py,
// sigmoid_cross_entropy_with_logits; keras/src/backend/tensorflow/nn.py, binary_crossentropy).
func (p *parted) binary(l *LossCall, truth *Tensor) *Tensor {
	scores, told := p.scores()
	if told || l.logits && l.Name == "binarycrossentropy" {
		positive := p.number(OpGreaterEqual, scores)
		relu := p.choose(positive, scores, nil)
		small := p.choose(positive, p.one(OpNegative, scores), scores)
		difference := p.two(OpSubtract, relu, p.two(OpMultiply, scores, truth))
		return p.two(OpAdd, difference, p.one(OpLog1p, p.one(OpExp, small)))
	}
	likely := p.clip(p.guess)
	right := p.two(OpMultiply, truth, p.one(OpLog, likely))
	wrong := p.two(OpMultiply, p.number(OpSubtract, truth), p.one(OpLog, p.number(OpSubtract, likely)))
	return p.one(OpNegative, p.two(OpAdd, right, wrong))
}

// ReadsScores reports whether the loss of an output reads the input of the activation that
// computed the output.
func (c *Compile) ReadsScores(output int, by *Op) bool {
	if c == nil || by.Kind != OpSoftmax && by.Kind != OpSigmoid {
		return false
	}
	l, known := At(c.Parts, output)
	return known && !l.casts(by.Out[0]) && (!l.ignores || l.Keras2) && (strings.HasSuffix(l.Name, "categoricalcrossentropy") || l.Name == "binarycrossentropy")
}
