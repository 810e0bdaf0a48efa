package syntax

// #include "treesitter.h"
import "C"

import (
	"slices"
	"strings"
)

// A Parser parses successive versions of one text, each at the cost of what changed: see
// [reparseRange]. It holds C memory until Close. It is not safe for concurrent use.
type Parser struct {
	c    *C.TSParser
	last *Tree
	// lastValid is the last tree without an error, and work bounds the parse of its text.
	lastValid *Tree
	work      int
	// tree is the C tree of the text parsed last, parsed: usually the next edit is in the same
	// statement.
	tree   *C.TSTree
	parsed string
}

// NewParser returns a parser without a text.
func NewParser() *Parser { return &Parser{c: newCParser()} }

// Parse parses the next version of the text, which must be shorter than 2 GiB.
func (p *Parser) Parse(text string) *Tree {
	for _, t := range []*Tree{p.last, p.lastValid} {
		if t != nil && t.text == text {
			p.last = t
			return t
		}
	}
	var t *Tree
	if isTooLong(text) {
		p.drop()
		t = &Tree{text: text, gaveUp: tooLong}
	} else if t = p.parseIncremental(text); t == nil {
		t = p.parseFull(text)
	}
	p.last = t
	return t
}

// parseFull parses all of a text, and reuses what is the same in the previous tree.
func (p *Parser) parseFull(text string) *Tree {
	// How tree-sitter recovers from an error depends on the previous parse. The meaning of a text
	// must depend on the text alone.
	p.drop()
	return p.read(text, p.parse(text))
}

// read returns the tree of a text that was parsed just now, with the given work.
func (p *Parser) read(text string, work int) *Tree {
	if p.tree == nil {
		return &Tree{text: text, gaveUp: tooMuchWork}
	}
	statements, ok := lower(p.tree, text)
	if !ok {
		p.drop()
		return &Tree{text: text, gaveUp: tooDeep}
	}
	old, prefix, suffix := p.last, 0, 0
	if old == nil {
		old = &Tree{}
	} else {
		prefix, suffix = common(old.text, text)
	}
	r := reparseRange{end: len(text), last: len(old.stmts), oldEnd: len(old.text)}
	t := build(statements, text, r, old, prefix, suffix)
	if isBroken(p.tree) {
		p.drop() // the next version cannot use it, and it may be large
	} else {
		p.lastValid, p.work = t, work
	}
	return t
}

// parseIncremental reparses only what differs from the last error-free text. It returns nil if
// the new text may be broken, cannot be distinguished from a broken one, or may need more work
// than the limit.
func (p *Parser) parseIncremental(text string) *Tree {
	most := workLimit(text) / 4 // text that is read again now has other chunk borders
	if p.lastValid == nil || p.lastValid.vague || p.work > most {
		return nil
	}
	prefix, suffix := common(p.lastValid.text, text)
	for further := range 2 {
		r := p.lastValid.reparseRange(text, prefix, suffix, further)
		if !r.was(p.parsed, p.lastValid.text) {
			p.drop()
		}
		// A parse of the whole text would read what was read for the previous version, or just
		// now.
		work := p.work + p.parse(r.with(text))
		if t := p.parseRange(text, r, prefix, suffix); t != nil && work <= most {
			p.lastValid, p.work = t, work
			return t
		}
		p.drop()
		if !r.hasSentinel {
			break
		}
	}
	return nil
}

// parseRange returns the tree of a text of which a range was just parsed. It returns nil if the
// range is broken, or if its borders are uncertain.
func (p *Parser) parseRange(text string, r reparseRange, prefix, suffix int) *Tree {
	if p.tree == nil || isBroken(p.tree) {
		return nil
	}
	statements, ok := lower(p.tree, p.parsed)
	if ok && r.partial() {
		statements, ok = r.statements(statements, p.parsed)
	}
	if !ok {
		return nil
	}
	t := build(statements, text, r, p.lastValid, prefix, suffix)
	if t.vague {
		return nil
	}
	return t
}

// parse parses a text, reusing the current tree, and returns the work. If that is too much, there
// is no tree.
func (p *Parser) parse(text string) (work int) {
	text = withLineFeeds(text)
	if p.tree != nil {
		prefix, suffix := common(p.parsed, text)
		e := edit(p.parsed, text, prefix, suffix)
		C.ts_tree_edit(p.tree, &e)
	}
	tree, work := parseC(p.c, p.tree, text)
	p.drop()
	if tree != nil {
		p.tree, p.parsed = tree, text
	}
	return work
}

