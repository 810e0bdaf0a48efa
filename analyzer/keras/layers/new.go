//go:build ignore

// Starts a layer of Keras: its file, its row in the table of a family, and a line in the cases that
// are recorded. From the root of the repository:
//
//	go run analyzer/keras/layers/new.go PositionScaling normalization
//
// The family is the name of a table in this folder, without "Layers". CONTRIBUTING.md says what to
// fill in, and how to record the cases.
package main

import (
	"errors"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const (
	folder = "analyzer/keras/layers"
	cases  = "testdata/estimate/layers/cases.txt"
)

var (
	className = regexp.MustCompile(`^[A-Z][A-Za-z0-9]+$`)
	// table matches the beginning of a family's table, up to its first row.
	table = regexp.MustCompile(`(?m)^var (\w+)Layers = (?:func\(\) map\[string\]layerClass \{\n\t\w+ := )?map\[string\]layerClass\{\n`)
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: go run analyzer/keras/layers/new.go CLASS FAMILY")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(class, family string) error {
	if !className.MatchString(class) {
		return fmt.Errorf("%q is not the name of a class", class)
	}
	paths, err := filepath.Glob(folder + "/*.go")
	if err != nil || len(paths) == 0 {
		return errors.Join(errors.New("run this in the root of the repository"), err)
	}
	row := regexp.MustCompile(`(?m)^\t+"` + class + `": *\{`)
	written := map[string][]byte{} // by path
	var families []string
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if row.Match(text) {
			return fmt.Errorf("%s has a row of %s", path, class)
		}
		for _, m := range table.FindAllSubmatchIndex(text, -1) {
			name := string(text[m[2]:m[3]])
			if families = append(families, name); name == family {
				added := fmt.Sprintf("\t%q: {MayHaveWeights, %sOf},\n", class, variable(class))
				written[path] = slices.Concat(text[:m[1]], []byte(added), text[m[1]:])
			}
		}
	}
	if len(written) == 0 {
		slices.Sort(families)
		return fmt.Errorf("there is no family %q; there are %s", family, strings.Join(families, ", "))
	}
	file := filepath.Join(folder, snake(class)+".go")
	if _, err := os.Stat(file); err == nil {
		return fmt.Errorf("%s already exists", file)
	}
	written[file] = []byte(layerFile(class))
	for path, text := range written {
		if text, err = format.Source(text); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return err
		}
	}
	list, err := os.ReadFile(cases)
	if err != nil {
		return err
	}
	list = fmt.Appendf(list, "\n# %s\n(8, 6) -> %[1]s()(x)\n", class)
	if err := os.WriteFile(cases, list, 0o666); err != nil {
		return err
	}
	fmt.Printf(`wrote %s, a row in %sLayers, and a case at the end of %s

Fill them in and record the case (CONTRIBUTING.md, "Add a layer"). This compares:

	go test ./analyzer/keras -run 'TestLayers/keras3/^%s$|TestLayerClasses' -v
`, file, family, cases, class)
	return nil
}

// variable returns the Go name of a layer's type: "STFTSpectrogram" is sTFTSpectrogram.
func variable(class string) string { return strings.ToLower(class[:1]) + class[1:] }

// snake returns a class's name as part of a file name: "PositionScaling" is position_scaling.
func snake(class string) string {
	return strings.ToLower(regexp.MustCompile(`([a-z0-9])([A-Z])`).ReplaceAllString(class, "${1}_$2"))
}

// layerFile returns the file of a layer that is not modelled yet.
func layerFile(class string) string {
	return fmt.Sprintf(`package layers

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// %[1]s is %[2]s (keras/src/layers/).
type %[1]s struct{}

// %[1]sOf reads the arguments of the constructor. Those that change no shape, no weight and no
// operation are not read.
func %[1]sOf(r *ArgParser) graph.Impl {
	return &%[1]s{}
}

// Build makes the weights for inputs of the given shapes.
func (s *%[1]s) Build(l *graph.Layer, in []tensor.Shape) error {
	return value.Because(value.UnmodelledLayer, "its weights are not written yet")
}

// Call adds the operations to the graph.
func (s *%[1]s) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	return nil, value.Because(value.UnmodelledLayer, "its operations are not written yet")
}
`, variable(class), class)
}
