package syntax

import (
	"slices"
	"strings"
	"unicode"
)

// A reparseRange is the part of a text that must be parsed again after an edit: from a top-level
// statement before it to one behind it.
//
// The meaning of a statement does not depend on its neighbours, except for where it begins and
// ends. It begins with its first line, as long as that is not edited. It ends where the next
// statement begins, or a comment, which belongs to it or not by its indentation. Therefore a
// sentinel statement follows the range in place of the rest.
type reparseRange struct {
	start, end  int // bytes of the new text
	oldEnd      int // end in the old text, which is the same before start
	first, last int // the statements of the old tree that it replaces: first to last-1
	hasSentinel bool
}

// sentinel is the simplest statement there is.
const sentinel = "pass\n"

// with returns the text to parse for a range of a text.
func (r reparseRange) with(text string) string {
	if r.hasSentinel {
		return text[r.start:r.end] + sentinel
	}
	return text[r.start:r.end]
}

// was reports whether parsed is the range before the edit.
func (r reparseRange) was(parsed, old string) bool {
	if r.hasSentinel {
		var ok bool
		if parsed, ok = strings.CutSuffix(parsed, sentinel); !ok {
			return false
		}
	}
	return parsed == old[r.start:r.oldEnd]
}

// partial reports whether the range is not all of the text.
func (r reparseRange) partial() bool { return r.start > 0 || r.hasSentinel }

// statements returns the statements of a parsed range without the sentinel. ok
// is false if the sentinel was parsed as something else, or if a line continues into the next one
// and is not part of a statement: what it belongs to may depend on distant text.
func (r reparseRange) statements(all []lowered, parsed string) (_ []lowered, ok bool) {
	if r.hasSentinel {
		last := len(all) - 1
		if last < 0 || all[last].kind != PassStatement || int(all[last].start) != len(parsed)-len(sentinel) {
			return nil, false
		}
		all = all[:last]
	}
	return all, !slices.ContainsFunc(all, func(l lowered) bool { return l.kind == drop })
}

// reparseRange returns the part to parse again if text differs from the tree's text, which has no
// error, except for a common prefix and suffix. further is how many statements it includes after
// the edit; the first of them may belong to the edited one. A decorator, for example, changes the
// function below it.
func (t *Tree) reparseRange(text string, prefix, suffix, further int) reparseRange {
	r := reparseRange{end: len(text), oldEnd: len(t.text), last: len(t.stmts)}
	i := t.after(prefix)
	for i--; i > 0; i-- {
		if s := &t.stmts[i]; t.opens(s) && strings.IndexByte(t.text[s.start:prefix], '\n') >= 0 {
			r.start, r.first = s.start, i
			break
		}
	}
	for i := t.after(len(t.text) - suffix + 1); i < len(t.stmts); i++ {
		s := &t.stmts[i]
		if !t.opens(s) || continued(text[:len(text)-len(t.text)+s.start]) {
			continue
		}
		if further--; further < 0 {
			r.oldEnd, r.end, r.last, r.hasSentinel = s.start, s.start+len(text)-len(t.text), i, true
			break
		}
	}
	return r
}

// after returns the number of the first statement that starts at or after an offset.
func (t *Tree) after(offset int) int {
	lo, hi := 0, len(t.stmts)
	for lo < hi {
		if mid := (lo + hi) / 2; t.stmts[mid].start < offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// opens reports whether a statement stands at the start of a line and cannot become part of the
// previous one, however that is edited.
func (t *Tree) opens(s *Statement) bool {
	before := t.text[:s.start]
	return s.kind != Comment && s.kind != drop && strings.HasSuffix(before, "\n") && !continued(before) && !goesOn(s.text)
}

// goesOn reports whether a statement begins with a word that may continue another one. To
// tree-sitter "else: x" is a name with a type if no "if" precedes it.
func goesOn(text string) bool {
	for _, word := range [...]string{"else", "elif", "except", "finally"} {
		if strings.HasPrefix(text, word) {
			return true
		}
	}
	return false
}

// continued reports whether the end of a text may continue in the next line, as after a
// backslash. To tree-sitter a list continues after a comma if the next line is a name with a
// type.
func continued(text string) bool {
	for text != "" {
		text = strings.TrimRightFunc(text, blank)
		line := text[strings.LastIndexByte(text, '\n')+1:]
		if strings.HasSuffix(line, "\\") || strings.HasSuffix(line, ",") {
			return true
		}
		for at := strings.LastIndexByte(line, '#'); at >= 0; at = strings.LastIndexByte(line[:at], '#') {
			if strings.HasSuffix(strings.TrimRightFunc(line[:at], blank), ",") {
				return true
			}
		}
		if !strings.HasPrefix(strings.TrimLeftFunc(line, blank), "#") {
			return false
		}
		text = text[:len(text)-len(line)] // a comment on its own line: the line above may continue
	}
	return false
}

// isVague reports whether a node ends with a comma at the end of a line, or continues after one
// outside of brackets. tree-sitter reads "a,\nb = c" as one statement or as two, depending on
// distant text above.
func (s *Subtree) isVague() bool {
	for i, n := range s.all {
		if n.end > n.start && s.text[n.end-1] == ',' {
			if rest := strings.TrimLeft(s.text[n.end:], " \t\f"); rest == "" || strings.ContainsRune("\r\n\\#", rune(rest[0])) {
				return true
			}
		}
		switch n.kind {
		case ExpressionList, PatternList, PrintStatement:
			at := n.start
			for c := i + 1; c > 0 && c < len(s.all) && int(s.all[c].parent) == i; c = int(s.all[c].next) {
				if strings.ContainsAny(s.text[at:s.all[c].start], "\r\n") {
					return true
				}
				at = s.all[c].end
			}
		}
	}
	return false
}

// blank reports whether tree-sitter skips a character (grammar.js, extras).
func blank(r rune) bool {
	return unicode.IsSpace(r) || r == '\uFEFF' || r == '\u2060' || r == '\u200B'
}
