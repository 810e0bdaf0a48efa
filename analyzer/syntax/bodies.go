package syntax

import (
	"slices"
	"strings"
)

// A part is what is parsed together of a text: statements at the top of it or, of a
// definition that is long, some of its body, behind the header of the definition. What is
// long in the body of another is in parts itself: a method of a class.
type part struct {
	region
	headers []string // of the definitions around it, the outermost first
	indent  string   // of the statement that follows it
	within  int      // how many of the definitions hold that; none of them where none does
	parts   []part   // of its body, where it is a definition in parts
}

// header is what stands before the part when it is parsed.
func (p *part) header() string { return strings.Join(p.headers, "") }

// with is the text to be parsed for a part of a text.
func (p *part) with(text string) string {
	if p.within == 0 {
		return p.header() + p.region.with(text)
	}
	return p.header() + text[p.start:p.end] + p.indent + witness
}

// divide makes parts of about a size of a definition that is long, and of what is in it.
func (p *part) divide(text string, size int) {
	if p.end-p.start < 2*size {
		return
	}
	header, indent := headerOf(text[p.start:p.end])
	if indent == "" {
		return
	}
	headers := append(slices.Clip(p.headers), header)
	for _, r := range cut(text[:p.end], p.start+len(header), indent, size) {
		inner := part{region: r, headers: headers, indent: indent, within: len(headers)}
		if !r.witnessed { // the last ends as the definition does
			inner.witnessed, inner.indent, inner.within = p.witnessed, p.indent, p.within
		}
		inner.divide(text, size)
		p.parts = append(p.parts, inner)
	}
}

// leaves appends what is to be parsed of a part: all of it, or its parts.
func (p *part) leaves(to []lowered) []lowered {
	if len(p.parts) == 0 {
		return append(to, lowered{part: p})
	}
	for i := range p.parts {
		to = p.parts[i].leaves(to)
	}
	return to
}

// count is how many leaves a part has.
func (p *part) count() int {
	if len(p.parts) == 0 {
		return 1
	}
	n := 0
	for i := range p.parts {
		n += p.parts[i].count()
	}
	return n
}

