package budget

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
)

// mostPlaces bounds the commands that a sentence names, and mostOptions the options of one.
const (
	mostPlaces  = 3
	mostOptions = 8
)

// Commanded says which options the figures have from the commands with which the project runs the
// program, and on which these commands differ.
func Commanded(program *graph.Program) (set, differ []string) {
	var order []string
	same, others := map[string][]string{}, map[string][]string{}
	for _, use := range program.Commands {
		places, of := enumerated(use.Places, mostPlaces), same
		if use.Differs {
			of = others
		}
		if !slices.Contains(order, places) {
			order = append(order, places)
		}
		of[places] = append(of[places], use.Option)
	}
	for _, places := range order {
		if options := same[places]; options != nil {
			verb := "runs"
			if strings.Contains(places, " and ") {
				verb = "run"
			}
			set = append(set, fmt.Sprintf("%s %s it with %s.", places, verb, enumerated(options, mostOptions)))
		}
		if options := others[places]; options != nil {
			differ = append(differ, fmt.Sprintf("The commands that run it differ in %s (%s): the program's own default is taken. Say in tfmem.toml, by assume, which it is.", enumerated(options, mostOptions), places))
		}
	}
	return set, differ
}

// enumerated lists some items, and says how many more there are.
func enumerated(items []string, most int) string {
	if n := len(items); n > most {
		items = append(slices.Clone(items[:most]), fmt.Sprintf("%d more", n-most))
	}
	if n := len(items); n > 1 {
		return strings.Join(items[:n-1], ", ") + " and " + items[n-1]
	}
	return strings.Join(items, "")
}
