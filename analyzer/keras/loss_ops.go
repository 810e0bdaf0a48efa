package keras

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// A lossCall is one of Keras's losses with what decides on its operations.
type lossCall struct {
	Name   string // without underscores and in lower case
	logits bool   // it is told that it compares scores before a softmax or a sigmoid
	// smooths, ignores and balances tell of label_smoothing, ignore_class and
	// apply_class_balancing.
	smooths, ignores, balances bool
	axis                       int64 // along which categories are
	keras2                     bool
}

// lossWith is a loss of a name that is called, or made, with the given arguments.
func lossWith(name string, args *value.Args, keras2 bool) *lossCall {
	l := &lossCall{Name: lossName(name), axis: -1, keras2: keras2}
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

// lossOperations are the losses that are made of operations on tensors of the size of
// what they compare, by their names, as keras/src/losses/losses.py has them.
var lossOperations = map[string]func(l *lossCall, p *parted) *Tensor{
	"meanabsoluteerror": func(_ *lossCall, p *parted) *Tensor { return p.mean(p.one("abs", p.two("Subtract", p.truth, p.guess))) },
	"meanabsolutepercentageerror": func(_ *lossCall, p *parted) *Tensor {
		scale := p.number("Maximum", p.one("abs", p.truth))
		return p.mean(p.one("abs", p.two("Divide", p.two("Subtract", p.truth, p.guess), scale)))
	},
	"meansquaredlogarithmicerror": func(l *lossCall, p *parted) *Tensor {
		log := func(x *Tensor) *Tensor { return p.one("log", p.number("Add", p.number("Maximum", x))) }
		if l.keras2 {
			return p.mean(p.two("SquaredDifference", log(p.guess), log(p.truth)))
		}
		return p.mean(p.one("square", p.two("Subtract", log(p.guess), log(p.truth))))
	},
	"huber": func(_ *lossCall, p *parted) *Tensor {
		difference := p.two("Subtract", p.guess, p.truth)
		distance := p.one("abs", difference)
		return p.mean(p.choose(p.number("LessEqual", distance), p.number("Multiply", p.one("square", difference)), p.number("Subtract", distance)))
	},
	"logcosh": func(_ *lossCall, p *parted) *Tensor {
		x := p.two("Subtract", p.guess, p.truth)
		return p.mean(p.number("Subtract", p.two("Add", x, p.active("softplus", p.number("Multiply", x)))))
	},
	"kldivergence": func(_ *lossCall, p *parted) *Tensor {
		truth, guess := p.clip(p.truth), p.clip(p.guess)
		return p.sum(p.two("Multiply", truth, p.one("log", p.two("Divide", truth, guess))))
	},
	"poisson": func(_ *lossCall, p *parted) *Tensor {
		return p.mean(p.two("Subtract", p.guess, p.two("Multiply", p.truth, p.one("log", p.number("Add", p.guess)))))
	},
	"hinge":        func(_ *lossCall, p *parted) *Tensor { return p.mean(p.margin()) },
	"squaredhinge": func(_ *lossCall, p *parted) *Tensor { return p.mean(p.one("square", p.margin())) },
	"categoricalhinge": func(_ *lossCall, p *parted) *Tensor {
		right := p.sum(p.two("Multiply", p.truth, p.guess))
		wrong := p.reduce("max", p.two("Multiply", p.number("Subtract", p.truth), p.guess))
		return p.number("Maximum", p.two("Subtract", wrong, right))
	},
	"cosinesimilarity": func(_ *lossCall, p *parted) *Tensor {
		normal := func(x *Tensor) *Tensor {
			return p.two("Multiply", x, p.one("rsqrt", p.number("Maximum", p.keep("sum", p.one("square", x)))))
		}
		guess := normal(p.guess)
		return p.sum(p.two("Multiply", normal(p.truth), guess))
	},
	"dice": func(_ *lossCall, p *parted) *Tensor {
		both := p.total(p.two("Multiply", p.truth, p.guess))
		return p.two("Divide", both, p.two("Add", p.total(p.truth), p.total(p.guess)))
	},
	"tversky": func(_ *lossCall, p *parted) *Tensor {
		both := p.total(p.two("Multiply", p.truth, p.guess))
		missed := p.total(p.two("Multiply", p.number("Subtract", p.guess), p.truth))
		wrong := p.total(p.two("Multiply", p.guess, p.number("Subtract", p.truth)))
		return p.two("Divide", both, p.two("Add", both, p.two("Add", missed, wrong)))
	},
	"binarycrossentropy": func(l *lossCall, p *parted) *Tensor {
		return p.mean(p.binary(l, p.smoothed(l)))
	},
	"binaryfocalcrossentropy": func(l *lossCall, p *parted) *Tensor {
		truth := p.smoothed(l)
		if l.logits {
			p.guess = p.active("sigmoid", p.guess)
		}
		entropy := p.binary(l, truth)
		certain := p.two("Add", p.two("Multiply", truth, p.guess), p.two("Multiply", p.number("Subtract", truth), p.number("Subtract", p.guess)))
		loss := p.two("Multiply", p.number("Pow", p.number("Subtract", certain)), entropy)
		if l.balances {
			weight := p.two("Add", p.number("Multiply", truth), p.number("Multiply", p.number("Subtract", truth)))
			loss = p.two("Multiply", weight, loss)
		}
		return p.mean(loss)
	},
	"categoricalcrossentropy": func(l *lossCall, p *parted) *Tensor {
		truth := p.smoothed(l)
		scores, told := p.scores()
		if l.logits || told {
			if n := int64(len(scores.Shape)); l.axis != -1 && l.axis != n-1 {
				scores, truth = p.turned(scores), p.turned(truth)
			}
			return p.entropy(scores, truth)
		}
		likely := p.clip(p.two("Divide", p.guess, p.keep("sum", p.guess)))
		return p.sum(p.two("Multiply", truth, p.one("log", likely)))
	},
	"categoricalfocalcrossentropy": func(l *lossCall, p *parted) *Tensor {
		truth, guess := p.smoothed(l), p.guess
		if l.logits {
			guess = p.active("softmax", guess)
		}
		likely := p.clip(p.two("Divide", guess, p.keep("sum", guess)))
		entropy := p.two("Multiply", p.number("Negative", truth), p.one("log", likely))
		weight := p.number("Multiply", p.number("Pow", p.number("Subtract", likely)))
		return p.sum(p.two("Multiply", weight, entropy))
	},
	"sparsecategoricalcrossentropy": func(l *lossCall, p *parted) *Tensor {
		if l.ignores && !l.keras2 {
			valid := p.number("NotEqual", p.truth)
			shape := append(append(Shape{}, valid.Shape...), 1)
			column, op := p.g.add("Reshape", []*Tensor{valid}, shape, valid.DType)
			op.View = true
			p.guess = p.choose(column, p.guess, nil)
		}
		scores, told := p.scores()
		if !l.logits && !told {
			scores = p.one("log", p.clip(p.guess))
		}
		if l.ignores && l.keras2 {
			// At most all rows of the scores; their gradient comes as rows, which are summed.
			all, op := p.g.add("Gather", []*Tensor{scores}, scores.Shape, scores.DType)
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

// A parted is a loss that is being taken apart into its operations.
type parted struct {
	g            *Graph
	guess, truth *Tensor
	err          error
}

// lower adds the operations of a loss to g, and returns its result, per row if requested;
// nil if the operations are unknown.
func (l *lossCall) lower(g *Graph, guess, truth *Tensor, rows bool) *Tensor {
	f := lossOperations[l.Name]
	if f == nil || len(guess.Shape) == 0 {
		return nil
	}
	from := len(g.Ops)
	p := &parted{g: g, guess: guess, truth: truth}
	if !truth.DType.Floating() && l.Name != "sparsecategoricalcrossentropy" {
		p.truth = cast(g, truth, "float32")
	}
	if l.casts(guess) {
		p.guess = cast(g, guess, "float32")
	}
	loss := f(l, p)
	if p.err != nil {
		g.Ops = g.Ops[:from]
		return nil
	}
	if !rows && len(loss.Shape) > 0 {
		loss = reduce(g, "sum", loss, Shape{}) // keras/src/losses/loss.py, reduce_values
	}
	return loss
}

// casts tells whether a loss of Keras 3 brings what it compares to its own type
// (keras/src/losses/loss.py, Loss.__call__).
func (l *lossCall) casts(guess *Tensor) bool {
	return !l.keras2 && (guess.DType == "float16" || guess.DType == "bfloat16")
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

// one is a function of a tensor.
func (p *parted) one(name string, x *Tensor) *Tensor {
	return unary(p.g, name, x, elementwiseFunctions[name])
}

// two is an operation on two tensors.
func (p *parted) two(name string, a, b *Tensor) *Tensor {
	return p.fail(combine(p.g, name, a, b, binaryKind(name)))
}

// number is an operation on a tensor and a number.
func (p *parted) number(name string, x *Tensor) *Tensor {
	return withNumber(p.g, name, x, false, binaryKind(name))
}

// active is an activation.
func (p *parted) active(name string, x *Tensor) *Tensor {
	out, ok := activation(p.g, name, x)
	if !ok {
		return p.fail(nil, fmt.Errorf("%s is no activation", name))
	}
	return out
}

// choose is tf.where; a tensor that is nil is a number.
func (p *parted) choose(condition, a, b *Tensor) *Tensor {
	in := []*Tensor{condition, a}
	if b != nil {
		in = append(in, b)
	}
	return p.fail(choice(p.g, in))
}

// clip is tf.clip_by_value (tensorflow/python/ops/clip_ops.py).
func (p *parted) clip(x *Tensor) *Tensor { return p.number("Maximum", p.number("Minimum", x)) }

// reduce makes one number of each row of a tensor.
func (p *parted) reduce(name string, x *Tensor) *Tensor {
	return reduce(p.g, name, x, oneARow(x.Shape))
}

// total is the sum of all of a tensor.
func (p *parted) total(x *Tensor) *Tensor { return reduce(p.g, "sum", x, Shape{}) }

// keep is reduce where the last dimension stays as 1.
func (p *parted) keep(name string, x *Tensor) *Tensor {
	return reduce(p.g, name, x, x.Shape.With(-1, 1))
}

// mean and sum are of rows.
func (p *parted) mean(x *Tensor) *Tensor { return p.reduce("mean", x) }
func (p *parted) sum(x *Tensor) *Tensor  { return p.reduce("sum", x) }

// margin is what a hinge loss takes the mean of.
func (p *parted) margin() *Tensor {
	return p.number("Maximum", p.number("Subtract", p.two("Multiply", p.truth, p.guess)))
}

// smoothed is what is right, by label_smoothing.
func (p *parted) smoothed(l *lossCall) *Tensor {
	if !l.smooths {
		return p.truth
	}
	return p.number("Add", p.number("Multiply", p.truth))
}

// scores are what a loss reads of a guess that an activation made, told by that
// (keras/src/backend/tensorflow/nn.py, _get_logits).
func (p *parted) scores() (*Tensor, bool) {
	if op := p.guess.From; op != nil && (op.Name == "softmax" || op.Name == "sigmoid") && len(op.In) == 1 {
		return op.In[0], true
	}
	return p.guess, false
}

// entropy is the kernel that compares scores with categories.
func (p *parted) entropy(scores, truth *Tensor) *Tensor {
	out, op := p.g.add("Loss", []*Tensor{scores, truth}, oneARow(scores.Shape), "float32")
	op.Loss = "softmaxcrossentropywithlogits"
	op.NoGradOf = []int{1}
	return out
}

// turned is a tensor with its dimensions in another order, in which categories are last
// (tensorflow/python/ops/nn_ops.py, softmax_cross_entropy_with_logits_v2).
func (p *parted) turned(x *Tensor) *Tensor {
	out, _ := p.g.add("Transpose", []*Tensor{x}, x.Shape, x.DType)
	return out
}

// binary is binary cross-entropy, element by element (tensorflow/python/ops/nn_impl.py,
// sigmoid_cross_entropy_with_logits; keras/src/backend/tensorflow/nn.py,
// binary_crossentropy).
func (p *parted) binary(l *lossCall, truth *Tensor) *Tensor {
	scores, told := p.scores()
	if told || l.logits && l.Name == "binarycrossentropy" {
		positive := p.number("GreaterEqual", scores)
		relu := p.choose(positive, scores, nil)
		small := p.choose(positive, p.one("negative", scores), scores)
		difference := p.two("Subtract", relu, p.two("Multiply", scores, truth))
		return p.two("Add", difference, p.one("log1p", p.one("exp", small)))
	}
	likely := p.clip(p.guess)
	right := p.two("Multiply", truth, p.one("log", likely))
	wrong := p.two("Multiply", p.number("Subtract", truth), p.one("log", p.number("Subtract", likely)))
	return p.one("negative", p.two("Add", right, wrong))
}

// ReadsScores tells whether the loss of an output reads what an activation made that of.
func (c *Compile) ReadsScores(output int, by *Op) bool {
	if c == nil || by.Name != "softmax" && by.Name != "sigmoid" {
		return false
	}
	l, known := at(c.parts, output)
	return known && !l.casts(by.Out[0]) && (!l.ignores || l.keras2) && (strings.HasSuffix(l.Name, "categoricalcrossentropy") || l.Name == "binarycrossentropy")
}
