// Package hints reads what a person says of values that only a run would tell: in comments
// such as "# tfmem: columns=30", and in the settings. Both have one grammar and one reader. The
// package knows what was said and where; what it means for a value is package interp's matter.
package hints

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
)

// A Kind is what a hint says of a value.
type Kind string

const (
	Value   Kind = "value"   // the value itself: a number, a text, True or False
	Shape   Kind = "shape"   // of an array, with None for dimensions that do not matter
	Columns Kind = "columns" // how many columns a table has
	Rows    Kind = "rows"    // how many rows a table or an array has
)

// Kinds are all kinds.
var Kinds = []Kind{Value, Shape, Columns, Rows}

// A Hint is one statement: "columns=30".
type Hint struct {
	// Of is the parameter that it is about, or what the settings name; empty for what the
	// statement of its line assigns or returns.
	Of   string
	Kind Kind
	// Scalar is the value, or the number of columns or rows.
	Scalar any
	Shape  tensor.Shape
	// Span is its place in the text of a file, and From that in the settings: "tfmem.toml:3".
	Span source.Span
	From string
}

// String is the hint as it is written.
func (h *Hint) String() string {
	said := fmt.Sprint(h.Scalar)
	switch x := h.Scalar.(type) {
	case string:
		said = strconv.Quote(x)
	case bool:
		said = map[bool]string{true: "True", false: "False"}[x]
	}
	if h.Kind == Shape {
		said = h.Shape.String()
	}
	switch {
	case h.From != "" || h.Of == "":
		return string(h.Kind) + "=" + said
	case h.Kind == Value:
		return h.Of + "=" + said
	}
	return h.Of + "." + string(h.Kind) + "=" + said
}

// A Mistake is a part of a comment that cannot be understood.
type Mistake struct {
	Span source.Span
	Why  string
}

// start is where the hints of a comment begin.
var start = regexp.MustCompile(`#[ \t]*tfmem[ \t]*:[ \t]*[A-Za-z_][\w.]*[ \t]*=`)

// Begins reports whether a part of a comment, from its "#", holds hints.
func Begins(comment string) bool {
	at := start.FindStringIndex(comment)
	return at != nil && at[0] == 0
}

// Comments are the hints in the comments of a file.
type Comments struct {
	lines map[int][]*Hint // by the start of their line
	All   []*Hint
	Wrong []Mistake
}

// Of reads the comments of a tree; nil if none is a hint.
func Of(tree *syntax.Tree) *Comments {
	text := tree.Text()
	if !strings.Contains(text, "tfmem") || !start.MatchString(text) {
		return nil
	}
	c := &Comments{lines: map[int][]*Hint{}}
	for s := range tree.Statements() {
		if !strings.Contains(s.Text(), "tfmem") {
			continue
		}
		s.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Comment {
				c.read(text, n)
			}
			return true
		})
	}
	return c
}

// read adds the hints of a comment.
func (c *Comments) read(text string, n syntax.Node) {
	end := min(n.End(), source.LineEnd(text, n.Start()))
	for at := n.Start(); at < end; {
		m := start.FindStringIndex(text[at:end])
		if m == nil {
			return
		}
		from := at + m[0]
		inside := from + strings.IndexByte(text[from:], ':') + 1
		till := inside
		if next := strings.IndexByte(text[inside:end], '#'); next >= 0 {
			till += next
		} else {
			till = end
		}
		found, wrong := Read(text[inside:till])
		for _, h := range found {
			h.Span.Start, h.Span.End = h.Span.Start+inside, h.Span.End+inside
			line := source.LineStart(text, from)
			c.lines[line] = append(c.lines[line], h)
		}
		for i := range wrong {
			wrong[i].Span.Start, wrong[i].Span.End = wrong[i].Span.Start+inside, wrong[i].Span.End+inside
		}
		c.All, c.Wrong = append(c.All, found...), append(c.Wrong, wrong...)
		at = till
	}
}

