package syntax

import "time"

// Measure parses text as Parse does. It returns how long tree-sitter took, including the release
// of its tree, and how long the lowering took. Other costs are compared with these.
func Measure(text string) (parse, lowering time.Duration) {
	p := NewParser()
	defer p.Close()
	start := time.Now()
	p.parse(text)
	parse = time.Since(start)
	start = time.Now()
	if p.tree == nil {
		return parse, 0
	}
	if tops, nodes, ok := lower(p.tree, text); ok {
		build(tops, nodes, text, region{end: len(text)}, &Tree{}, 0, 0)
	}
	lowering = time.Since(start)
	start = time.Now()
	p.drop()
	return parse + time.Since(start), lowering
}
