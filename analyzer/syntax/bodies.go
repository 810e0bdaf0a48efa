package syntax

import (
	"slices"
	"strings"
)

// A part is what is parsed together of a text: statements at the top of it or, of a
// definition that is long, some of its body, behind the header of the definition.
type part struct {
	region
	header string // "" for statements at the top
	indent string // of the statements of the body that follow; "" where none does
}

// with is the text to be parsed for a part of a text.
func (p part) with(text string) string {
	switch {
	case p.header == "":
		return p.region.with(text)
	case p.indent == "":
		return p.header + p.region.with(text)
	}
	return p.header + text[p.start:p.end] + p.indent + witness
}

// parts are the parts of a region of about a size: one, unless it is a long definition.
func (r region) parts(text string, size int) []part {
	whole := []part{{region: r}}
	if r.end-r.start < 2*size {
		return whole
	}
	header, indent := headerOf(text[r.start:r.end])
	if indent == "" {
		return whole
	}
	var parts []part
	for start := r.start + len(header); start < r.end; {
		p := part{region{start: start, end: r.end, witnessed: r.witnessed}, header, ""}
		if at := next(text[:r.end], start+size, indent); at > 0 {
			p.end, p.witnessed, p.indent = at, false, indent
		}
		parts = append(parts, p)
		start = p.end
	}
	return parts
}

// headerOf is the header of a definition, all lines before its body, and how far the body
// is indented; or nothing. Where it is mistaken, the parts do not fit together.
func headerOf(text string) (header, indent string) {
	if !defines(text) {
		return "", ""
	}
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			break
		}
		line := strings.TrimRight(text[at:at+end], " \t\r")
		at += end + 1
		if !strings.HasSuffix(line, ":") {
			continue
		}
		for at < len(text) { // comments belong to the header
			line, _, _ := strings.Cut(text[at:], "\n")
			if body := strings.TrimLeft(line, " \t"); body != "" && body[0] != '#' && body[0] != '\r' {
				return text[:at], line[:len(line)-len(body)]
			}
			at += len(line) + 1
		}
	}
	return "", ""
}

func defines(text string) bool {
	for _, word := range [...]string{"def ", "class ", "async def ", "@"} {
		if strings.HasPrefix(text, word) {
			return true
		}
	}
	return false
}

// A lowered is a part with what was made of it.
type lowered struct {
	part
	text  string // what was parsed
	tops  []top
	nodes []node
}

// join makes a piece of the parts of a region; ok is false where they are not what they
// were taken for.
func join(r region, parts []lowered) (p piece, ok bool) {
	last := &parts[len(parts)-1]
	if last.tops, ok = last.statements(last.tops, last.text); !ok {
		return piece{}, false
	}
	if last.header == "" {
		return piece{r.start, last.tops, last.nodes}, true
	}
	var d definition
	for i := range parts {
		if !d.add(&parts[i], parts[i].start-r.start-len(last.header)) {
			return piece{}, false
		}
	}
	// Comments may follow in the last part.
	shift, moved := last.start-r.start-len(last.header), len(d.nodes)-last.defined()
	p = piece{r.start, last.tops, append(d.nodes, last.nodes[last.defined():]...)}
	for i := range p.tops {
		t := &p.tops[i]
		t.end += uint32(shift)
		if i > 0 {
			t.start += uint32(shift)
			t.first += uint32(moved)
		}
	}
	return p, true
}

// defined is how many of the nodes are the first statement's.
func (l *lowered) defined() int {
	if len(l.tops) > 1 {
		return int(l.tops[1].first)
	}
	return len(l.nodes)
}

// A definition is put together from parts of its body.
type definition struct {
	nodes []node
	block int // the body
	last  int // its last statement so far
}

// add adds what a part has of the body, which stands so many bytes further behind in the
// definition than in the part.
func (d *definition) add(l *lowered, shift int) bool {
	if len(l.tops) == 0 || l.tops[0].start != 0 || l.indent != "" && len(l.tops) > 1 {
		return false
	}
	nodes := l.nodes[:l.defined()]
	block := bodyOf(nodes)
	if block < 0 || int(nodes[block].start) < len(l.header) {
		return false
	}
	witnessed := 0
	if l.indent != "" {
		witnessed = len(nodes) - 1
		if w := nodes[witnessed]; w.kind != PassStatement || int(w.parent) != block || int(w.start) != len(l.text)-len(witness) {
			return false
		}
		nodes = nodes[:witnessed]
	}
	if len(nodes) == block+1 {
		return false
	}
	last := block + 1
	for next := nodes[last].next; next > 0 && int(next) != witnessed; next = nodes[last].next {
		last = int(next)
	}
	nodes[last].next = 0
	if d.nodes == nil {
		d.nodes, d.block, d.last = nodes, block, last
		return true
	}
	if block != d.block || !slices.EqualFunc(nodes[:block], d.nodes[:block], sameHeader) {
		return false
	}
	moved := len(d.nodes) - (block + 1)
	d.nodes[d.last].next = int32(len(d.nodes))
	d.last = last + moved
	for _, n := range nodes[block+1:] {
		n.start += uint32(shift)
		n.end += uint32(shift)
		if int(n.parent) > block {
			n.parent += int32(moved)
		}
		if n.next > 0 {
			n.next += int32(moved)
		}
		d.nodes = append(d.nodes, n)
	}
	for i := block; i >= 0; i = int(nodes[i].parent) { // what holds the body ends with it
		d.nodes[i].end = nodes[i].end + uint32(shift)
	}
	return true
}

// sameHeader compares what two parts have of the header: what holds the body ends elsewhere.
func sameHeader(a, b node) bool {
	return a.kind == b.kind && a.field == b.field && a.start == b.start && a.parent == b.parent
}

// bodyOf is the node of a definition's body, or -1: the last child of the definition, which
// may be decorated.
func bodyOf(nodes []node) int {
	i := 0
	if nodes[i].kind == DecoratedDefinition {
		i = lastChild(nodes, i)
	}
	if i < 0 || nodes[i].kind != FunctionDefinition && nodes[i].kind != ClassDefinition {
		return -1
	}
	if i = lastChild(nodes, i); i < 0 || nodes[i].kind != Block {
		return -1
	}
	return i
}

func lastChild(nodes []node, of int) int {
	c := of + 1
	if c >= len(nodes) || int(nodes[c].parent) != of {
		return -1
	}
	for nodes[c].next > 0 {
		c = int(nodes[c].next)
	}
	return c
}
