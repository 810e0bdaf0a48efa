package syntax

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// pieceSize is about how many bytes of a new text are parsed together. Of a piece like
// that, what tree-sitter makes stays in a processor's cache, and is freed before the next.
const pieceSize = 32 << 10

// A piece is a part of a text, lowered.
type piece struct {
	start int // byte of the text
	tops  []top
	nodes []node
}

// inPieces parses a text in pieces of about a size, on all processors. It is nil where
// there is but one piece, or where one does not parse by itself: the text may be broken, or
// what looks like the start of a statement is a line of a string.
func inPieces(text string, size int) []piece {
	regions := cut(text, size)
	if len(regions) < 2 {
		return nil
	}
	pieces := make([]piece, len(regions))
	var taken atomic.Int64
	var failed atomic.Bool
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(regions)) {
		workers.Go(func() {
			p := NewParser()
			defer p.Close()
			for i := taken.Add(1) - 1; i < int64(len(regions)) && !failed.Load(); i = taken.Add(1) - 1 {
				r := regions[i]
				if p.parse(r.with(text)); p.broken() {
					failed.Store(true)
					return
				}
				tops, nodes := lower(p.tree, p.parsed)
				p.drop()
				tops, ok := r.statements(tops, r.with(text))
				if !ok {
					failed.Store(true)
					return
				}
				pieces[i] = piece{r.start, tops, nodes}
			}
		})
	}
	workers.Wait()
	if failed.Load() {
		return nil
	}
	return pieces
}

// cut cuts a text before lines that look like the start of a statement. Where one is not,
// as in a string or in brackets, what is cut off does not parse.
func cut(text string, size int) (pieces []region) {
	for start := 0; start < len(text); {
		r := region{start: start, end: len(text)}
		for at := start + size; at < len(text); at++ {
			line := strings.IndexByte(text[at:], '\n')
			if line < 0 {
				break
			}
			if at += line; starts(text[at+1:]) && !continued(text[:at+1]) {
				r.end, r.witnessed = at+1, true
				break
			}
		}
		pieces = append(pieces, r)
		start = r.end
	}
	return pieces
}

// starts tells whether a line looks like the start of a statement.
func starts(line string) bool {
	if line == "" || goesOn(line) {
		return false
	}
	c := line[0] | 0x20
	return 'a' <= c && c <= 'z' || line[0] == '_' || line[0] == '@'
}

// assemble makes a tree of all pieces of a text.
func assemble(text string, pieces ...piece) *Tree {
	n := 0
	for _, p := range pieces {
		n += len(p.tops)
	}
	t := &Tree{text: text, stmts: make([]Statement, 0, n)}
	subtrees := make([]Subtree, n)
	for _, p := range pieces {
		for i := range p.tops {
			s := &subtrees[len(t.stmts)]
			*s = p.subtree(text, i)
			t.add(s, p.start+int(p.tops[i].start))
		}
	}
	return t
}

// subtree is the i-th statement of a piece of a text.
func (p piece) subtree(text string, i int) Subtree {
	top := p.tops[i]
	own := p.nodes[top.first:]
	if i+1 < len(p.tops) {
		own = p.nodes[top.first:p.tops[i+1].first]
	}
	return Subtree{all: own, text: text[p.start+int(top.start) : p.start+int(top.end)], kind: top.kind, err: top.flags&flagError != 0}
}
