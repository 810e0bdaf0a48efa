package rule

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Span is the bytes of a node.
func Span(n syntax.Node) source.Span { return source.Span{Start: n.Start(), End: n.End()} }

// Callee is the span of what a call calls, without its arguments: the part a
// person wants to see underlined.
func Callee(call syntax.Node) source.Span {
	if f := call.Child(syntax.FieldFunction); f.Valid() {
		return Span(f)
	}
	return Span(call)
}

// StatementIn is the statement right below a block that holds n, or none. No
// block stands for the module.
func StatementIn(n, block syntax.Node) syntax.Node {
	for n.Valid() && n.Parent() != block {
		n = n.Parent()
	}
	return n
}

// LineOf names the line of a byte, for a message that is shown at the span of
// another: "line 3", or, in another cell of a notebook, "line 3 of cell 5".
func (p *Pass) LineOf(offset int, shown source.Span) string {
	src := p.File.Source
	at := src.Place(source.Span{Start: offset, End: offset})
	g := &src.Segments()[at.Segment]
	line := fmt.Sprintf("line %d", g.Lines().Line(at.Span.Start)+1)
	if at.Segment != src.SegmentAt(shown.Start) {
		line += fmt.Sprintf(" of cell %d", g.Cell)
	}
	return line
}

// Newline is the line ending of the file.
func (p *Pass) Newline() string {
	return p.once(newline, func() string { return newlineOf(p.File.Source) })
}

// Indent is one level of the file's indentation: that of its first block, else
// a tab where any line starts with one, else four spaces.
func (p *Pass) Indent() string { return p.once(indent, p.indent) }

// Quote is the quotation mark that most of the file's first strings use.
func (p *Pass) Quote() string { return p.once(quote, p.quote) }

// A style is the layout of a file: its quotes, indentation and line breaks.
type style uint8

const (
	newline style = iota
	indent
	quote
)

// once looks at the whole file for a style the first time that a fix asks.
func (p *Pass) once(of style, look func() string) string {
	return p.File.Fact(of, func() any { return look() }).(string)
}

func newlineOf(s *source.Source) string {
	for i := range s.Segments() {
		text := s.Segments()[i].Raw
		if i := strings.IndexAny(text, "\r\n"); i >= 0 {
			if strings.HasPrefix(text[i:], "\r\n") {
				return "\r\n"
			}
			return text[i : i+1]
		}
	}
	return "\n"
}

func (p *Pass) indent() string {
	for s := range p.File.Tree.Statements() {
		indent := ""
		s.Walk(func(n syntax.Node) bool {
			// In code that does not parse a block may be empty.
			if first := n.FirstChild(); n.Kind() == syntax.Block && indent == "" && first.Valid() && n.Parent().Valid() {
				if inner, outer := p.IndentOf(first), p.IndentOf(n.Parent()); len(inner) > len(outer) {
					indent = inner[len(outer):]
				}
			}
			return indent == ""
		})
		if indent != "" {
			return indent
		}
	}
	if text := p.File.Source.Text(); strings.Contains(text, "\n\t") || strings.Contains(text, "\r\t") {
		return "\t"
	}
	return "    "
}

// said is the question whether a text stands anywhere in the file.
type said string

// Says reports whether a text stands anywhere in the file.
func (p *Pass) Says(text string) bool {
	return p.File.Fact(said(text), func() any { return strings.Contains(p.File.Source.Text(), text) }).(bool)
}

// IndentOf is the white space before the line on which n starts.
func (p *Pass) IndentOf(n syntax.Node) string {
	text := p.File.Source.Text()
	start := source.LineStart(text, n.Start())
	end := start
	for end < len(text) && (text[end] == ' ' || text[end] == '\t' || text[end] == '\f') {
		end++
	}
	return text[start:end]
}

// enough is how many strings tell which quotation mark a file uses.
const enough = 200

