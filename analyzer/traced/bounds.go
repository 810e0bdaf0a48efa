package traced

import "github.com/tfmem/tfmem/analyzer/tensor"

// bound gives outputs whose size depends on the data the largest that they may have: there are at most
// as many different rows as rows.
func (f *Function) bound() {
	for _, n := range f.Nodes {
		for i := range n.Out {
			if t := &n.Out[i]; t.width() > 0 && t.Shape.Product() < 0 || !t.Ranked {
				f.boundOutput(n, i)
			}
		}
	}
}

// fold finds what is computed of constants alone.
func (f *Function) fold() {
	for _, n := range f.Nodes {
		switch k, is := kernels[n.Type]; {
		case n.Type == "Const":
		case len(n.in) == 0, !is && n.Type != "Fill" && n.Type != "Range":
			continue
		default:
			constant := k.over != nil || k.view || k.shares != nil || k.temp != nil || !is
			for _, in := range n.in {
				constant = constant && f.Nodes[in.node].folded
			}
			for i := range n.Out {
				constant = constant && n.Out[i].Bytes() <= tensor.Foldable && n.Out[i].Shape.Product() >= 0
			}
			if !constant {
				continue
			}
		}
		n.folded = true
	}
}

func (f *Function) boundOutput(n *Node, i int) {
	t := &n.Out[i]
	input := func(at int) *Tensor {
		if at >= len(n.in) {
			return nil
		}
		in := &f.Nodes[n.in[at].node].Out[n.in[at].index]
		if !in.Ranked || in.Shape.Product() < 0 {
			return nil
		}
		return in
	}
	set := func(shape tensor.Shape) { t.Shape, t.Ranked = shape, true }
	switch n.Type {
	case "FusedBatchNormV3":
		if i == 5 { // cuDNN's own, which is small
			set(tensor.Shape{0})
		}
	case "Unique", "UniqueV2", "UniqueWithCounts", "UniqueWithCountsV2":
		if in := input(0); in != nil {
			set(tensor.Shape{in.Shape.Product()})
		}
	case "Where":
		if in := input(0); in != nil {
			set(tensor.Shape{in.Shape.Product(), int64(len(in.Shape))})
		}
	case "UnsortedSegmentSum", "UnsortedSegmentMax", "UnsortedSegmentMin", "UnsortedSegmentProd", "SegmentSum", "SegmentMean", "SegmentSumV2":
		data, ids := input(0), input(1)
		if data != nil && ids != nil && len(ids.Shape) <= len(data.Shape) {
			set(append(tensor.Shape{ids.Shape.Product()}, data.Shape[len(ids.Shape):]...))
		}
	default:
		if k, is := kernels[n.Type]; !is || k.over == nil && !k.view {
			return
		}
		var most tensor.Shape
		for at := range n.in {
			in := input(at)
			if in == nil {
				return
			}
			if most == nil || in.Shape.Product() > most.Product() {
				most = in.Shape
			}
		}
		if most != nil || len(n.in) > 0 {
			set(most)
		}
	}
}
