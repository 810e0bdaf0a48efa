package ops

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// EinopsFunctions are those of einops.
var EinopsFunctions = []FunctionRow{
	{EinopsFunction, "einops.rearrange einops.reduce einops.repeat"},
	{einopsShape, "einops.parse_shape"},
}

// EinopsFunction is einops.rearrange and its like. Depending on the pattern, they consist of a
// reshape, a transposition, a reduction, a repetition and another reshape (einops/einops.py,
// _apply_recipe).
func EinopsFunction(h *state.Host, in *value.Interp, name string, args *value.Args) value.Value {
	x := objects.First(args)
	s, why := Operand(h, x)
	if why != nil {
		return why.Unknown()
	}
	pattern, _ := args.Get(1, "pattern")
	text, ok := pattern.X.(string)
	if !ok {
		return h.Unknown(value.ArrayShape, "the pattern of %s is not known: %s", name, objects.Because(pattern))
	}
	p, err := parsePattern(text, s.Shape, args.Keywords)
	if err != nil {
		return h.Unknown(value.UnmodelledOperation, "%s: %v", name, err)
	}
	call := func(name string, positional ...value.Value) {
		if x.Known() {
			x = interp.Call(in, value.Value{X: value.External{Name: "tensorflow." + name}}, &value.Args{Positional: append([]value.Value{x}, positional...), Node: args.Node})
		}
	}
	sizes := shapeOf(s)
	reshape := func(groups [][]*axis) {
		to, open := value.Tuple{}, 0
		for _, g := range groups {
			n, known := axesSize(g)
			switch {
			case known:
				to = append(to, value.Value{X: n})
			case len(g) == 1 && g[0].whole:
				to = append(to, sizes[g[0].from])
			default:
				to, open = append(to, value.Value{X: int64(-1)}), open+1
			}
		}
		if open > 1 {
			x = h.Unknown(value.ArrayShape, "%s: the sizes of several axes are not known", name)
		}
		call("reshape", value.Value{X: to})
	}

	if p.splits() {
		reshape(single(p.axes))
	}
	kept := slices.DeleteFunc(slices.Concat(p.right...), func(a *axis) bool { return a.from < 0 })
	order := append(kept, slices.DeleteFunc(slices.Clone(p.axes), func(a *axis) bool { return slices.Contains(kept, a) })...)
	if !slices.Equal(order, p.axes) {
		var perm value.Tuple
		for _, a := range order {
			perm = append(perm, value.Value{X: int64(slices.Index(p.axes, a))})
		}
		call("transpose", value.Value{X: perm})
	}
	if len(order) > len(kept) {
		reduction, _ := args.Get(2, "reduction")
		how, _ := reduction.X.(string)
		if name != "einops.reduce" || !slices.Contains([]string{"min", "max", "sum", "mean", "prod", "any", "all"}, how) {
			return h.Unknown(value.UnmodelledOperation, "%s: axes are left out of %q", name, text)
		}
		var over value.Tuple
		for i := len(kept); i < len(order); i++ {
			over = append(over, value.Value{X: int64(i)})
		}
		call("reduce_"+how, value.Value{X: over})
	}
	all := slices.Concat(p.right...)
	if len(all) > len(kept) {
		var wide [][]*axis
		var times value.Tuple
		for _, a := range all {
			if a.from < 0 {
				wide, times = append(wide, nil), append(times, a.given)
			} else {
				wide, times = append(wide, []*axis{a}), append(times, value.Value{X: int64(1)})
			}
		}
		reshape(wide)
		call("tile", value.Value{X: times})
	}
	if slices.ContainsFunc(p.right, func(g []*axis) bool { return len(g) != 1 }) {
		reshape(p.right)
	}
	return x
}

// einopsShape is einops.parse_shape: the sizes of a tensor's axes by name.
func einopsShape(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	s, why := Operand(h, objects.First(args))
	if why != nil {
		return why.Unknown()
	}
	pattern, _ := args.Get(1, "pattern")
	text, ok := pattern.X.(string)
	names := strings.Fields(text)
	if !ok || len(names) != len(s.Shape) {
		return h.Unknown(value.UnmodelledOperation, "%s: the pattern is not one of %d axes", name, len(s.Shape))
	}
	d := &value.Dict{}
	for i, size := range shapeOf(s) {
		if names[i] != "_" {
			d.Keys, d.Values = append(d.Keys, value.Value{X: names[i]}), append(d.Values, size)
		}
	}
	return value.Value{X: d}
}

// An axis is a named axis of an einops pattern.
type axis struct {
	name  string
	size  int64       // None if it is not known
	given value.Value // the size passed as an argument
	from  int         // the dimension of the tensor that contains it, or -1
	whole bool        // it is all of that dimension
}

// A pattern is an einops pattern: a b (c d) -> a (b c) d.
type pattern struct {
	left, right [][]*axis // by dimension
	axes        []*axis   // of left
}

// splits reports whether some dimension is not exactly one axis.
func (p *pattern) splits() bool {
	return slices.ContainsFunc(p.left, func(g []*axis) bool { return len(g) != 1 })
}

func single(axes []*axis) (groups [][]*axis) {
	for i := range axes {
		groups = append(groups, axes[i:i+1])
	}
	return groups
}

// axesSize returns the product of the axes' sizes.
func axesSize(axes []*axis) (n int64, known bool) {
	n = 1
	for _, a := range axes {
		if a.size == tensor.None {
			return 0, false
		}
		n *= a.size
	}
	return n, true
}