// headerOf is the header of a definition, all lines before its body, and how far the body
// is indented; or nothing. Where it is mistaken, the parts do not fit together.
func headerOf(text string) (header, indent string) {
	if !defines(strings.TrimLeft(text, " \t")) {
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
	*part
	text  string // what was parsed
	tops  []top
	nodes []node
}

// join takes what was made of a part from the front of what was made of all, and puts it
// together; ok is false where the parts are not what they were taken for.
func join(p *part, of []lowered) (l lowered, rest []lowered, ok bool) {
	if len(p.parts) == 0 {
		return of[0], of[1:], of[0].forgetWitness()
	}
	var d definition
	for _, l := range of[:p.count()] {
		d.room += len(l.nodes)
	}
	for i := range p.parts {
		inner := &p.parts[i]
		if l, of, ok = join(inner, of); !ok {
			return lowered{}, nil, false
		}
		if i == len(p.parts)-1 {
			break
		}
		if len(l.tops) > 1 || !d.add(&l, p.shift(inner)) {
			return lowered{}, nil, false
		}
	}
	// Comments may follow in the last part.
	last := &p.parts[len(p.parts)-1]
	shift, defined := p.shift(last), l.defined()
	if !d.add(&l, shift) {
		return lowered{}, nil, false
	}
	moved := len(d.nodes) - defined
	l.part, l.nodes = p, append(d.nodes, l.nodes[defined:]...)
	for i := range l.tops {
		t := &l.tops[i]
		t.end += uint32(shift)
		if i > 0 {
			t.start += uint32(shift)
			t.first += uint32(moved)
		}
	}
	return l, of, true
}

// shift is how many bytes further behind an inner part stands in what is parsed for the
// outer than in what is parsed for itself.
func (p *part) shift(inner *part) int {
	return len(p.header()) + inner.start - p.start - len(inner.header())
}

// forgetWitness takes out the witness; it is false where that was taken for something else.
func (l *lowered) forgetWitness() (ok bool) {
	if l.within == 0 {
		l.tops, ok = l.statements(l.tops, l.text)
		return ok
	}
	bodies := bodiesOf(l.nodes, l.within)
	if len(l.tops) != 1 || bodies == nil {
		return false
	}
	body, last := bodies[l.within-1], len(l.nodes)-1
	w, c := l.nodes[last], body+1
	if w.kind != PassStatement || int(w.parent) != body || int(w.start) != len(l.text)-len(witness) || c == last {
		return false
	}
	for int(l.nodes[c].next) != last {
		c = int(l.nodes[c].next)
	}
	l.nodes[c].next = 0
	l.nodes = l.nodes[:last]
	return true
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
	room  int // for how many nodes there is to be
	body  int
	last  int // its last statement so far
}

// add adds what a part has of the body, which stands so many bytes further behind in the
// definition than in the part.
func (d *definition) add(l *lowered, shift int) bool {
	if len(l.tops) == 0 || l.tops[0].start != 0 {
		return false
	}
	nodes := l.nodes[:l.defined()]
	bodies := bodiesOf(nodes, len(l.headers))
	if bodies == nil {
		return false
	}
	body := bodies[len(bodies)-1]
	if int(nodes[body].start) < len(l.header()) || len(nodes) == body+1 {
		return false
	}
	last := lastChild(nodes, body)
	if d.nodes == nil {
		d.nodes, d.body, d.last = append(make([]node, 0, d.room), nodes...), body, last
		return true
	}
	if d.followed() || body != d.body || !slices.EqualFunc(nodes[:body], d.nodes[:body], sameHeader) {
		return false
	}
	moved := len(d.nodes) - (body + 1)
	d.nodes[d.last].next = int32(len(d.nodes))
	d.last = last + moved
	for _, n := range nodes[body+1:] {
		n.start += uint32(shift)
		n.end += uint32(shift)
		if int(n.parent) > body {
			n.parent += int32(moved)
		}
		if n.next > 0 {
			n.next += int32(moved)
		}
		d.nodes = append(d.nodes, n)
	}
	for i := body; i >= 0; i = int(nodes[i].parent) { // what holds the body ends with it
		d.nodes[i].end = nodes[i].end + uint32(shift)
		if next := nodes[i].next; next > 0 {
			d.nodes[i].next = next + int32(moved)
		}
	}
	return true
}

// followed tells whether something follows the definition in what holds it: comments may,
// behind its last part.
func (d *definition) followed() bool {
	for i := d.body; i >= 0; i = int(d.nodes[i].parent) {
		if d.nodes[i].next > 0 {
			return true
		}
	}
	return false
}

// sameHeader compares what two parts have of the header: what holds the body ends elsewhere.
func sameHeader(a, b node) bool {
	return a.kind == b.kind && a.field == b.field && a.start == b.start && a.parent == b.parent
}

// bodiesOf are the nodes of the bodies of so many definitions, the first of which is the
// statement and holds the next as its first; nil where they are not that.
func bodiesOf(nodes []node, depth int) (bodies []int) {
	at := 0
	for range depth {
		body := bodyOf(nodes, at)
		if body < 0 {
			return nil
		}
		bodies = append(bodies, body)
		at = body + 1
		for at < len(nodes) && nodes[at].kind == Comment && nodes[at].next > 0 {
			at = int(nodes[at].next)
		}
	}
	return bodies
}

// bodyOf is the node of a definition's body, or -1: the last child of the definition, which
// may be decorated.
func bodyOf(nodes []node, i int) int {
	if i < len(nodes) && nodes[i].kind == DecoratedDefinition {
		i = lastChild(nodes, i)
	}
	if i < 0 || i >= len(nodes) || nodes[i].kind != FunctionDefinition && nodes[i].kind != ClassDefinition {
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
