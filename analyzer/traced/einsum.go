package traced

import (
	"slices"
	"strings"
)

// The types of the labels of an Einsum, in the order into which its kernel brings them.
const (
	batchLabel = iota
	freeLabel
	contractedLabel
	reducedLabel
)

// einsum: the kernel transposes operands whose dimensions are not ordered by type, multiplies, and
// transposes the product if it is not in the order of the output
// (tensorflow/core/kernels/linalg/einsum_op_impl.h, EinsumHelper).
func einsum(n *node) (temp int64) {
	from, to, ok := strings.Cut(strings.ReplaceAll(n.Equation, " ", ""), "->")
	operands := strings.Split(from, ",")
	if !ok || strings.Contains(from, ".") || len(operands) != len(n.in) || len(n.Out) != 1 {
		return 0
	}
	types := map[rune]int{}
	for _, label := range from {
		in := 0
		for _, o := range operands {
			if strings.ContainsRune(o, label) {
				in++
			}
		}
		switch out := strings.ContainsRune(to, label); {
		case out && in > 1:
			types[label] = batchLabel
		case out:
			types[label] = freeLabel
		case in > 1:
			types[label] = contractedLabel
		default:
			types[label] = reducedLabel
		}
	}
	swapped := [...]int{batchLabel: 0, freeLabel: 2, contractedLabel: 1, reducedLabel: 3}
	var batch, free []rune
	for i, o := range operands {
		labels := []rune(o)
		flips := slices.IsSortedFunc(labels, func(a, b rune) int { return swapped[types[a]] - swapped[types[b]] })
		inOrder := func(a, b rune) int {
			if by := types[a] - types[b]; by != 0 {
				return by
			}
			return strings.IndexRune(from, a) - strings.IndexRune(from, b)
		}
		if !flips && !slices.IsSortedFunc(labels, inOrder) {
			temp += n.tensor(i).Bytes()
			slices.SortFunc(labels, inOrder)
		}
		for _, label := range labels {
			switch {
			case types[label] == freeLabel:
				free = append(free, label)
			case types[label] == batchLabel && i == 0:
				batch = append(batch, label)
			}
		}
	}
	if string(batch)+string(free) != to {
		temp += n.Out[0].Bytes()
	}
	return temp
}
