package syntax

import "time"

// Measure parses text as Parse does. It returns how long tree-sitter took, from the creation of a
// parser to the release of parser and tree, and how long the lowering took. Other costs are
// compared with these. The creation counts because glibc merges the memory of the last tree only
// when a parser asks for more.
func Measure(text string) (parse, lowering time.Duration) {
	start := time.Now()
	p := NewParser()
	p.parse(text)
	parse = time.Since(start)
	if p.tree != nil {
		start = time.Now()
		if statements, ok := lower(p.tree, text); ok {
			build(statements, text, reparseRange{end: len(text)}, &Tree{}, 0, 0)
		}
		lowering = time.Since(start)
	}
	start = time.Now()
	p.Close()
	return parse + time.Since(start), lowering
}
