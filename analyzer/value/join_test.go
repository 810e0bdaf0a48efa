package value

import "testing"

// TestOverridable: a value that may be a default is one, on whichever branch it is.
func TestOverridable(t *testing.T) {
	plain, option := Value{X: int64(3)}, Value{X: int64(3), Overridable: true}
	for _, c := range []struct {
		a, b Value
		want bool
	}{{plain, plain, false}, {option, plain, true}, {plain, option, true}, {option, option, true}} {
		if got := JoinValues(c.a, c.b, nil); got.Overridable != c.want || got.X != int64(3) {
			t.Errorf("%+v and %+v are %+v", c.a, c.b, got)
		}
	}
}
