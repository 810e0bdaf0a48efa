package syntax

import (
	"context"
	"time"
)

// Measure parses text as Parse does and says how long tree-sitter took, its
// tree's release included, and how long the lowering: what all that is built on
// them is held against.
func Measure(text string) (parse, lowering time.Duration) {
	p := NewParser()
	defer p.Close()
	start := time.Now()
	tree, err := p.c.ParseCtx(context.Background(), nil, []byte(text))
	parse = time.Since(start)
	if err != nil {
		return parse, 0
	}
	start = time.Now()
	tops, nodes := lower(rootOf(tree), text)
	assemble(text, piece{tops: tops, nodes: nodes})
	lowering = time.Since(start)
	start = time.Now()
	tree.Close()
	return parse + time.Since(start), lowering
}
