package library_test

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/library"
)

type table = library.Table[int]

func TestLookup(t *testing.T) {
	r, err := library.New(table{"a.b": 1, "a.*": 2, "a.b.c.*": 3}, table{"a.b.*": 4, "a.b.c": 5})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"a.b": 1, "a.c": 2, "a.x.y": 2, "a.b.c": 5, "a.b.d": 4, "a.b.c.d.e": 3, "a": 0, "ab.c": 0, "": 0, ".": 0} {
		if have, ok := r.Lookup(name); have != want || ok != (want > 0) {
			t.Errorf("%q is %d, want %d", name, have, want)
		}
	}
	if !r.Has("a.b") || r.Has("a.c") || r.Has("a") {
		t.Error("a name has a row of its own, or has none")
	}
}

// TestTwoOwners holds that a name, or a family, has one owner.
func TestTwoOwners(t *testing.T) {
	for _, twice := range []string{"a.b", "a.*"} {
		if _, err := library.New(table{twice: 1}, table{twice: 1}); err == nil || err.Error() != twice+" has two owners" {
			t.Errorf("two owners of %s: %v", twice, err)
		}
	}
	if _, err := library.New(table{"a": 1, "a.*": 2}); err != nil {
		t.Error(err)
	}
}

// TestAdd sees that a name gets one row.
func TestAdd(t *testing.T) {
	rows := library.Table[int]{}
	rows.Add(1, "a", "b")
	defer func() {
		if why := recover(); why != "b has two owners" {
			t.Error(why)
		}
	}()
	rows.Add(2, "b")
	t.Errorf("b is %d", rows["b"])
}
