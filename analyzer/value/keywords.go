package value

import (
	"iter"
	"slices"
)

// Keywords are the keyword arguments of a call, in order.
type Keywords struct {
	passed []keyword
	index  map[string]int // by name, once there are many
}

type keyword struct {
	name  string
	value Value
}

// Named returns Keywords with one argument.
func Named(name string, v Value) Keywords { return Keywords{passed: []keyword{{name, v}}} }

func (k *Keywords) find(name string) int {
	if k.index != nil {
		if i, ok := k.index[name]; ok {
			return i
		}
		return -1
	}
	return slices.IndexFunc(k.passed, func(a keyword) bool { return a.name == name })
}

// Get returns the argument of a name; ok is false if it is not passed.
func (k *Keywords) Get(name string) (v Value, ok bool) {
	if i := k.find(name); i >= 0 {
		return k.passed[i].value, true
	}
	return Value{}, false
}

// Value returns the argument of a name, or the zero Value.
func (k *Keywords) Value(name string) Value {
	v, _ := k.Get(name)
	return v
}

// Len returns the number of arguments.
func (k *Keywords) Len() int { return len(k.passed) }

// All yields the names and the arguments.
func (k *Keywords) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for _, a := range k.passed {
			if !yield(a.name, a.value) {
				return
			}
		}
	}
}

// values returns the arguments.
func (k *Keywords) values() []Value {
	if len(k.passed) == 0 {
		return nil
	}
	out := make([]Value, len(k.passed))
	for i, a := range k.passed {
		out[i] = a.value
	}
	return out
}

// Names yields the names.
func (k *Keywords) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, a := range k.passed {
			if !yield(a.name) {
				return
			}
		}
	}
}

// Put adds an argument, or replaces the one of the same name.
func (k *Keywords) Put(name string, v Value) {
	if i := k.find(name); i >= 0 {
		k.passed[i].value = v
		return
	}
	k.passed = append(k.passed, keyword{name, v})
	switch n := len(k.passed); {
	case k.index != nil:
		k.index[name] = n - 1
	case n > Few:
		k.index = make(map[string]int, 2*n)
		for i, a := range k.passed {
			k.index[a.name] = i
		}
	}
}

// Without returns a copy without one argument.
func (k *Keywords) Without(name string) (out Keywords) {
	for other, v := range k.All() {
		if other != name {
			out.Put(other, v)
		}
	}
	return out
}

// Clone returns a copy.
func (k *Keywords) Clone() (out Keywords) {
	for name, v := range k.All() {
		out.Put(name, v)
	}
	return out
}
