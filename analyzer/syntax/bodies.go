package syntax

import (
	"slices"
	"strings"
)

// A part is what is parsed together of a text: statements at the top of it or, of a
// definition that is long, some of its body, behind the header of the definition. What is
// long in the body of another is in parts itself, a method of a class, and so is what is
// long in brackets: some of its elements, behind the line that opens them.
type part struct {
	region
	headers []string // of the definitions around it, the outermost first
	indent  string   // of the statement that follows it
	within  int      // how many of the definitions hold that; none of them where none does
	opening string   // of elements: the lines before the first, and
	closing string   // what closes the brackets, where more elements follow
	goesOn  int      // how many of the definitions and brackets the part before is in, too
	parts   []part   // of its body or elements, where it is in parts
}

// header is what stands before the part when it is parsed.
func (p *part) header() string { return strings.Join(p.headers, "") + p.opening }

// depth is in how many definitions and brackets the part is.
func (p *part) depth() int {
	if p.opening != "" {
		return len(p.headers) + 1
	}
	return len(p.headers)
}

// with is the text to be parsed for a part of a text.
func (p *part) with(text string) string {
	switch {
	case p.closing != "":
		return p.header() + text[p.start:p.end] + p.closing
	case p.within == 0:
		return p.header() + p.region.with(text)
	}
	return p.header() + text[p.start:p.end] + p.indent + witness
}

// divide makes parts of about a size of a statement that is long, and of what is in it.
func (p *part) divide(text string, size int) {
	if p.end-p.start < 2*size {
		return
	}
	own := text[p.start:p.end]
	if header, indent := headerOf(own); indent != "" {
		headers := append(slices.Clip(p.headers), header)
		p.take(cut(text[:p.end], p.start+len(header), size, statementAt(indent)), func(inner *part) {
			inner.headers = headers
			if inner.witnessed {
				inner.indent, inner.within = indent, len(headers)
			}
		})
		for i := range p.parts {
			p.parts[i].divide(text, size)
		}
	} else if opening, closing, indent := bracketsOf(own); indent != "" {
		p.take(cut(text[:p.end], p.start+len(opening), size, elementAt(indent)), func(inner *part) {
			inner.headers, inner.opening = p.headers, opening
			if inner.witnessed {
				inner.witnessed, inner.closing = false, closing
			}
		})
	}
}