// drop frees the C tree.
func (p *Parser) drop() {
	if p.tree != nil {
		C.ts_tree_delete(p.tree)
	}
	p.tree, p.parsed = nil, ""
}

// Close frees the C memory; the parser must not be used again. The trees that
// were returned stay valid.
func (p *Parser) Close() {
	p.drop()
	C.ts_parser_delete(p.c)
	p.c, p.last, p.lastValid = nil, nil, nil
}

// Parse parses a text once.
func Parse(text string) *Tree {
	p := NewParser()
	defer p.Close()
	return p.Parse(text)
}

// build makes the tree of a text from the lowered statements of a range. It reuses the
// statements of old outside of the range. It also reuses those within that lie in the common
// prefix or suffix, if they mean the same.
func build(statements []lowered, text string, r reparseRange, old *Tree, prefix, suffix int) *Tree {
	t := &Tree{text: text, stmts: make([]Statement, 0, r.first+len(statements)+len(old.stmts)-r.last)}
	shift := r.end - r.oldEnd // of what follows the range
	for i := range old.stmts[:r.first] {
		t.add(old.stmts[i].Subtree, old.stmts[i].start)
	}
	known := cursor{old: old, at: r.first}
	for _, l := range statements {
		start, end := r.start+int(l.start), r.start+int(l.end)
		var s *Subtree
		switch {
		case end < prefix:
			s = known.find(start, l.nodes)
		case start > len(text)-suffix:
			s = known.find(start-shift, l.nodes)
		}
		if s == nil {
			// A few bytes of one version must not keep all of it alive.
			s = &Subtree{all: l.nodes, text: strings.Clone(text[start:end]), kind: l.kind, err: l.flags&flagError != 0}
			s.vague = s.isVague()
		}
		t.add(s, start)
	}
	for i := r.last; i < len(old.stmts); i++ {
		t.add(old.stmts[i].Subtree, old.stmts[i].start+shift)
	}
	return t
}

// add appends a statement.
func (t *Tree) add(s *Subtree, start int) {
	t.stmts = append(t.stmts, Statement{Subtree: s, nodes: s.all, tree: t, number: len(t.stmts), start: start, first: t.count})
	t.count += len(s.all)
	t.vague = t.vague || s.vague
}

// A cursor finds the statements of a tree in order of their start.
type cursor struct {
	old *Tree
	at  int
}

// find returns the statement at a byte of the old text, if it has these nodes.
func (c *cursor) find(start int, nodes []node) *Subtree {
	for c.at < len(c.old.stmts) && c.old.stmts[c.at].start < start {
		c.at++
	}
	if c.at == len(c.old.stmts) || c.old.stmts[c.at].start != start || !slices.Equal(c.old.stmts[c.at].all, nodes) {
		return nil
	}
	return c.old.stmts[c.at].Subtree
}

// common returns the lengths of the common prefix and, beyond that, of the common suffix of two
// texts, in bytes.
func common(a, b string) (prefix, suffix int) {
	n := min(len(a), len(b))
	for prefix+64 <= n && a[prefix:prefix+64] == b[prefix:prefix+64] {
		prefix += 64
	}
	for prefix < n && a[prefix] == b[prefix] {
		prefix++
	}
	n -= prefix
	a, b = a[prefix:], b[prefix:]
	for suffix+64 <= n && a[len(a)-suffix-64:len(a)-suffix] == b[len(b)-suffix-64:len(b)-suffix] {
		suffix += 64
	}
	for suffix < n && a[len(a)-suffix-1] == b[len(b)-suffix-1] {
		suffix++
	}
	return prefix, suffix
}

func edit(old, text string, prefix, suffix int) C.TSInputEdit {
	oldEnd, newEnd := len(old)-suffix, len(text)-suffix
	return C.TSInputEdit{
		start_byte: C.uint32_t(prefix), old_end_byte: C.uint32_t(oldEnd), new_end_byte: C.uint32_t(newEnd),
		start_point: point(text, prefix), old_end_point: point(old, oldEnd), new_end_point: point(text, newEnd),
	}
}

func point(text string, offset int) C.TSPoint {
	row := strings.Count(text[:offset], "\n")
	column := offset - (strings.LastIndexByte(text[:offset], '\n') + 1)
	return C.TSPoint{row: C.uint32_t(row), column: C.uint32_t(column)}
}