func (p *Pass) quote() string {
	single, double := 0, 0
	for s := range p.File.Tree.Statements() {
		if single+double >= enough {
			break
		}
		s.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.String {
				switch text := strings.TrimLeft(n.Text(), "rRbBuUfF"); {
				case strings.HasPrefix(text, `"""`), strings.HasPrefix(text, "'''"):
				case strings.HasPrefix(text, "'"):
					single++
				default:
					double++
				}
			}
			return n.Kind() != syntax.String
		})
	}
	if single > double {
		return "'"
	}
	return `"`
}

// StartsLine reports whether nothing but white space stands before n on its line.
func (p *Pass) StartsLine(n syntax.Node) bool {
	text := p.File.Source.Text()
	return strings.Trim(text[source.LineStart(text, n.Start()):n.Start()], " \t\f\ufeff") == ""
}

// EndsLine reports whether nothing but white space or a comment follows n on its
// line.
func (p *Pass) EndsLine(n syntax.Node) bool {
	text := p.File.Source.Text()
	rest := strings.TrimLeft(text[n.End():source.LineEnd(text, n.End())], " \t")
	return rest == "" || rest[0] == '#'
}

// Lines is the whole lines that n covers, its last line break included where it
// is the file's, or the cell's, own.
func (p *Pass) Lines(n syntax.Node) source.Span {
	text := p.File.Source.Text()
	lines := source.Span{Start: source.LineStart(text, n.Start()), End: source.NextLine(text, source.LineEnd(text, n.End()))}
	if cell := p.Cell(n.Start()); cell.Contains(Span(n)) {
		lines.End = min(lines.End, cell.End)
	}
	return lines
}

// Cell is the span of the text that is edited as one: the cell of a notebook
// that holds a byte, else the file.
func (p *Pass) Cell(offset int) source.Span {
	return p.File.Source.Segments()[p.File.Source.SegmentAt(offset)].Span()
}

// LineEnd is the offset of the end of the line on which n ends, its line break
// left out.
func (p *Pass) LineEnd(n syntax.Node) int { return source.LineEnd(p.File.Source.Text(), n.End()) }

// BlankAfter reports whether the line after the one on which n ends is blank, or
// there is none.
func (p *Pass) BlankAfter(n syntax.Node) bool {
	text := p.File.Source.Text()
	next := source.NextLine(text, source.LineEnd(text, n.End()))
	return strings.TrimSpace(text[next:source.LineEnd(text, next)]) == ""
}

// Fixable reports whether edits around n can be trusted: neither it nor the
// statement around it holds anything that does not parse.
func Fixable(n syntax.Node) bool { return n.Valid() && !n.Top().HasError() }

// FreeName is the first of the names that nothing in the module is bound to, or
// empty.
func (p *Pass) FreeName(wanted ...string) string {
	for _, name := range wanted {
		if p.File.Fact(isFree(name), func() any { return free(p.File.Names(), name) }).(bool) {
			return name
		}
	}
	return ""
}

// isFree is the question whether a name is free.
type isFree string

func free(info *names.Info, name string) bool {
	return len(info.Module.Bindings(name)) == 0 &&
		!slices.ContainsFunc(info.Functions, func(f *names.Function) bool { return len(f.Scope.Bindings(name)) > 0 })
}

// A meaning is what a scope may import.
type meaning struct {
	scope     *names.Scope
	qualified string
}

// importsOf are the names that imports bind in a scope to a qualified name. They are kept: a
// rule may ask at each of many calls.
func (p *Pass) importsOf(m meaning) []string {
	return p.File.Fact(m, func() any {
		info := p.File.Names()
		return slices.DeleteFunc(m.scope.Imports(), func(name string) bool {
			return !slices.ContainsFunc(m.scope.Bindings(name), func(b *names.Binding) bool { return imports(info, b, m.qualified) })
		})
	}).([]string)
}

// imports reports whether a binding is an import of a qualified name.
func imports(info *names.Info, b *names.Binding, qualified string) bool {
	return (b.Kind == names.ImportBinding || b.Kind == names.FromBinding) && info.Meaning(b) == qualified
}

