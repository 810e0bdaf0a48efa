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

// Span returns the bytes of a node.
func Span(n syntax.Node) source.Span { return source.Span{Start: n.Start(), End: n.End()} }

// LoopHead returns the span of a loop without its body.
func LoopHead(loop syntax.Node) source.Span {
	head := loop.Child(syntax.FieldRight)
	if !head.Valid() {
		head = loop.Child(syntax.FieldCondition)
	}
	if !head.Valid() {
		return Span(loop)
	}
	return source.Span{Start: loop.Start(), End: head.End()}
}

// FirstLine returns the span of a statement up to the end of its first line, or the beginning of the
// file if there is no statement.
func FirstLine(n syntax.Node) source.Span {
	if !n.Valid() {
		return source.Span{}
	}
	line, _, _ := strings.Cut(n.Text(), "\n")
	return source.Span{Start: n.Start(), End: n.Start() + len(strings.TrimRight(line, "\r"))}
}

// Callee returns the span of what a call calls, without its arguments: the part a person wants to
// see underlined.
func Callee(call syntax.Node) source.Span {
	if f := call.Child(syntax.FieldFunction); f.Valid() {
		return Span(f)
	}
	return Span(call)
}

// StatementIn returns the statement directly in a block that contains n, or none. An invalid block
// stands for the module.
func StatementIn(n, block syntax.Node) syntax.Node {
	for n.Valid() && n.Parent() != block {
		n = n.Parent()
	}
	return n
}

// LineOf names the line of a byte, for a message that is shown at another span: "line 3", or, in
// another cell of a notebook, "line 3 of cell 5".
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

// Newline returns the line ending of the file.
func (p *Pass) Newline() string {
	return p.once(newline, func() string { return newlineOf(p.File.Source) })
}

// Indent returns one level of the file's indentation: that of its first block, else a tab if any
// line starts with one, else four spaces.
func (p *Pass) Indent() string { return p.once(indent, p.indent) }

// Quote returns the quotation mark that most of the file's first strings use.
func (p *Pass) Quote() string { return p.once(quote, p.quote) }

// A style is one aspect of a file's layout: its quotes, indentation or line breaks.
type style uint8

const (
	newline style = iota
	indent
	quote
)

// once determines a style from the whole file, the first time a fix needs it.
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
			// In code that does not parse, a block may be empty.
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

// said is the key of the fact whether a text is anywhere in the file.
type said string

// Says reports whether a text is anywhere in the file.
func (p *Pass) Says(text string) bool {
	return p.File.Fact(said(text), func() any { return strings.Contains(p.File.Source.Text(), text) }).(bool)
}

// IndentOf returns the white space that begins the line on which n starts.
func (p *Pass) IndentOf(n syntax.Node) string {
	text := p.File.Source.Text()
	start := source.LineStart(text, n.Start())
	end := start
	for end < len(text) && (text[end] == ' ' || text[end] == '\t' || text[end] == '\f') {
		end++
	}
	return text[start:end]
}

// Reindent returns the edits that put one indentation in place of another at the beginning of the lines
// that have it, from a statement to an end. Lines within strings stay, as they are part of a value; blank
// ones get no longer.
func (p *Pass) Reindent(first syntax.Node, end int, from, to string) (edits []source.Edit) {
	text := p.File.Source.Text()
	var strs []syntax.Node
	for s := first; s.Valid() && s.Start() < end; s = Next(s) {
		s.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.String {
				strs = append(strs, n)
			}
			return n.Kind() != syntax.String
		})
	}
	common := 0
	for common < min(len(from), len(to)) && from[common] == to[common] {
		common++
	}
	for at := source.LineStart(text, first.Start()); at < end; {
		line := text[at:source.LineEnd(text, at)]
		inside := slices.ContainsFunc(strs, func(s syntax.Node) bool { return s.Start() < at && at < s.End() })
		if blank := len(to) > len(from) && strings.TrimSpace(line) == ""; !inside && !blank && strings.HasPrefix(line, from) {
			edits = append(edits, source.Edit{Span: source.Span{Start: at + common, End: at + len(from)}, New: to[common:]})
		}
		next := source.NextLine(text, at+len(line))
		if next <= at {
			break
		}
		at = next
	}
	return edits
}

// Under returns the edits that put a statement, which starts its line, under a compound statement's
// header such as "with tf.device('/CPU:0'):".
func (p *Pass) Under(header string, statement syntax.Node) []source.Edit {
	return p.UnderAll(header, statement, statement)
}

