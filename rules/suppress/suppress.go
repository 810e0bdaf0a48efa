// Package suppress reads the comments that mark findings as intended, removes those findings, and
// reports comments that remove none.
//
// A comment is a comment of the syntax tree: the same characters in a string do not count. Among
// the comments of other tools it knows "# noqa". It reads and changes only the codes in it that
// begin with TFM.
//
// A comment counts for a finding that starts on its line, and for one in a statement of several
// lines that ends there. For a compound statement such as with or def that is its header, up to the
// colon.
package suppress

import (
	"regexp"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/suggest"
)

// A form is how a comment suppresses.
type form uint8

const (
	noqa   form = iota // "# noqa", for its line
	ignore             // "# tfmem: ignore", for its line
	file               // "# tfmem: ignore-file"
)

// A directive is one "# noqa" or "# tfmem: …". A comment may hold several.
type directive struct {
	form    form
	span    source.Span // from its "#"
	comment source.Span // that contains it
	// Without a list it concerns all rules.
	listed bool
	codes  []code
	used   bool
	wrong  string // why it cannot be understood, for people; else empty
}

// A code is one item of a list.
type code struct {
	span source.Span
	text string
	rule *rule.Rule // nil if there is no such rule
	used bool
}

// Apply removes the findings that comments suppress and, if UnusedSuppression runs, adds its
// findings. all are all rules, and runs reports which of them ran.
func Apply(f *analyzer.File, findings []rule.Finding, all []*rule.Rule, runs func(*rule.Rule) bool) []rule.Finding {
	directives := read(f, all)
	if len(directives) == 0 {
		return findings
	}
	s := suppressor{file: f, lines: map[int][]*directive{}}
	for i := range directives {
		if d := &directives[i]; d.form == file {
			s.whole = append(s.whole, d)
		} else {
			line := source.LineStart(f.Source.Text(), d.span.Start)
			s.lines[line] = append(s.lines[line], d)
		}
	}
	kept := s.keep(findings)
	// Rules are silent in code that does not parse, so their comments are not unused.
	if !runs(UnusedSuppression) || f.Tree.HasErrors() {
		return kept
	}
	return append(kept, s.keep(unused(f, directives, all, runs))...)
}

// A suppressor holds the directives of a file by where they count.
type suppressor struct {
	file  *analyzer.File
	whole []*directive
	lines map[int][]*directive // by the start of their line
}

func (s *suppressor) keep(findings []rule.Finding) []rule.Finding {
	var kept []rule.Finding
	for _, f := range findings {
		if !s.suppresses(f) {
			kept = append(kept, f)
		}
	}
	return kept
}

// suppresses marks every directive that suppresses the finding.
func (s *suppressor) suppresses(f rule.Finding) bool {
	text := s.file.Source.Text()
	first := source.LineStart(text, f.Span.Start)
	last := source.LineStart(text, statementEnd(s.file.Tree, f.Span.Start))
	hit := false
	for _, d := range s.whole {
		hit = d.covers(f.Rule) || hit
	}
	for _, d := range s.lines[first] {
		hit = d.covers(f.Rule) || hit
	}
	if last != first {
		for _, d := range s.lines[last] {
			hit = d.covers(f.Rule) || hit
		}
	}
	return hit
}

// covers reports whether the directive concerns a rule, and marks it as used.
func (d *directive) covers(r *rule.Rule) bool {
	if !d.listed {
		// A comment must not hide that it is useless.
		if d.wrong != "" || r == UnusedSuppression && d.form != noqa {
			return false
		}
		d.used = true
		return true
	}
	hit := false
	for i := range d.codes {
		if d.codes[i].rule == r {
			d.codes[i].used, hit = true, true
		}
	}
	return hit
}

// statementEnd returns the last byte of the statement, or of the compound statement's header, that
// contains a byte.
func statementEnd(tree *syntax.Tree, at int) int {
	n := tree.NodeAt(at, min(at+1, len(tree.Text())))
	for n.Valid() && !isStatement(n) {
		n = n.Parent()
	}
	if !n.Valid() {
		return at
	}
	end := n.Start() + 1
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.Block:
			return max(at, end-1)
		case syntax.Comment:
		default:
			end = c.End()
		}
	}
	return max(at, n.End()-1)
}

// isStatement reports whether n is a statement or a part of one with a header of
// its own.
func isStatement(n syntax.Node) bool {
	return !n.Parent().Valid() || n.Parent().Kind() == syntax.Block ||
		n.Is(syntax.ElifClause, syntax.ElseClause, syntax.ExceptClause, syntax.FinallyClause, syntax.CaseClause,
			syntax.Decorator, syntax.FunctionDefinition, syntax.ClassDefinition)
}

