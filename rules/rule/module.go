package rule

import (
	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Of returns a pass over the module that a node stands in, which may be another one of the program, and the node
// there: for edits, which depend on the text and the names of their own file alone. It returns no pass if the
// module's text cannot be edited, as that of a cell's file.
func (p *Pass) Of(n syntax.Node) (*Pass, syntax.Node) {
	if !n.Valid() || p.Here(n) {
		return p, n
	}
	text := p.File.SourceOf(n)
	if text == nil || len(text.Segments()) != 1 || text.Segments()[0].Cell > 0 {
		return nil, syntax.Node{}
	}
	type module struct{ path string }
	pass := p.File.Fact(module{text.Path}, func() any {
		config := p.File.Config
		config.Workspace, config.Asked = nil, true
		return &Pass{File: analyzer.Analyze(text, config)}
	}).(*Pass)
	there := pass.File.Tree.NodeAt(n.Start(), n.End())
	for there.Valid() && (there.Kind() != n.Kind() || Span(there) != Span(n)) {
		there = there.Parent()
	}
	if !there.Valid() {
		return nil, there
	}
	return pass, there
}
