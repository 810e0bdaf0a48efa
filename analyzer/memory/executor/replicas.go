package executor

import "github.com/tfmem/tfmem/analyzer/graph"

// reduced returns the gradients of an update, by weight, summed over the replicas of a strategy.
// It is nil for sparse gradients, and for gradients that do not come.
//
// In a graph, all of them are concatenated into one tensor, which is reduced in place and split
// again, so each gradient is there twice (tensorflow/python/distribute/cross_device_utils.py,
// batch_all_reduce: bytes_per_pack is 0). In eager execution, each is reduced by itself.
func (b *Builder) reduced(op *graph.Op) []*Buffer {
	out := make([]*Buffer, len(op.Update.Weights))
	var from, to []*Buffer
	pack := int64(0)
	for i, w := range op.Update.Weights {
		parts := b.applied(op.In[i])
		if len(parts) == 0 || parts[0].rows > 0 && len(parts) == 1 {
			continue
		}
		g := b.sum(parts, w.Bytes())
		out[i] = b.Add(Buffer{Size: w.Bytes(), Kind: Gradients})
		if b.Ordered {
			b.Run(b.List(g), out[i])
			continue
		}
		from, to, pack = append(from, g), append(to, out[i]), pack+w.Bytes()
	}
	if from != nil {
		whole := b.made(pack, nil, from...)
		whole.Kind = Gradients
		b.Run(b.List(whole), to...)
	}
	return out
}