// take takes regions as the parts, each of which place tells where it is. The last ends as
// the whole does.
func (p *part) take(regions []region, place func(inner *part)) {
	for i, r := range regions {
		inner := part{region: r}
		place(&inner)
		if inner.goesOn = inner.depth(); i == 0 {
			inner.goesOn = p.goesOn
		}
		if i == len(regions)-1 {
			inner.witnessed, inner.indent, inner.within = p.witnessed, p.indent, p.within
		}
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

// bracketsOf is what opens the brackets that a statement has its elements in, all lines
// before them, what closes the brackets, and how far the elements are indented; or nothing.
// Where it is mistaken, the parts do not parse.
func bracketsOf(text string) (opening, closing, indent string) {
	end := 0
	for {
		line, _, more := strings.Cut(text[end:], "\n")
		if line = strings.TrimRight(line, " \t\r"); !more || line == "" || !strings.ContainsRune("([{", rune(line[len(line)-1])) {
			break
		}
		end += strings.IndexByte(text[end:], '\n') + 1
	}
	opening = text[:end]
	var open []byte
	for i := range len(opening) {
		switch c := opening[i]; c {
		case '(':
			open = append(open, ')')
		case '[', '{':
			open = append(open, c+2)
		case ')', ']', '}':
			open = open[:max(0, len(open)-1)]
		}
	}
	if len(open) == 0 || !strings.HasSuffix(lastCode(text), string(open[0])) {
		return "", "", ""
	}
	slices.Reverse(open)
	for line := range strings.Lines(text[end:]) {
		if element := strings.TrimLeft(line, " \t"); element[0] != '#' && element[0] != '\r' && element[0] != '\n' {
			return opening, string(open) + "\n", line[:len(line)-len(element)]
		}
	}
	return "", "", ""
}

// lastCode is the last line that is no comment, without one at its end.
func lastCode(text string) string {
	for text != "" {
		text = strings.TrimRight(text, " \t\r\n")
		line := text[strings.LastIndexByte(text, '\n')+1:]
		code, _, commented := strings.Cut(line, "#")
		if code = strings.TrimSpace(code); code != "" || !commented {
			return code
		}
		text = text[:len(text)-len(line)]
	}
	return ""
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

// join puts together what was made of the leaves of a part; ok is false where they are not
// what they were taken for.
func join(p *part, of []lowered) (l lowered, ok bool) {
	var j joint
	for _, l := range of {
		j.room += len(l.nodes)
	}
	for i := range of {
		if l = of[i]; len(p.parts) == 0 {
			return l, true
		}
		if i < len(of)-1 && len(l.tops) > 1 || !j.add(&l, p.shift(l.part)) {
			return lowered{}, false
		}
	}
	// Comments may follow in the last part.
	shift, defined := p.shift(l.part), l.defined()
	moved := len(j.nodes) - defined
	l.part, l.nodes = p, append(j.nodes, l.nodes[defined:]...)
	for i := range l.tops {
		t := &l.tops[i]
		t.end += uint32(shift)
		if i > 0 {
			t.start += uint32(shift)
			t.first += uint32(moved)
		}
	}
	return l, true
}

// shift is how many bytes further behind an inner part stands in the statement than in what
// is parsed for itself.
func (p *part) shift(inner *part) int { return inner.start - p.start - len(inner.header()) }

// forgetWitness takes out the witness; it is false where that was taken for something else.
func (l *lowered) forgetWitness() bool {
	if l.within == 0 {
		tops, ok := l.statements(l.tops, l.text)
		if len(tops) < len(l.tops) {
			l.nodes = l.nodes[:l.tops[len(tops)].first]
		}
		l.tops = tops
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

// A joint is a statement that is put together from its parts.
type joint struct {
	nodes []node
	room  int // for how many nodes there is to be
	// open are the nodes that hold what was added last, the outermost first: the bodies of
	// definitions, and what the brackets around elements are. A child of each is at last.
	open, last []int
	before     []node // of what was added last
}

// add adds what a part has of the statement, in which it stands so many bytes further
// behind than in the part.
func (j *joint) add(l *lowered, shift int) bool {
	if len(l.tops) == 0 || l.tops[0].start != 0 {
		return false
	}
	nodes := l.nodes[:l.defined()]
	holders := l.holders(nodes)
	if holders == nil {
		return false
	}
	shared, moved := 0, 0
	if j.nodes == nil {
		j.nodes = append(make([]node, 0, j.room), nodes...)
	} else {
		if shared = l.goesOn; shared == 0 || shared > len(j.open) || j.followed(shared) {
			return false
		}
		here := holders[shared-1]
		if here >= len(j.before) || !slices.EqualFunc(nodes[:here+1], j.before[:here+1], sameHeader) {
			return false
		}
		moved = len(j.nodes) - (here + 1)
		last := j.last[shared-1]
		for j.nodes[last].next > 0 { // comments behind it
			last = int(j.nodes[last].next)
		}
		j.nodes[last].next = int32(len(j.nodes))
		j.append(nodes, here, j.open[shared-1], shift)
		j.last[shared-1] = lastChild(nodes, here) + moved
	}
	j.before, j.open, j.last = nodes, j.open[:shared], j.last[:shared]
	for _, h := range holders[shared:] {
		j.open, j.last = append(j.open, h+moved), append(j.last, lastChild(nodes, h)+moved)
	}
	return true
}

// append appends the nodes of a part from those on that the one at here holds, which is the
// one at there in the statement.
func (j *joint) append(nodes []node, here, there, shift int) {
	moved := int32(len(j.nodes) - (here + 1))
	around := map[int32]int32{int32(here): int32(there)}
	for i, k := int32(here), int32(there); i >= 0; i, k = nodes[i].parent, j.nodes[k].parent {
		around[i] = k
		j.nodes[k].end = nodes[i].end + uint32(shift) // what holds the part ends with it
		if next := nodes[i].next; next > 0 {
			j.nodes[k].next = next + moved
		}
	}
	nodes = nodes[here+1:]
	j.nodes = append(j.nodes, nodes...)
	added := j.nodes[len(j.nodes)-len(nodes):]
	for i := range added {
		n := &added[i]
		n.start += uint32(shift)
		n.end += uint32(shift)
		if int(n.parent) > here {
			n.parent += moved
		} else {
			n.parent = around[n.parent]
		}
		if n.next > 0 {
			n.next += moved
		}
	}
}

// followed tells whether something follows, in what holds it, the last of so many that are
// open: comments may, behind its last part.
func (j *joint) followed(open int) bool {
	for i := j.open[open-1]; i >= 0; i = int(j.nodes[i].parent) {
		if j.nodes[i].next > 0 {
			return true
		}
	}
	return false
}

// holders are the nodes of the bodies and the brackets that a part is in, the outermost
// first; nil where they are not that.
func (l *lowered) holders(nodes []node) []int {
	holders := bodiesOf(nodes, len(l.headers))
	if len(holders) < len(l.headers) {
		return nil
	}
	at := 0
	if len(holders) > 0 {
		body := holders[len(holders)-1]
		if int(nodes[body].start) < len(l.header())-len(l.opening) || len(nodes) == body+1 {
			return nil
		}
		at = first(nodes, body+1)
	}
	if l.opening == "" {
		return holders
	}
	elements := len(l.header())
	for inner := at; inner >= 0; {
		at = inner
		for inner = firstChild(nodes, at); inner >= 0 && int(nodes[inner].end) <= elements; {
			if inner = int(nodes[inner].next); inner == 0 {
				inner = -1
			}
		}
		if inner >= 0 && int(nodes[inner].start) >= elements {
			break
		}
	}
	switch nodes[at].kind {
	case List, Tuple, Set, Dictionary, ArgumentList:
	default:
		return nil
	}
	if c := firstChild(nodes, at); c < 0 || int(nodes[c].start) < elements || l.closing != "" && int(nodes[at].end) != len(l.text)-len(l.closing)+1 {
		return nil
	}
	return append(holders, at)
}

// sameHeader compares what two parts have of the header: what holds them ends elsewhere.
func sameHeader(a, b node) bool {
	return a.kind == b.kind && a.field == b.field && a.start == b.start && a.parent == b.parent
}

// bodiesOf are the nodes of the bodies of so many definitions, the first of which is the
// statement and holds the next as its first; nil where they are not that.
func bodiesOf(nodes []node, depth int) []int {
	bodies, at := []int{}, 0
	for range depth {
		body := bodyOf(nodes, at)
		if body < 0 {
			return nil
		}
		bodies = append(bodies, body)
		at = first(nodes, body+1)
	}
	return bodies
}

// first is the first of some siblings that is no comment, if one is not.
func first(nodes []node, at int) int {
	for at < len(nodes) && nodes[at].kind == Comment && nodes[at].next > 0 {
		at = int(nodes[at].next)
	}
	return at
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

func firstChild(nodes []node, of int) int {
	if c := of + 1; c < len(nodes) && int(nodes[c].parent) == of {
		return c
	}
	return -1
}

func lastChild(nodes []node, of int) int {
	c := firstChild(nodes, of)
	for c >= 0 && nodes[c].next > 0 {
		c = int(nodes[c].next)
	}
	return c
}
