package shapes

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Orders are the functions that put the dimensions of a tensor in another order: the dimension of
// the operand for each of the result.
var Orders = map[string]func(s tensor.Shape, args *value.Args) ([]int, error){
	"transpose": transpose, "permute_dimensions": transpose,
	"matrix_transpose": func(s tensor.Shape, _ *value.Args) ([]int, error) { return moved(s, true, []int64{-2}, []int64{-1}) },
	"swapaxes":         named(true, "axis1", "axis2"),
	"moveaxis":         named(false, "source", "destination"),
}

// transpose puts the dimensions in the order that is passed, or backwards.
func transpose(s tensor.Shape, args *value.Args) ([]int, error) {
	v, given := objects.Given(args, 1, "perm", "axes", "pattern")
	if !given {
		order := all(s)
		slices.Reverse(order)
		return order, nil
	}
	places, ok := objects.Dims(v)
	if !ok {
		return nil, value.Because(value.Unordered, "the order of a transpose is not known: %s", objects.Because(v))
	}
	order, err := Within(places, s)
	if err == nil && !slices.Equal(slices.Sorted(slices.Values(order)), all(s)) {
		err = raises("%v is not an order of the dimensions of %s", places, s)
	}
	return order, err
}

// named moves, or swaps, the dimensions that two arguments name.
func named(swap bool, source, destination string) func(s tensor.Shape, args *value.Args) ([]int, error) {
	return func(s tensor.Shape, args *value.Args) ([]int, error) {
		from, _ := objects.Passed(args, 1, source)
		to, _ := objects.Passed(args, 2, destination)
		sources, ok := objects.Dims(from)
		destinations, ok2 := objects.Dims(to)
		if !ok || !ok2 || len(sources) != len(destinations) {
			return nil, notKnown("the axes that are moved are not known")
		}
		return moved(s, swap, sources, destinations)
	}
}

// moved puts dimensions in the places of others. Those go to theirs if they swap, else all that
// are not moved keep their order (keras/src/ops/numpy.py, Moveaxis).
func moved(s tensor.Shape, swap bool, sources, destinations []int64) ([]int, error) {
	from, err := Within(sources, s)
	if err != nil {
		return nil, err
	}
	to, err := Within(destinations, s)
	if err != nil {
		return nil, err
	}
	order := all(s)
	if swap && len(from) == 1 {
		order[from[0]], order[to[0]] = to[0], from[0]
		return order, nil
	}
	order = slices.DeleteFunc(order, func(i int) bool { return slices.Contains(from, i) })
	for i := range s {
		if at := slices.Index(to, i); at >= 0 {
			order = slices.Insert(order, min(i, len(order)), from[at])
		}
	}
	if swap || len(order) != len(s) {
		return nil, raises("dimensions %v of %s cannot become %v", sources, s, destinations)
	}
	return order, nil
}

// Permuted returns a shape with its dimensions in another order.
func Permuted(s tensor.Shape, order []int) tensor.Shape {
	out := make(tensor.Shape, len(order))
	for i, from := range order {
		out[i] = s[from]
	}
	return out
}
