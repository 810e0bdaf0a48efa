// Package library is the registry of names: it finds what is known of a function or a class of a
// library by its qualified name. Each name has one owner, a row of one table. The tables stand in
// the files of the packages that know a library, beside what their rows name.
package library

import (
	"fmt"
	"strings"
	"sync"
)

// A Table holds what is known of names, by the name. A name that ends in ".*" is a family: its
// row is for all names below it that have none of their own.
type Table[T any] map[string]T

// Add gives names a row. It panics if one of them has a row already.
func (t Table[T]) Add(row T, names ...string) {
	for _, name := range names {
		if _, twice := t[name]; twice {
			panic(name + " has two owners")
		}
		t[name] = row
	}
}

// A Registry looks names up in several tables.
type Registry[T any] struct{ names, families map[string]T }

// New returns the registry of tables. A name that two of them hold is an error.
func New[T any](tables ...Table[T]) (*Registry[T], error) {
	rows := 0
	for _, table := range tables {
		rows += len(table)
	}
	r := &Registry[T]{make(map[string]T, rows), map[string]T{}}
	for _, table := range tables {
		for name, row := range table {
			to := r.names
			family, ok := strings.CutSuffix(name, ".*")
			if ok {
				to = r.families
			}
			if _, twice := to[family]; twice {
				return nil, fmt.Errorf("%s has two owners", name)
			}
			to[family] = row
		}
	}
	return r, nil
}

// Lookup returns the row of a name: its own, or that of the smallest family that it is in.
func (r *Registry[T]) Lookup(name string) (row T, ok bool) {
	if row, ok = r.names[name]; ok {
		return row, true
	}
	for i := strings.LastIndexByte(name, '.'); i >= 0; i = strings.LastIndexByte(name, '.') {
		name = name[:i]
		if row, ok = r.families[name]; ok {
			return row, true
		}
	}
	return row, false
}

// Has reports whether a name has a row of its own.
func (r *Registry[T]) Has(name string) bool {
	_, ok := r.names[name]
	return ok
}

// Once returns a function that loads tables when it is first called, and keeps them. It panics if
// they are wrong: they are part of the program, and a test reads them.
func Once[T any](load func() (T, error)) func() T {
	return sync.OnceValue(func() T {
		t, err := load()
		if err != nil {
			panic(err)
		}
		return t
	})
}