// UnderAll is Under for statements of a block that follow one another.
func (p *Pass) UnderAll(header string, first, last syntax.Node) []source.Edit {
	edits := p.Reindent(first, last.End(), "", p.Indent())
	edits[0] = source.Insert(first.Start(), header+p.Newline()+p.IndentOf(first)+p.Indent())
	return edits
}

// Next returns the following statement, in the block or in the module, or none.
func Next(s syntax.Node) syntax.Node {
	if s.Parent().Valid() {
		return s.Next()
	}
	if i := s.Stmt() + 1; i < s.Tree().Len() {
		return s.Tree().Statement(i)
	}
	return syntax.Node{}
}

// enough is how many strings are read to determine a file's quotation mark.
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

// StartsLine reports whether only white space precedes n on its line.
func (p *Pass) StartsLine(n syntax.Node) bool {
	text := p.File.Source.Text()
	return strings.Trim(text[source.LineStart(text, n.Start()):n.Start()], " \t\f\ufeff") == ""
}

// EndsLine reports whether only white space or a comment follows n on its line.
func (p *Pass) EndsLine(n syntax.Node) bool {
	text := p.File.Source.Text()
	rest := strings.TrimLeft(text[n.End():source.LineEnd(text, n.End())], " \t")
	return rest == "" || rest[0] == '#'
}

// Lines returns the whole lines of n, with the last line break if it belongs to the file or the
// cell.
func (p *Pass) Lines(n syntax.Node) source.Span {
	text := p.File.Source.Text()
	lines := source.Span{Start: source.LineStart(text, n.Start()), End: source.NextLine(text, source.LineEnd(text, n.End()))}
	if cell := p.Cell(n.Start()); cell.Contains(Span(n)) {
		lines.End = min(lines.End, cell.End)
	}
	return lines
}

// Cell returns the span of the text that is edited as one: the notebook cell that contains a byte,
// else the file.
func (p *Pass) Cell(offset int) source.Span {
	return p.File.Source.Segments()[p.File.Source.SegmentAt(offset)].Span()
}

// LineEnd returns the end of the line on which n ends, without its line break.
func (p *Pass) LineEnd(n syntax.Node) int { return source.LineEnd(p.File.Source.Text(), n.End()) }

// BlankAfter reports whether the line after the one on which n ends is blank or missing.
func (p *Pass) BlankAfter(n syntax.Node) bool {
	text := p.File.Source.Text()
	next := source.NextLine(text, source.LineEnd(text, n.End()))
	return strings.TrimSpace(text[next:source.LineEnd(text, next)]) == ""
}

// Fixable reports whether edits around n can be trusted: neither n nor the statement around it
// contains a syntax error, and no call around n is a SyntaxError in Python.
func Fixable(n syntax.Node) bool {
	for call := n; call.Valid(); call = call.Ancestor(syntax.Call) {
		if names.MisordersArguments(call) {
			return false
		}
	}
	return n.Valid() && !n.Top().HasError()
}

// FreeName returns the first of the names that nothing in the module is bound to, or "".
func (p *Pass) FreeName(wanted ...string) string {
	for _, name := range wanted {
		if p.File.Fact(isFree(name), func() any { return free(p.File.Names(), name) }).(bool) {
			return name
		}
	}
	return ""
}

// isFree is the key of the fact whether a name is free.
type isFree string

func free(info *names.Info, name string) bool {
	return len(info.Module.Bindings(name)) == 0 &&
		!slices.ContainsFunc(info.Functions, func(f *names.Function) bool { return len(f.Scope.Bindings(name)) > 0 })
}

// A meaning is a qualified name that a scope may import.
type meaning struct {
	scope     *names.Scope
	qualified string
}

// importsOf returns the names that imports in a scope bind to a qualified name. They are cached,
// because a rule may need them at many calls.
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

// Bound returns the name by which code at a node can refer to a qualified name, such as "tf" for
// "tensorflow". It is empty if nothing binds it there.
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

// TensorFlow returns the name by which code at a node can refer to tensorflow, or to
// tensorflow.compat.v1 if it has no other. It is empty if it has neither.
func (p *Pass) TensorFlow(scope *names.Scope, at syntax.Node) string {
	for _, module := range []string{"tensorflow", "tensorflow.compat.v1"} {
		if name := p.Bound(module, scope, at); name != "" {
			return name
		}
	}
	return ""
}

// Keras returns the expression by which code at a node can refer to Keras, such as "tf.keras". It is
// empty if there is none.
func (p *Pass) Keras(scope *names.Scope, at syntax.Node) string {
	if name := p.Bound("tensorflow.keras", scope, at); name != "" {
		return name
	}
	if tf := p.Bound("tensorflow", scope, at); tf != "" {
		return tf + ".keras"
	}
	return ""
}

