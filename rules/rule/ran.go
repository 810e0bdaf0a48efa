package rule

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// version is a version of TensorFlow or Keras, as a program prints it.
var version = regexp.MustCompile(`\b([12])\.(\d{1,2})\.\d+`)

// ranOlder reports whether a notebook has stored that it ran with a TensorFlow older than a version:
// a cell that reads TensorFlow's version, and no other, put out one.
func (p *Pass) ranOlder(than effects.Version) bool {
	for _, g := range p.File.Source.Segments() {
		if g.Printed == "" || !p.readsOnlyTensorFlow(g.Span()) {
			continue
		}
		if found := version.FindAllStringSubmatch(g.Printed, -1); len(found) == 1 {
			major, _ := strconv.Atoi(found[0][1])
			minor, _ := strconv.Atoi(found[0][2])
			return effects.Version{Major: major, Minor: minor}.Before(than)
		}
	}
	return false
}

// readsOnlyTensorFlow reports whether a cell reads TensorFlow's version, and that of no other
// package.
func (p *Pass) readsOnlyTensorFlow(cell source.Span) bool {
	reads, others := false, false
	for s := range p.File.Tree.Statements() {
		if p.Cell(s.Start()) != cell {
			continue
		}
		s.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Attribute && strings.Contains(strings.ToLower(n.Child(syntax.FieldAttribute).Text()), "version") {
				ours := strings.HasPrefix(p.File.Names().Qualified(n), "tensorflow.") && !strings.HasPrefix(p.File.Names().Qualified(n), "tensorflow.keras.")
				reads, others = reads || ours, others || !ours
			}
			return true
		})
	}
	return reads && !others
}