// Bound is the name by which code at a node can speak of a qualified name,
// "tf" for "tensorflow", or empty where nothing binds it there.
func (p *Pass) Bound(qualified string, scope *names.Scope, at syntax.Node) string {
	info := p.File.Names()
	for ; scope != nil; scope = scope.Parent {
		for _, name := range p.importsOf(meaning{scope, qualified}) {
			if slices.ContainsFunc(info.ReachingBefore(scope, name, at), func(b *names.Binding) bool { return imports(info, b, qualified) }) {
				return name
			}
		}
	}
	return ""
}

// TensorFlow is the name by which code at a node speaks of tensorflow, or of
// tensorflow.compat.v1 where it knows no other; empty where it knows neither.
func (p *Pass) TensorFlow(scope *names.Scope, at syntax.Node) string {
	for _, module := range []string{"tensorflow", "tensorflow.compat.v1"} {
		if name := p.Bound(module, scope, at); name != "" {
			return name
		}
	}
	return ""
}

// ImportAlso is the edit that adds an import after those at the head of the file; ok is false
// where there is none that a line can follow.
func (p *Pass) ImportAlso(statement string) (edit source.Edit, ok bool) {
	var last syntax.Node
	for s := range p.File.Tree.Statements() {
		if s.Is(syntax.ImportStatement, syntax.ImportFromStatement, syntax.FutureImportStatement) {
			last = s
		} else if last.Valid() && s.Kind() != syntax.Comment {
			break
		}
	}
	if !last.Valid() || last.HasError() || !p.StartsLine(last) || !p.EndsLine(last) {
		return edit, false
	}
	end := p.LineEnd(last)
	return source.Edit{Span: source.Span{Start: end, End: end}, New: p.Newline() + statement}, true
}

// Before is the statement, or comment, right before one in its block, or none.
func Before(s syntax.Node) syntax.Node {
	parent := s.Parent()
	if !parent.Valid() {
		if s.Stmt() == 0 {
			return syntax.Node{}
		}
		return s.Tree().Statement(s.Stmt() - 1)
	}
	for n := s.Nth(s.Index() - 1); n.Valid() && n != parent; n = n.Parent() {
		if n.Parent() == parent {
			return n
		}
	}
	return syntax.Node{}
}

// After is the statement, or comment, right after one in its block, or none.
func After(s syntax.Node) syntax.Node {
	switch {
	case s.Parent().Valid():
		return s.Next()
	case s.Stmt()+1 < s.Tree().Len():
		return s.Tree().Statement(s.Stmt() + 1)
	}
	return syntax.Node{}
}

// MaxMoved is how many statements a fix moves another over: what stands further apart is for
// a person to move.
const MaxMoved = 100

// Between are the statements and comments of a block that stand after one of it and before
// another; ok is false where they are more than MaxMoved.
func Between(after, before syntax.Node) (out []syntax.Node, ok bool) {
	for s := After(after); s.Valid() && s.Start() < before.Start(); s = After(s) {
		if len(out) == MaxMoved {
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}

// CommentsAbove is where the comments right above a statement start that belong to it, or
// its own line.
func (p *Pass) CommentsAbove(s syntax.Node) int {
	start := p.Lines(s).Start
	for c := Before(s); c.Kind() == syntax.Comment && p.StartsLine(c) && p.Lines(c).End == start; c = Before(c) {
		start = p.Lines(c).Start
	}
	return start
}

// Siblings are the statements of the block that a statement stands in, itself
// included.
func Siblings(s syntax.Node) iter.Seq[syntax.Node] {
	if s.Parent().Valid() {
		return s.Parent().Children()
	}
	return s.Tree().Statements()
}

// Method is the attribute that a call calls, "fit" of model.fit(x), or empty.
func Method(call syntax.Node) string {
	return call.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text()
}
