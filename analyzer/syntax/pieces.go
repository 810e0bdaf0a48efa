package syntax

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// pieceSize is about how many bytes of a new text are parsed together. Of a piece like
// that, what tree-sitter makes stays in a processor's cache, and is freed before the next.
const pieceSize = 16 << 10

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
	var parts []part
	for _, r := range cut(text, 0, size, statementAt("")) {
		p := part{region: r}
		p.divide(text, size)
		parts = append(parts, p)
	}
	var leaves []lowered
	for i := range parts {
		leaves = parts[i].leaves(leaves)
	}
	if len(leaves) < 2 || !lowerAll(text, leaves) {
		return nil
	}
	pieces := make([]piece, 0, len(parts))
	for i := range parts {
		n := parts[i].count()
		l, ok := join(&parts[i], leaves[:n])
		if !ok {
			return nil
		}
		pieces, leaves = append(pieces, piece{l.start, l.tops, l.nodes}), leaves[n:]
	}
	return pieces
}

// lowerAll parses and lowers all parts of a text; it is false where one is broken, or is not
// what it was taken for.
func lowerAll(text string, parts []lowered) bool {
	var taken atomic.Int64
	var failed atomic.Bool
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(parts)) {
		workers.Go(func() {
			a := takeArena()
			defer a.free()
			for i := taken.Add(1) - 1; i < int64(len(parts)) && !failed.Load(); i = taken.Add(1) - 1 {
				l := &parts[i]
				l.text = l.with(text)
				root := a.parse(l.text)
				if hasError(root) {
					failed.Store(true)
					return
				}
				if l.tops, l.nodes = lower(root, l.text); !l.forgetWitness() {
					failed.Store(true)
					return
				}
			}
		})
	}
	workers.Wait()
	return !failed.Load()
}

// cut cuts a text, from an offset on, before lines at which something new looks to begin,
// as opens tells. Where it does not, as in a string or in brackets, what is cut off does not
// parse. What is long is cut from what stands before it.
func cut(text string, from, size int, opens func(text string, line int) bool) (regions []region) {
	for start := from; start < len(text); {
		r := region{start: start, end: len(text)}
		if at := next(text, start+size, opens); at > 0 {
			r.end, r.witnessed = at, true
		}
		if r.end > start+2*size {
			if at := before(text, start, start+size, opens); at > start {
				r.end, r.witnessed = at, true
			}
		}
		regions = append(regions, r)
		start = r.end
	}
	return regions
}

// next is the first line behind an offset that opens something, or 0.
func next(text string, from int, opens func(string, int) bool) int {
	for at := from; at < len(text); at++ {
		line := strings.IndexByte(text[at:], '\n')
		if line < 0 {
			break
		}
		if at += line; opens(text, at+1) {
			return at + 1
		}
	}
	return 0
}

// before is the last such line between two offsets, or 0.
func before(text string, from, to int, opens func(string, int) bool) int {
	for at := min(to, len(text)); at > from; {
		line := strings.LastIndexByte(text[from:at], '\n')
		if line < 0 {
			break
		}
		if at = from + line; opens(text, at+1) {
			return at + 1
		}
	}
	return 0
}

// statementAt tells whether a line looks like the start of a statement that is indented so
// far.
func statementAt(indent string) func(text string, at int) bool {
	return func(text string, at int) bool {
		line, ok := strings.CutPrefix(text[at:], indent)
		if !ok || !starts(line) || continued(text[:at]) {
			return false
		}
		above := text[strings.LastIndexByte(text[:at-1], '\n')+1:]
		return !strings.HasPrefix(above, indent+"@") // which decorates it
	}
}

// elementAt tells whether a line looks like the start of an element in brackets that is
// indented so far: the line above ends with a comma, which is in no comment.
func elementAt(indent string) func(text string, at int) bool {
	return func(text string, at int) bool {
		line, ok := strings.CutPrefix(text[at:], indent)
		if !ok || line == "" || strings.ContainsRune(" \t\r\n#)]}", rune(line[0])) {
			return false
		}
		above := strings.TrimRight(text[:at], " \t\r\n")
		above = above[strings.LastIndexByte(above, '\n')+1:]
		return strings.HasSuffix(above, ",") && !strings.Contains(above, "#")
	}
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