// ImportAlso returns the edit that adds an import for code at a node. It goes after the imports at
// the top of the file or, in a notebook, after those of the node's own cell if it has any, because
// cells are run one by one. ok is false if there is none that a line can follow.
func (p *Pass) ImportAlso(statement string, at syntax.Node) (edit source.Edit, ok bool) {
	last := p.lastImport(func(s syntax.Node) bool {
		return p.Cell(s.Start()) == p.Cell(at.Start()) && s.End() <= at.Start()
	})
	if !last.Valid() {
		last = p.lastImport(func(syntax.Node) bool { return true })
	}
	if !last.Valid() || last.HasError() || !p.StartsLine(last) || !p.EndsLine(last) {
		return edit, false
	}
	end := p.LineEnd(last)
	return source.Insert(end, p.Newline()+statement), true
}

// OtherClass returns the edits by which a call creates an instance of another class of a module of
// Keras ("layers"): its name, and an import if the file needs one.
func (p *Pass) OtherClass(call syntax.Node, class, module, other string) (edits []source.Edit, ok bool) {
	function := call.Child(syntax.FieldFunction)
	name := function
	if function.Kind() == syntax.Attribute {
		name = function.Child(syntax.FieldAttribute)
	}
	if name.Text() != class {
		return nil, false
	}
	edits = []source.Edit{{Span: Span(name), New: other}}
	info := p.File.Names()
	defs := info.ReachingDefs(function)
	if function.Kind() != syntax.Identifier || len(defs) == 0 { // "from keras.layers import *"
		return edits, true
	}
	from, ok := strings.CutSuffix(defs[0].Module, "."+class)
	root, _, _ := strings.Cut(from, ".")
	if bound := p.Bound("tensorflow.keras."+module+"."+other, info.ScopeOf(call), call); bound != "" {
		edits[0].New = bound
		return edits, true
	}
	if !ok || len(defs) > 1 || !slices.Contains([]string{"tensorflow", "keras", "tf_keras"}, root) || p.FreeName(other) == "" {
		return nil, false
	}
	edit, ok := p.ImportAlso("from "+from+" import "+other, call)
	return append(edits, edit), ok
}

// lastImport returns the last of the first imports that follow one another, among the statements of
// the module that are in question, or none.
func (p *Pass) lastImport(inQuestion func(syntax.Node) bool) (last syntax.Node) {
	for s := range p.File.Tree.Statements() {
		if !inQuestion(s) {
			continue
		}
		if s.Is(syntax.ImportStatement, syntax.ImportFromStatement, syntax.FutureImportStatement) {
			last = s
		} else if last.Valid() && s.Kind() != syntax.Comment {
			break
		}
	}
	return last
}

// Before returns the statement or comment right before another in its block, or none.
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

// After returns the statement or comment right after another in its block, or none.
func After(s syntax.Node) syntax.Node {
	switch {
	case s.Parent().Valid():
		return s.Next()
	case s.Stmt()+1 < s.Tree().Len():
		return s.Tree().Statement(s.Stmt() + 1)
	}
	return syntax.Node{}
}

// MaxMoved is the largest number of statements that a fix moves another one across.
const MaxMoved = 100

// Between returns the statements and comments of a block between two of its statements. ok is false
// if there are more than MaxMoved.
func Between(after, before syntax.Node) (out []syntax.Node, ok bool) {
	for s := After(after); s.Valid() && s.Start() < before.Start(); s = After(s) {
		if len(out) == MaxMoved {
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}

// Alone reports whether a statement is the only one in its block.
func Alone(s syntax.Node) bool {
	if !s.Parent().Valid() {
		return false
	}
	for c := range s.Parent().Children() {
		if c != s && c.Kind() != syntax.Comment {
			return false
		}
	}
	return true
}

// CommentsAbove returns the start of the comments right above a statement that belong to it, or the
// start of its own line.
func (p *Pass) CommentsAbove(s syntax.Node) int {
	start := p.Lines(s).Start
	for c := Before(s); c.Kind() == syntax.Comment && p.StartsLine(c) && p.Lines(c).End == start; c = Before(c) {
		start = p.Lines(c).Start
	}
	return start
}

// Siblings returns the statements of the block that contains a statement, itself included.
func Siblings(s syntax.Node) iter.Seq[syntax.Node] {
	if s.Parent().Valid() {
		return s.Parent().Children()
	}
	return s.Tree().Statements()
}
