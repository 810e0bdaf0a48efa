package suppress

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// Disable is the edit that suppresses a finding by "# tfmem: ignore[CODE]", in
// the list of such a comment where there is one already. ok is false where no
// comment can stand, and for findings that are about comments, or about a file
// that was not read.
func Disable(f *analyzer.File, finding rule.Finding) (edit source.Edit, ok bool) {
	at, ok := place(f, finding)
	if !ok {
		return edit, false
	}
	// Editors ask at every move of the cursor, and most lines end in no comment
	// that could be added to.
	var directives []directive
	if commentAt(f.Tree, at).Valid() {
		directives = read(f, nil)
	}
	return comment(f, directives, at, ignore, []string{finding.Rule.Code}), true
}

// AddNoqa are the edits that suppress the findings by "# noqa: CODE", a comment
// a line, and how many findings they suppress.
func AddNoqa(f *analyzer.File, findings []rule.Finding) (edits []source.Edit, suppressed int) {
	codes := map[int][]string{}
	for _, finding := range findings {
		if at, ok := place(f, finding); ok {
			suppressed++
			if !slices.Contains(codes[at], finding.Rule.Code) {
				codes[at] = append(codes[at], finding.Rule.Code)
			}
		}
	}
	directives := read(f, nil)
	for at, here := range codes {
		slices.Sort(here)
		edits = append(edits, comment(f, directives, at, noqa, here))
	}
	return edits, suppressed
}

// place is the end of the line where a comment counts for a finding: its first,
// or the last of its statement where the first ends in a string or goes on
// behind a backslash.
func place(f *analyzer.File, finding rule.Finding) (int, bool) {
	if finding.Rule == UnusedSuppression || f.Unread != "" || f.Tree.Len() == 0 {
		return 0, false
	}
	text := f.Source.Text()
	for _, at := range []int{finding.Span.Start, statementEnd(f.Tree, finding.Span.Start)} {
		at = source.LineEnd(text, at)
		if commentable(f, at) {
			return at, true
		}
	}
	return 0, false
}

// commentable tells whether a comment may stand before a line's end.
func commentable(f *analyzer.File, end int) bool {
	text := f.Source.Text()
	if !f.Source.Place(source.Span{Start: end, End: end}).Exact {
		return false
	}
	if n := commentAt(f.Tree, end); n.Valid() {
		return true
	}
	if strings.HasSuffix(text[:end], `\`) {
		return false
	}
	n := f.Tree.NodeAt(end, min(end+1, len(text)))
	for ; n.Valid(); n = n.Parent() {
		if n.Kind() == syntax.String && n.Start() < end && end < n.End() {
			return false
		}
	}
	return true
}

// commentAt is the comment that ends a line, or none.
func commentAt(tree *syntax.Tree, end int) syntax.Node {
	if end == 0 {
		return syntax.Node{}
	}
	if n := tree.NodeAt(end-1, end); n.Kind() == syntax.Comment {
		return n
	}
	return syntax.Node{}
}

// comment is the edit that suppresses codes on the line that ends at end.
func comment(f *analyzer.File, directives []directive, end int, as form, codes []string) source.Edit {
	text := f.Source.Text()
	list := strings.Join(codes, ", ")
	if n := commentAt(f.Tree, end); n.Valid() {
		for _, d := range directives {
			if d.comment.Start == n.Start() && d.form == as && d.wrong == "" && d.listed {
				at := d.codes[len(d.codes)-1].span.End
				return source.Edit{Span: source.Span{Start: at, End: at}, New: ", " + list}
			}
		}
	}
	line := source.LineStart(text, end)
	from := line + len(strings.TrimRight(text[line:end], " \t"))
	if as == noqa {
		return source.Edit{Span: source.Span{Start: from, End: end}, New: "  # noqa: " + list}
	}
	return source.Edit{Span: source.Span{Start: from, End: end}, New: "  # tfmem: ignore[" + list + "]"}
}