// InHeader returns the hints on the lines of a function's header.
func (c *Comments) InHeader(function syntax.Node) (found []*Hint) {
	if c == nil {
		return nil
	}
	text, body := function.Tree().Text(), function.Child(syntax.FieldBody)
	till := max(function.Start(), source.LineStart(text, body.Start())-1)
	for line := source.LineStart(text, function.Start()); line <= till; {
		found = append(found, c.lines[line]...)
		if line = source.LineEnd(text, line) + 1; strings.HasPrefix(text[line-1:], "\r\n") {
			line++
		}
	}
	return found
}

// On returns the hints on the first and the last line of a statement.
func (c *Comments) On(n syntax.Node) []*Hint {
	if c == nil {
		return nil
	}
	text := n.Tree().Text()
	first, last := source.LineStart(text, n.Start()), source.LineStart(text, max(n.Start(), n.End()-1))
	if first == last {
		return c.lines[first]
	}
	return append(append([]*Hint(nil), c.lines[first]...), c.lines[last]...)
}

// Read reads hints that commas separate. Their spans are those in the text.
func Read(text string) (found []*Hint, wrong []Mistake) {
	for at := 0; at < len(text); {
		end := at + item(text[at:])
		part := strings.TrimSpace(text[at:end])
		from := at + strings.Index(text[at:end], part)
		span := source.Span{Start: from, End: from + len(part)}
		if h, why := one(part); why != "" {
			wrong = append(wrong, Mistake{span, why})
		} else {
			h.Span = span
			found = append(found, h)
		}
		at = end + 1
	}
	return found, wrong
}

// item is the length of the text before the next comma that is not in brackets or quotes.
func item(text string) int {
	deep, quote := 0, byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[':
			deep++
		case c == ')' || c == ']':
			deep--
		case c == ',' && deep == 0:
			return i
		}
	}
	return len(text)
}

var named = regexp.MustCompile(`^([A-Za-z_]\w*)(?:\.(\w+))?[ \t]*=[ \t]*(.*)$`)

const forms = "a hint is such as value=8000, shape=(None, 30), columns=30 or rows=1000"

// one reads a hint.
func one(text string) (*Hint, string) {
	m := named.FindStringSubmatch(text)
	if m == nil {
		return nil, forms
	}
	h := &Hint{Of: m[1], Kind: Value}
	switch kind := Kind(m[1]); {
	case m[2] != "":
		if h.Kind = Kind(m[2]); !h.Kind.is() {
			return nil, fmt.Sprintf("%s of %s cannot be said; %s", m[2], m[1], forms)
		}
	case kind.is():
		h.Of, h.Kind = "", kind
	}
	return h, h.say(m[3])
}

func (k Kind) is() bool { return k == Value || k == Shape || k == Columns || k == Rows }

// mostDimensions and most bound what a hint may say.
const (
	mostDimensions = 16
	most           = 1 << 40
)

// say reads what the hint says, and returns what is wrong with it.
func (h *Hint) say(text string) string {
	switch h.Kind {
	case Shape:
		round := strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")")
		if square := strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]"); !round && !square {
			return "a shape is such as (None, 30)"
		}
		inside := strings.TrimSpace(text[1 : len(text)-1])
		for part := range strings.SplitSeq(strings.TrimSuffix(inside, ","), ",") {
			part = strings.Trim(part, " \t\"'")
			if part == "None" {
				h.Shape = append(h.Shape, tensor.None)
				continue
			}
			n, ok := whole(part)
			if !ok || n > most || len(h.Shape) == mostDimensions {
				return fmt.Sprintf("%q is no dimension; a shape is such as (None, 30)", part)
			}
			h.Shape = append(h.Shape, n)
		}
		return ""
	case Columns, Rows:
		n, ok := whole(text)
		if !ok || n > most || n == 0 && h.Kind == Columns {
			return fmt.Sprintf("%s is a number, such as %s=30", h.Kind, h.Kind)
		}
		h.Scalar = n
		return ""
	}
	if x, ok := scalar(text); ok {
		h.Scalar = x
		return ""
	}
	return "a value is a number, a text between quotes, True or False"
}

