package classes

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// classFacts are what Keras's source shows of a layer class
// (testdata/estimate/layers/classes.py).
type classFacts struct {
	Extends  []string // the exported classes that it extends, nearest first
	Training bool     // its call takes training=
	Nojit    bool     // it may set supports_jit to False
}

var (
	//go:embed layer_classes_keras2.txt
	keras2Classes string
	//go:embed layer_classes_keras3.txt
	keras3Classes string

	keras2Facts = sync.OnceValue(func() map[string]classFacts { return readClasses(keras2Classes) })
	keras3Facts = sync.OnceValue(func() map[string]classFacts { return readClasses(keras3Classes) })
)

func readClasses(table string) map[string]classFacts {
	all := map[string]classFacts{}
	for line := range strings.Lines(table) {
		words := strings.Fields(line)
		if words[0] == "#" {
			continue
		}
		facts := classFacts{Training: slices.Contains(words, "training"), Nojit: slices.Contains(words, "nojit")}
		for _, word := range words {
			if bases, ok := strings.CutPrefix(word, "extends="); ok {
				facts.Extends = strings.Split(bases, ",")
			}
		}
		all[words[0]] = facts
	}
	return all
}

// FactsOf returns the facts of a class in a version of Keras that exports it.
func FactsOf(class string, keras int) (facts classFacts, exported bool) {
	all := keras3Facts()
	if keras == 2 {
		all = keras2Facts()
	}
	facts, exported = all[class]
	return facts, exported
}
