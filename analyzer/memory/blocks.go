package memory

import (
	"math"
	"slices"

	"github.com/tfmem/tfmem/analyzer/tensor"
)

// blocks are the free memory of a pool that is one region, and what of it is in use, as TensorFlow's
// allocator keeps them (tensorflow/core/framework/bfc_allocator.cc): the smallest free block that is
// large enough is taken, and handed out whole where little of it would be left.
type blocks struct {
	free       []block // by address, none beside another
	end        int64   // where the part of the region begins that was never used
	used, peak int64
}

type block struct{ at, size int64 }

// mostLeft is what may be left unused of a block that is handed out whole (kMaxInternalFragmentation).
const mostLeft = 128 << 20

// small is what finds room among the remains of other small tensors.
const small = 64 << 10

func (p *blocks) allocate(bytes int64) block {
	n := max(tensor.Round256(bytes), 256)
	if n <= small {
		p.used += n
		p.peak = max(p.peak, p.used)
		return block{-1, n}
	}
	best, size := -1, int64(math.MaxInt64)
	for i, b := range p.free {
		if b.size >= n && b.size < size {
			best, size = i, b.size
		}
	}
	b := block{p.end, n}
	switch {
	case best < 0:
		p.end += n
	case size >= 2*n || size-n >= mostLeft:
		b.at = p.free[best].at
		p.free[best] = block{b.at + n, size - n}
	default:
		b = p.free[best]
		p.free = slices.Delete(p.free, best, best+1)
	}
	p.used += b.size
	p.peak = max(p.peak, p.used)
	return b
}

func (p *blocks) release(b block) {
	p.used -= b.size
	if b.at < 0 {
		return
	}
	i, _ := slices.BinarySearchFunc(p.free, b.at, func(f block, at int64) int { return int(f.at - at) })
	if i < len(p.free) && b.at+b.size == p.free[i].at {
		b.size += p.free[i].size
		p.free = slices.Delete(p.free, i, i+1)
	}
	if i > 0 && p.free[i-1].at+p.free[i-1].size == b.at {
		i--
		b = block{p.free[i].at, p.free[i].size + b.size}
		p.free = slices.Delete(p.free, i, i+1)
	}
	if b.at+b.size == p.end {
		p.end = b.at
		return
	}
	p.free = slices.Insert(p.free, i, b)
}
