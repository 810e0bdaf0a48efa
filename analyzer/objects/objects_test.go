package objects_test

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

func unknown(why string) value.Value { return value.Because(value.UnmodelledUse, "%s", why).Unknown() }

// TestArguments holds what arguments are read as, and why they are not known.
func TestArguments(t *testing.T) {
	for _, c := range []struct {
		given     value.Value
		whole     int64
		number    float64
		why, why2 string
	}{
		{value.Value{X: int64(3)}, 3, 3, "", ""},
		{value.Value{X: 4.0}, 4, 4, "", ""},
		{value.Value{X: value.None{}}, 7, 7, "", ""},
		{value.Value{X: "a"}, 7, 7, `n is not known: it is "a", no whole number`, `n is not known: it is "a", no number`},
		{unknown("it is in a file"), 7, 7, "n is not known: it is in a file", "n is not known: it is in a file"},
		{value.Value{X: value.Tuple{unknown("it is drawn")}}, 7, 7, "n is not known: it is drawn", "n is not known: it is drawn"},
	} {
		args := &value.Args{Positional: []value.Value{c.given}}
		if n, why := objects.IntArgument(args, 0, "n", 7); n != c.whole || why.String() != c.why {
			t.Errorf("%v is the whole number %d, %q; want %d, %q", c.given.X, n, why, c.whole, c.why)
		}
		if x, why := objects.FloatArgument(args, 0, "n", 7); x != c.number || why.String() != c.why2 {
			t.Errorf("%v is the number %v, %q; want %v, %q", c.given.X, x, why, c.number, c.why2)
		}
	}
}

// TestShapes holds what is read as a shape, and that a shape is read as itself.
func TestShapes(t *testing.T) {
	want := tensor.Shape{tensor.None, 3}
	if got, ok := objects.Dims(objects.ShapeValue(want)); !ok || got.String() != want.String() {
		t.Errorf("%s is read as %s, %v", want, got, ok)
	}
	if got, ok := objects.Dims(value.Value{X: int64(5)}); !ok || got.String() != "(5,)" {
		t.Errorf("5 is read as %s, %v", got, ok)
	}
	if _, ok := objects.Dims(value.Value{X: value.Tuple{{X: "a"}}}); ok {
		t.Error("a text is read as a dimension")
	}
}

// TestReasons holds that no part of a reason is told twice.
func TestReasons(t *testing.T) {
	why := objects.Unknown(value.UnmodelledUse, "a: b: c: a: b: %s", "c").Why()
	if why != "a: b: c" {
		t.Errorf("%q", why)
	}
	if got := objects.Because(value.Value{X: value.Base("a table")}); got.String() != "it is a table" {
		t.Errorf("%q", got)
	}
}
