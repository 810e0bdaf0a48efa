package keras

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestElements checks the files of testdata/dataset/elements. "# elements: 28x28 uint8, uint8" is
// expected of the dataset on the right side of the line's assignment, and so are "# batch: 32"
// and "# count: 10"; ? stands for an unknown.
func TestElements(t *testing.T) {
	cases.Run(t, "../../testdata/dataset/elements", []string{"elements", "batch", "count"}, func(t *testing.T, c *cases.Case) {
		program := Evaluate(names.Resolve(syntax.Parse(c.Text), effects.Library{}, nil))
		byLine := map[int][]*graph.Dataset{}
		for _, d := range program.Datasets {
			if d.Node.Parent().Kind() == syntax.Assignment {
				line := c.Line(d.Node.Start())
				byLine[line] = append(byLine[line], d)
			}
		}
		each := func(of func(*graph.Dataset) []string) func(int) []string {
			return func(line int) []string {
				if len(byLine[line]) != 1 {
					return []string{fmt.Sprintf("%d datasets", len(byLine[line]))}
				}
				return of(byLine[line][0])
			}
		}
		c.Compare(t, "elements", each(func(d *graph.Dataset) []string {
			if d.Elements == nil {
				return []string{"?"}
			}
			var out []string
			for _, e := range d.Elements {
				out = append(out, written(e))
			}
			return out
		}))
		c.Compare(t, "batch", each(func(d *graph.Dataset) []string {
			if n, ok := d.Batch.Int(); ok {
				return []string{fmt.Sprint(n)}
			}
			return []string{map[bool]string{false: "none", true: "?"}[d.Batched]}
		}))
		c.Compare(t, "count", each(func(d *graph.Dataset) []string { return []string{strings.Replace(fmt.Sprint(d.Count), "-1", "?", 1)} }))
	})
}

func written(e graph.Input) string {
	if e.Why != nil {
		return "?"
	}
	var shape []string
	for _, d := range e.Shape {
		shape = append(shape, strings.Replace(fmt.Sprint(d), "-1", "?", 1))
	}
	return strings.TrimSpace(strings.Join(shape, "x") + " " + string(e.DType))
}