// scalar reads a literal of Python.
func scalar(text string) (any, bool) {
	switch text {
	case "True":
		return true, true
	case "False":
		return false, true
	}
	if n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64); err == nil {
		return n, true
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && f-f == 0 && strings.ContainsAny(text, "0123456789") {
		return f, true
	}
	if n := len(text); n >= 2 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] && !strings.ContainsAny(text[1:n-1], `\"'`) {
		return text[1 : n-1], true
	}
	return nil, false
}

// whole reads a number of things.
func whole(text string) (int64, bool) {
	n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
	return n, err == nil && n >= 0
}

// A Table holds the hints of the settings. What it names is an expression as it is written in the
// program, such as "config.vocab_size", a file that the program reads, such as "train.csv", or a
// line of a file, such as "src/train.py:12". An expression may be that of one file:
// "src/train.py:n".
type Table struct {
	all   []*Hint
	named map[string][]*Hint // by the expression or the line
}

// Add adds a hint of the settings.
func (t *Table) Add(h *Hint) {
	if t.named == nil {
		t.named = map[string][]*Hint{}
	}
	_, name := h.Subject()
	t.all, t.named[name] = append(t.all, h), append(t.named[name], h)
}

// String lists the hints with their places. Tables with the same String mean the same.
func (t *Table) String() string {
	if t == nil {
		return ""
	}
	var b strings.Builder
	for _, h := range t.all {
		fmt.Fprintf(&b, "%q %s %s\n", h.Of, h, h.From)
	}
	return b.String()
}

// Subject separates the file from what a hint of the settings names in it. The file is empty if it
// names something of any file.
func (h *Hint) Subject() (file, name string) {
	if in, name, one := strings.Cut(h.Of, ".py:"); one {
		return in + ".py", name
	}
	return "", h.Of
}

// About returns the hints about a line or an expression of a file alone.
func (t *Table) About(file string) (found []*Hint) {
	if t == nil {
		return nil
	}
	for _, h := range t.all {
		if in, _ := h.Subject(); in != "" && isFile(file, in) {
			found = append(found, h)
		}
	}
	return found
}

// Anywhere returns the hints about what may stand in any file.
func (t *Table) Anywhere() (found []*Hint) {
	if t == nil {
		return nil
	}
	for _, h := range t.all {
		if in, _ := h.Subject(); in == "" {
			found = append(found, h)
		}
	}
	return found
}

// Over returns the hints of t, and those of another that t does not name.
func (t *Table) Over(base *Table) *Table {
	switch {
	case t == nil:
		return base
	case base == nil:
		return t
	}
	out, said := &Table{}, map[string]bool{}
	for _, h := range t.all {
		said[h.Of] = true
		out.Add(h)
	}
	for _, h := range base.all {
		if !said[h.Of] {
			out.Add(h)
		}
	}
	return out
}

// Expression returns the hints about an expression of a file.
func (t *Table) Expression(file, text string) (found []*Hint) {
	for _, h := range t.named[text] {
		if in, _ := h.Subject(); in == "" || isFile(file, in) {
			found = append(found, h)
		}
	}
	return found
}

// Line returns the hints about a line of a file.
func (t *Table) Line(file string, line int) (found []*Hint) {
	for _, h := range t.named[strconv.Itoa(line)] {
		if in, _ := h.Subject(); in != "" && isFile(file, in) {
			found = append(found, h)
		}
	}
	return found
}

// File returns the hints about a file that the program reads.
func (t *Table) File(read string) (found []*Hint) {
	for _, h := range t.all {
		if path.Ext(h.Of) != "" && isFile(read, h.Of) {
			found = append(found, h)
		}
	}
	return found
}

// isFile reports whether a path ends in another.
func isFile(at, named string) bool {
	at, named = strings.ReplaceAll(at, `\`, "/"), strings.TrimPrefix(named, "./")
	return at == named || strings.HasSuffix(at, "/"+named)
}
