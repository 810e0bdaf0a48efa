package value

import (
	"iter"
	"slices"
)

// Keywords are the arguments of a call that are passed by name, in its order.
type Keywords struct {
	passed []keyword
	index  map[string]int // of their names, once there are many
}

type keyword struct {
	name  string
	value Value
}

// Named is one argument.
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

// Get is the argument of a name; ok is false where none is passed.
func (k *Keywords) Get(name string) (v Value, ok bool) {
	if i := k.find(name); i >= 0 {
		return k.passed[i].value, true
	}
	return Value{}, false
}

// Value is the argument of a name, or the zero Value.
func (k *Keywords) Value(name string) Value {
	v, _ := k.Get(name)
	return v
}

// Len is how many there are.
func (k *Keywords) Len() int { return len(k.passed) }

// All are the names and the arguments.
func (k *Keywords) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for _, a := range k.passed {
			if !yield(a.name, a.value) {
				return
			}
		}
	}
}

// values are the arguments.
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

// Names are the names.
func (k *Keywords) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, a := range k.passed {
			if !yield(a.name) {
				return
			}
		}
	}
}

// Put passes an argument, in place of one of the same name.
func (k *Keywords) Put(name string, v Value) {
	if i := k.find(name); i >= 0 {
		k.passed[i].value = v
		return
	}
	k.passed = append(k.passed, keyword{name, v})
	switch n := len(k.passed); {
	case k.index != nil:
		k.index[name] = n - 1
	case n > few:
		k.index = make(map[string]int, 2*n)
		for i, a := range k.passed {
			k.index[a.name] = i
		}
	}
}

// Without is a copy without the argument of a name.
func (k *Keywords) Without(name string) (out Keywords) {
	for other, v := range k.All() {
		if other != name {
			out.Put(other, v)
		}
	}
	return out
}

// Clone is a copy.
func (k *Keywords) Clone() (out Keywords) {
	for name, v := range k.All() {
		out.Put(name, v)
	}
	return out
}
