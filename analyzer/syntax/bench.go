package syntax

import "time"

// Measure parses text as Parse does and says how long tree-sitter took, its
// tree's release included, and how long the lowering: what all that is built on
// them is held against.
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
