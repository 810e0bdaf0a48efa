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

// layerNames are the attributes of all layers and models of Keras, in any recorded version
// (testdata/estimate/layers/names.py).
//
//go:embed layer_names.txt
var layerNames string

var LayerHas = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(layerNames) {
		out[name] = true
	}
	return out
})

var (
	//go:embed layer_arguments_keras3.txt
	arguments3 string
	//go:embed layer_arguments_tf_keras.txt
	arguments2 string

	// LayerArguments are the arguments that layers may take, by class, in Keras 2 and 3
	// (testdata/estimate/layers/arguments.py).
	LayerArguments = sync.OnceValue(func() map[int]map[string][]string {
		return map[int]map[string][]string{2: readArguments(arguments2), 3: readArguments(arguments3)}
	})
)

func readArguments(table string) map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(table) {
		if words := strings.Fields(line); words[0] != "#" {
			all[words[0]] = words[1:]
		}
	}
	return all
}