var (
	// start is where a directive may begin.
	start = regexp.MustCompile(`#[ \t]*(?:(?i:noqa)\b|tfmem[ \t]*:)`)
	// item is a code in a list of noqa, with the separator before it.
	item = regexp.MustCompile(`^[ \t]*(?:,[ \t]*)*([A-Za-z]+[0-9]+)\b`)
	// word is what follows "tfmem:".
	word = regexp.MustCompile(`^[ \t]*([A-Za-z-]+)`)
)

// read returns the directives of a file in order.
func read(f *analyzer.File, all []*rule.Rule) []directive {
	text := f.Source.Text()
	var out []directive
	for _, comment := range comments(f.Tree) {
		// In a text with lone carriage returns a comment may extend too far.
		end := min(comment.End(), source.LineEnd(text, comment.Start()))
		for at := comment.Start(); ; {
			m := start.FindStringIndex(text[at:end])
			if m == nil {
				break
			}
			d := directive{
				comment: source.Span{Start: comment.Start(), End: end},
				span:    source.Span{Start: at + m[0], End: at + m[1]},
			}
			at = d.span.End
			understood := false
			if text[at-1] == ':' {
				understood = d.readOwn(text, at, all)
			} else {
				understood = d.readNoqa(text, at, all)
			}
			if understood {
				at = d.span.End
				out = append(out, d)
			}
		}
	}
	return out
}

// comments returns the comments of a tree that may contain a directive. A text without one is not
// walked, any other only once.
func comments(tree *syntax.Tree) []syntax.Node {
	places := start.FindAllStringIndex(tree.Text(), -1)
	if len(places) == 0 {
		return nil
	}
	var out []syntax.Node
	for s := range tree.Statements() {
		for len(places) > 0 && places[0][0] < s.Start() {
			places = places[1:]
		}
		if len(places) == 0 {
			break
		}
		if places[0][0] >= s.End() {
			continue
		}
		s.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Comment {
				out = append(out, n)
			}
			return true
		})
	}
	return out
}

// readNoqa reads what follows "# noqa", and reports whether it suppresses anything: as in
// ruff, "# noqa: words" does not.
func (d *directive) readNoqa(text string, at int, all []*rule.Rule) bool {
	rest := text[at:d.comment.End]
	blanks := len(rest) - len(strings.TrimLeft(rest, " \t"))
	if !strings.HasPrefix(rest[blanks:], ":") {
		return true
	}
	at += blanks + 1
	d.listed = true
	for {
		m := item.FindStringSubmatchIndex(text[at:d.comment.End])
		if m == nil {
			break
		}
		c := code{span: source.Span{Start: at + m[2], End: at + m[3]}}
		c.text = text[c.span.Start:c.span.End]
		c.rule = lookup(all, c.text, false)
		d.codes = append(d.codes, c)
		at = c.span.End
	}
	d.span.End = at
	return len(d.codes) > 0
}

// readOwn reads what follows "# tfmem:". If that resembles no directive, it is prose, and is
// ignored.
func (d *directive) readOwn(text string, at int, all []*rule.Rule) bool {
	m := word.FindStringSubmatchIndex(text[at:d.comment.End])
	if m == nil {
		return false
	}
	if hints.Begins(text[d.span.Start:d.comment.End]) {
		return false
	}
	name := text[at+m[2] : at+m[3]]
	d.span.End = at + m[3]
	rest := text[d.span.End:d.comment.End]
	bracket := len(rest) - len(strings.TrimLeft(rest, " \t"))
	hasList := strings.HasPrefix(rest[bracket:], "[")
	switch name {
	case "ignore":
		d.form = ignore
	case "ignore-file":
		d.form = file
	default:
		d.form = ignore
		near := suggest.DidYouMean(name, []string{"ignore", "ignore-file"})
		if near == "" && !hasList {
			return false
		}
		d.wrong = "tfmem has no comment " + name + near
		return true
	}
	if !hasList {
		return true
	}
	inside := d.span.End + bracket + 1
	list, _, _ := strings.Cut(text[inside:d.comment.End], "#")
	list, _, closed := strings.Cut(list, "]")
	if !closed {
		d.wrong = "the list has no ]"
		return true
	}
	d.listed = true
	d.span.End = inside + len(list) + 1
	for part := range strings.SplitSeq(list, ",") {
		trimmed := strings.TrimSpace(part)
		if trimmed != "" {
			from := inside + strings.Index(part, trimmed)
			d.codes = append(d.codes, code{span: source.Span{Start: from, End: from + len(trimmed)}, text: trimmed, rule: lookup(all, trimmed, true)})
		}
		inside += len(part) + 1
	}
	if len(d.codes) == 0 {
		d.wrong = "the list names no rule"
	}
	return true
}

// lookup finds the rule of a code, or of a name, in any letter case.
func lookup(all []*rule.Rule, text string, named bool) *rule.Rule {
	for _, r := range all {
		if strings.EqualFold(r.Code, text) || named && strings.EqualFold(r.Name, text) {
			return r
		}
	}
	return nil
}
