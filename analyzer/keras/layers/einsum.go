package layers

import (
	"strings"
	"unicode"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// einsumLayer is EinsumDense: a product with a kernel by an equation, a bias along some
// dimensions of the output, an activation.
type einsumLayer struct {
	equation   string
	output     []int64
	bias       string
	activation act
	lora       int64
	keras2     bool
}

func einsumDense(r *ArgParser) graph.Impl {
	s := &einsumLayer{
		equation: strings.ReplaceAll(r.Text(0, "equation", ""), " ", ""), activation: r.activation(2, "activation"),
		bias: r.Text(3, "bias_axes", ""), lora: r.Number(-1, "lora_rank", 0), keras2: r.keras2(),
	}
	v, _ := r.Get(1, "output_shape")
	if n, single := v.Int(); single {
		s.output = []int64{n}
	} else if sizes, ok := objects.Whole(v); ok {
		s.output = sizes
	} else {
		r.Fail("output_shape", objects.Because(v))
	}
	return s
}

// terms are an equation with the sizes of its letters.
type terms struct {
	in, kernel, out string
	size            map[rune]int64
	elided          tensor.Shape // what the ellipsis stands for
	left            bool         // it stands in front
}

// terms parses the equation for an input of a shape (keras/src/layers/core/einsum_dense.py,
// _analyze_split_string).
func (s *einsumLayer) terms(in tensor.Shape) (*terms, error) {
	bad := value.Refused("the equation %q is not of the form ab,bc->ac", s.equation)
	factors, out, ok := strings.Cut(s.equation, "->")
	if !ok {
		return nil, bad
	}
	first, kernel, ok := strings.Cut(factors, ",")
	if !ok {
		return nil, bad
	}
	e := &terms{kernel: kernel, left: strings.HasPrefix(first, "..."), size: map[rune]int64{}}
	e.in, e.out = strings.Trim(first, "."), strings.Trim(out, ".")
	elided := len(in) - len(e.in)
	if elided < 0 || elided > 0 && !strings.Contains(first, "...") {
		return nil, bad
	}
	inner := in
	if e.left {
		e.elided, inner = in[:elided], in[elided:]
	} else {
		e.elided, inner = in[len(e.in):], in[:len(e.in)]
	}
	for i, c := range e.in {
		e.size[c] = inner[i]
	}
	// The output's shape is given without the batch.
	given := s.output
	letters := e.out
	if !e.left || elided == 0 {
		if len(letters) == 0 {
			return nil, bad
		}
		letters = letters[1:]
	}
	if len(given) != len(letters) {
		return nil, value.Refused("the output_shape %s does not fit the equation %q", tensor.Shape(given), s.equation)
	}
	for i, c := range letters {
		n, seen := e.size[c]
		switch {
		case !seen || n < 0:
			e.size[c] = given[i]
		case given[i] >= 0 && given[i] != n:
			return nil, value.Refused("%c is %d in the input and %d in the output of %q", c, n, given[i], s.equation)
		}
	}
	return e, nil
}

func (s *einsumLayer) Children() []*graph.Layer { return s.activation.layers() }

func (s *einsumLayer) Build(l *graph.Layer, in []tensor.Shape) error {
	if len(in) == 0 {
		return value.Because(value.MissingArgument, "it is called without an input")
	}
	e, err := s.terms(in[0])
	if err != nil {
		return err
	}
	shape := func(letters string, ones string) ([]int64, error) {
		var out []int64
		for _, c := range letters {
			n, ok := e.size[c]
			switch {
			case ones != "" && !strings.ContainsRune(ones, c):
				n = 1
			case !ok:
				return nil, value.Refused("%c appears in only one part of %q", c, s.equation)
			case n < 0:
				return nil, value.Because(value.UnmodelledLayer, "the dimension %c of %q is not known", c, s.equation)
			}
			out = append(out, n)
		}
		return out, nil
	}
	kernel, err := shape(e.kernel, "")
	if err != nil {
		return err
	}
	w := l.Weight("kernel", true, kernel...)
	if s.bias != "" {
		first := strings.IndexAny(e.out, s.bias)
		if first < 0 {
			return value.Refused("bias_axes=%q is not a part of the output of %q", s.bias, s.equation)
		}
		bias, err := shape(e.out[first:], s.bias)
		if err != nil {
			return err
		}
		l.Weight("bias", true, bias...)
	}
	LowRank(l, w, s.lora)
	return nil
}

func (s *einsumLayer) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	e, err := s.terms(in[0].Shape)
	if err != nil {
		return nil, err
	}
	for i, c := range e.kernel {
		if n := e.size[c]; n >= 0 && n != l.Weights[0].Shape[i] {
			return nil, value.Refused("the kernel has %d for %c and the input the shape %s", l.Weights[0].Shape[i], c, in[0].Shape)
		}
	}
	var out tensor.Shape
	if e.left {
		out = append(out, e.elided...)
	}
	for _, c := range e.out {
		out = append(out, e.size[c])
	}
	if !e.left {
		out = append(out, e.elided...)
	}
	y := kernelProduct(l, g, graph.OpEinsum, in[0], out, l.Weights[0])
	if !s.keras2 {
		byExample(y, in[0], l.Weights[0], lettered(s.equation))
	}
	return biased(l, g, y, s.activation)
}

// lettered returns an equation with its letters renamed in the order in which they appear.
func lettered(equation string) string {
	names := map[rune]rune{}
	return strings.Map(func(c rune) rune {
		if !unicode.IsLetter(c) {
			return c
		}
		if _, ok := names[c]; !ok {
			names[c] = 'a' + rune(len(names))
		}
		return names[c]
	}, equation)
}
