package classes

import (
	_ "embed"
	"strings"
	"sync"
)

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
