package budget

import (
	"errors"
	"fmt"
	"math"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/rules/rule"
)

// A Size is the height and the width of pictures.
type Size struct{ Height, Width int64 }

// sideUnit is what the sides of smaller pictures are a multiple of: networks halve them up to five times.
const sideUnit = 32

// Pictures returns the size of the pictures that a run is fed with and its model takes, and whether the model
// returns such ones; ok is false if it is not known, or they differ.
func Pictures(p *memory.Phase) (size Size, returned, ok bool) {
	if p.Use == nil {
		return size, false, false
	}
	taken, given := false, false
	for _, in := range p.Then.Inputs {
		if s, is := pictures(in.Shape[min(1, len(in.Shape)):]); is { // without the batch
			if taken && s != size {
				return size, false, false
			}
			size, taken = s, true
		}
	}
	for _, in := range p.Use.Inputs {
		if s, is := pictures(in.Shape); is {
			if s != size {
				return size, false, false
			}
			given = true
		}
	}
	for _, out := range p.Then.Outputs {
		s, is := pictures(out.Shape[min(1, len(out.Shape)):])
		returned = returned || is && s == size
	}
	return size, returned, taken && given
}

// pictures reads the shape of a picture with its channels last.
func pictures(s tensor.Shape) (size Size, ok bool) {
	if len(s) != 3 || s[0] < 2*sideUnit || s[1] < 2*sideUnit || s[2] >= 2*sideUnit {
		return size, false
	}
	return Size{s[0], s[1]}, true
}

// SmallerPictures returns the edits by which a training takes smaller pictures, the largest that may fit
// but no less than half as high and wide, and their size.
func (r Run) SmallerPictures() (edits []source.Edit, size Size, err error) {
	before, _, ok := Pictures(r.w.phase)
	if !ok || !r.w.phase.Trains() {
		return nil, size, errors.New("no size of pictures is found that could be made smaller")
	}
	alone := memory.Resident(r.w.phase.Then, r.w.optimizer)
	resident := alone.Weights + alone.Optimizer
	scale := math.Sqrt(float64(r.w.budget.Low-resident) / float64(r.w.phase.Need.High-resident))
	smaller := func(side int64) int64 {
		return max(int64(float64(side)*scale)/sideUnit, (side/2+sideUnit-1)/sideUnit) * sideUnit
	}
	if r.w.budget.Low <= resident || smaller(before.Height) >= before.Height || smaller(before.Width) >= before.Width {
		return nil, size, errors.New("no size of at least half their height and width is sure to fit")
	}
	size = Size{smaller(before.Height), smaller(before.Width)}
	for _, side := range r.pass.File.Facts().Sides(before.Height, before.Width) {
		p, n := r.pass.Of(side)
		if p == nil {
			continue
		}
		to := size.Height
		if n.Text() != fmt.Sprint(before.Height) {
			to = size.Width
		}
		edits = append(edits, r.In(p, source.Edit{Span: rule.Span(n), New: fmt.Sprint(to)})...)
	}
	if len(edits)+len(*r.others) == 0 {
		return nil, size, fmt.Errorf("what makes pictures of %s is written in no way that could be changed", before)
	}
	return edits, size, nil
}

func (s Size) String() string { return fmt.Sprintf("%d × %d", s.Height, s.Width) }
