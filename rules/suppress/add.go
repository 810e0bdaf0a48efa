package suppress

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// Disable returns the edit that suppresses a finding by "# tfmem: ignore[CODE]". If there is such a
// comment already, or a "# noqa" with tfmem's codes, it extends that list. ok is false if no
// comment is possible there, for findings about comments, and for findings about a file that was
// not read.
func Disable(f *analyzer.File, finding rule.Finding) (edit source.Edit, ok bool) {
	at, ok := place(f, finding)
	if !ok {
		return edit, false
	}
	// Editors ask whenever the cursor moves, and most lines do not end in a comment that can be
	// extended.
	var directives []directive
	if commentAt(f.Tree, at).Valid() {
		directives = read(f, nil)
	}
	edit = comment(f, directives, at, ignore, []string{finding.Rule.Code})
	return edit, remains(f, edit)
}

// DisableFile suppresses all findings of the rule in the file or notebook, by "# tfmem:
// ignore-file[CODE]" at its top. It goes below a shebang, an encoding declaration and the magics of
// a cell, which only work as first lines.
func DisableFile(f *analyzer.File, finding rule.Finding) (edit source.Edit, ok bool) {
	if !suppressible(f, finding) {
		return edit, false
	}
	code := finding.Rule.Code
	for _, d := range read(f, nil) {
		if d.form == file && d.wrong == "" && d.listed {
			return d.longer(code), true
		}
	}
	newline := (&rule.Pass{File: f}).Newline()
	for i := range f.Source.Segments() {
		at, ok := top(f, i)
		edit = source.Insert(at, "# tfmem: ignore-file["+code+"]"+newline)
		if ok && f.Source.Editable(edit) && remains(f, edit) {
			return edit, true
		}
	}
	return edit, false
}

// bound matches a line that only works where it is, at the top of a file or of a cell that
// JupyterLab has joined with others.
var bound = regexp.MustCompile(`^(#!|[ \t\f]*#.*?coding[:=]|# START_CELL_MAGIC)`)

// top returns the start of the first line of a segment that may move down. ok is false if there is
// none.
func top(f *analyzer.File, segment int) (at int, ok bool) {
	g := &f.Source.Segments()[segment]
	text := f.Source.Text()
	at = g.Span().Start
	if strings.HasPrefix(text[at:], "\ufeff") {
		at += len("\ufeff")
	}
	for at < g.Span().End {
		line := text[at:source.LineEnd(text, at)]
		if !bound.MatchString(line) && f.Source.Place(source.Span{Start: at, End: at + len(line)}).Exact {
			break
		}
		at = source.NextLine(text, at+len(line))
	}
	// So does a cell that is all magic: JupyterLab turns it into one call.
	magic := false
	for s := range f.Tree.Statements() {
		if s.Start() < at {
			continue
		}
		if magic {
			at = source.LineStart(text, s.Start())
		}
		if magic = strings.HasPrefix(s.Text(), ofJupyterLab+"run_cell_magic("); !magic {
			break
		}
		at = s.End()
	}
	return at, at < g.Span().End
}

// ofJupyterLab is the prefix of a magic that JupyterLab sends as Python. A comment after one would
// become part of it.
const ofJupyterLab = "get_ipython()."

// remains reports whether edits leave the rest of the text unchanged: magics mean something else
// in another place.
func remains(f *analyzer.File, edits ...source.Edit) bool {
	if f.Source.Remake == nil {
		return true
	}
	_, err := f.Source.Edited(edits)
	return err == nil
}

// AddNoqa returns the edits that suppress the findings by "# noqa: CODE", one comment per line, and
// how many findings they suppress.
func AddNoqa(f *analyzer.File, findings []rule.Finding) (edits []source.Edit, suppressed int) {
	codes, counts := map[int][]string{}, map[int]int{}
	for _, finding := range findings {
		if at, ok := place(f, finding); ok {
			counts[at]++
			if !slices.Contains(codes[at], finding.Rule.Code) {
				codes[at] = append(codes[at], finding.Rule.Code)
			}
		}
	}
	directives := read(f, nil)
	var places []int
	for _, at := range slices.Sorted(maps.Keys(codes)) {
		here := codes[at]
		slices.Sort(here)
		edits = append(edits, comment(f, directives, at, noqa, here))
		places = append(places, at)
	}
	possible := remains(f, edits...) // nearly always
	kept := edits[:0]
	for i, edit := range edits {
		if possible || remains(f, edit) {
			kept = append(kept, edit)
			suppressed += counts[places[i]]
		}
	}
	return kept, suppressed
}

// place returns the end of the line where a comment counts for a finding. That is its first line,
// or the last of its statement if the first ends in a string or continues after a backslash.
func place(f *analyzer.File, finding rule.Finding) (int, bool) {
	if !suppressible(f, finding) {
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

// suppressible reports whether a comment can suppress a finding at all.
func suppressible(f *analyzer.File, finding rule.Finding) bool {
	return finding.Rule != UnusedSuppression && f.Unread == "" && f.Tree.Len() > 0
}

// commentable reports whether a comment is possible before a line's end.
func commentable(f *analyzer.File, end int) bool {
	text := f.Source.Text()
	if !f.Source.Place(source.Span{Start: end, End: end}).Exact {
		return false
	}
	if n := commentAt(f.Tree, end); n.Valid() {
		return true
	}
	if line := text[source.LineStart(text, end):end]; strings.HasSuffix(line, `\`) || strings.Contains(line, ofJupyterLab) {
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

// commentAt returns the comment that ends a line, or none.
func commentAt(tree *syntax.Tree, end int) syntax.Node {
	if end == 0 {
		return syntax.Node{}
	}
	if n := tree.NodeAt(end-1, end); n.Kind() == syntax.Comment {
		return n
	}
	return syntax.Node{}
}

// comment returns the edit that suppresses codes on the line that ends at end.
func comment(f *analyzer.File, directives []directive, end int, as form, codes []string) source.Edit {
	text := f.Source.Text()
	list := strings.Join(codes, ", ")
	if n := commentAt(f.Tree, end); n.Valid() {
		for _, wanted := range []form{as, noqa} {
			for _, d := range directives {
				if d.comment.Start == n.Start() && d.form == wanted && d.wrong == "" && d.listed && (wanted == as || d.ours()) {
					return d.longer(list)
				}
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

// longer returns the edit that adds codes to the end of a directive's list.
func (d *directive) longer(codes string) source.Edit {
	at := d.codes[len(d.codes)-1].span.End
	return source.Insert(at, ", "+codes)
}

// ours reports whether a list has one of tfmem's codes already.
func (d *directive) ours() bool {
	return slices.ContainsFunc(d.codes, func(c code) bool { return strings.HasPrefix(strings.ToUpper(c.text), "TFM") })
}