// parsePattern parses a pattern for a tensor of a shape, and finds the sizes of all axes
// (einops/parsing.py, ParsedExpression; einops/einops.py, _reconstruct_from_shape_uncached).
func parsePattern(text string, shape tensor.Shape, lengths value.Keywords) (*pattern, error) {
	before, after, ok := strings.Cut(text, "->")
	if !ok {
		return nil, value.Because(value.WrongType, "the pattern %q has no arrow", text)
	}
	left, err := groupsOf(before)
	if err != nil {
		return nil, err
	}
	right, err := groupsOf(after)
	if err != nil {
		return nil, err
	}
	if left, right, err = ellipsis(left, right, len(shape)); err != nil {
		return nil, err
	}
	if len(left) != len(shape) {
		return nil, value.Refused("the pattern %q is not one of %d dimensions", text, len(shape))
	}
	p := &pattern{}
	named := map[string]*axis{}
	newAxis := func(name string, from int) (*axis, error) {
		a := &axis{name: name, size: tensor.None, from: from}
		if n, err := strconv.ParseInt(name, 10, 64); err == nil {
			a.size, a.given = n, value.Value{X: n}
			return a, nil
		}
		if a.name == "_" || named[name] != nil {
			return nil, value.Because(value.WrongType, "the pattern %q names %s twice", text, name)
		}
		named[name] = a
		if length, given := lengths.Get(name); given {
			switch n := length.X.(type) {
			case int64:
				a.size = n
			case *dimension:
			default:
				return nil, value.Because(value.ArrayShape, "the length of %s is not known: %s", name, objects.Because(length))
			}
			a.given = length
		}
		return a, nil
	}
	for i, names := range left {
		var g []*axis
		for _, name := range names {
			a, err := newAxis(name, i)
			if err != nil {
				return nil, err
			}
			g = append(g, a)
		}
		if len(g) == 1 && g[0].size == 1 && g[0].name == "1" {
			g = nil
		}
		if err := fitAxes(g, shape[i]); err != nil {
			return nil, err
		}
		p.left, p.axes = append(p.left, g), append(p.axes, g...)
	}
	seen := map[*axis]bool{}
	for _, names := range right {
		var g []*axis
		for _, name := range names {
			a := named[name]
			if a == nil {
				if a, err = newAxis(name, -1); err != nil {
					return nil, err
				}
				if a.size == tensor.None && a.given.X == nil {
					return nil, value.Because(value.ArrayShape, "the length of %s is not known", name)
				}
			}
			if seen[a] {
				return nil, value.Because(value.WrongType, "the pattern %q names %s twice", text, name)
			}
			seen[a] = true
			g = append(g, a)
		}
		p.right = append(p.right, g)
	}
	return p, nil
}

// fitAxes finds the size of an axis if it is the only unknown one of its dimension.
func fitAxes(axes []*axis, size int64) error {
	known := int64(1)
	var open []*axis
	for _, a := range axes {
		if a.size == tensor.None {
			open = append(open, a)
		} else {
			known *= a.size
		}
	}
	if len(axes) == 1 {
		axes[0].whole = true
	}
	switch {
	case known <= 0 || size != tensor.None && (size%known != 0 || len(open) == 0 && size != known):
		return value.Refused("a dimension of %d is not divided into %d", size, known)
	case len(open) > 1:
		return value.Because(value.ArrayShape, "the lengths of %s and %s are not known", open[0].name, open[1].name)
	case len(open) == 1 && size != tensor.None:
		open[0].size = size / known
	}
	return nil
}

// groupsOf returns the axis names of a side of a pattern, by dimension.
func groupsOf(side string) (groups [][]string, err error) {
	side = strings.NewReplacer("(", " ( ", ")", " ) ", "...", " … ").Replace(side)
	inside := false
	for _, word := range strings.Fields(side) {
		switch {
		case word == "(" && !inside:
			inside, groups = true, append(groups, []string{})
		case word == ")" && inside:
			inside = false
		case word == "(" || word == ")":
			return nil, value.Because(value.WrongType, "the parentheses of %q do not match", side)
		case word == "…" && inside:
			groups[len(groups)-1] = append(groups[len(groups)-1], dotsInside)
		case inside:
			groups[len(groups)-1] = append(groups[len(groups)-1], word)
		default:
			groups = append(groups, []string{word})
		}
	}
	if inside {
		return nil, value.Because(value.WrongType, "the parentheses of %q do not match", side)
	}
	return groups, nil
}

// dotsInside stands for an ellipsis in parentheses. No axis has this name.
const dotsInside = "(…)"

// ellipsis names the dimensions that an ellipsis stands for, in a tensor of the given rank.
func ellipsis(left, right [][]string, rank int) (l, r [][]string, err error) {
	dots := func(g []string) bool { return slices.Contains(g, "…") || slices.Contains(g, dotsInside) }
	at := slices.IndexFunc(left, dots)
	if at < 0 {
		if slices.ContainsFunc(right, dots) {
			return nil, nil, value.Because(value.WrongType, "three dots stand on the right alone")
		}
		return left, right, nil
	}
	n := rank - (len(left) - 1)
	if n < 0 || left[at][0] != "…" {
		return nil, nil, value.Refused("the pattern is not one of %d dimensions", rank)
	}
	var names []string
	var apart [][]string
	for i := range n {
		names = append(names, fmt.Sprint("…", i))
		apart = append(apart, names[i:i+1])
	}
	l = slices.Concat(left[:at], apart, left[at+1:])
	for _, g := range right {
		switch i := slices.Index(g, dotsInside); {
		case i >= 0:
			r = append(r, slices.Concat(g[:i], names, g[i+1:]))
		case len(g) == 1 && g[0] == "…":
			r = append(r, apart...)
		default:
			r = append(r, g)
		}
	}
	return l, r, nil
}
