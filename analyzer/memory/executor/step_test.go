package executor

import "testing"

// TestPlace: a buffer takes the memory of one that its kernel reads last, unless something else lives
// there.
func TestPlace(t *testing.T) {
	const size = 100
	for name, c := range map[string]struct {
		build func(s *Step, in *Buffer)
		peak  int64
	}{
		"an input that is read last": {func(s *Step, in *Buffer) {
			s.made(size, in, in)
		}, size},
		"an input that another kernel reads later": {func(s *Step, in *Buffer) {
			out := s.made(size, in, in)
			s.made(0, nil, in, out)
		}, 2 * size},
		"an input of another size": {func(s *Step, in *Buffer) {
			s.made(size/2, in, in)
		}, size + size/2},
		"a pinned input that is read last": {func(s *Step, in *Buffer) {
			in.Pinned = true
			in.readers++ // whoever holds it
			s.made(size, in, in)
		}, 2 * size},
		"an input of which a view lives": {func(s *Step, in *Buffer) {
			view := s.reshaped(in)
			out := s.made(size, in, in)
			s.made(0, nil, view, out)
		}, 2 * size},
		"a view whose buffer lives": {func(s *Step, in *Buffer) {
			view := s.reshaped(in)
			out := s.made(size, view, view)
			s.made(0, nil, in, out)
		}, 2 * size},
		"a view that is read last": {func(s *Step, in *Buffer) {
			view := s.reshaped(in)
			s.made(size, view, view)
		}, size},
		"the second of two inputs": {func(s *Step, in *Buffer) {
			other := s.made(size, nil)
			out := s.Add(Buffer{Size: size, Over: [2]*Buffer{in, other}})
			s.Run([]*Buffer{in, other}, out)
			s.made(0, nil, in, out)
		}, 2 * size},
	} {
		s := &Step{Arena: new(Arena), Ordered: true}
		c.build(s, s.made(size, nil))
		if peak := s.Play(Use{}, nil); peak != c.peak {
			t.Errorf("%s: the peak is %d, want %d", name, peak, c.peak)
		}
	}
}
