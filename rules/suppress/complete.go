package suppress

import (
	"regexp"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// A Slot is a place in a comment where a rule may be typed or, if Word is set, the word that says
// what tfmem's comment does.
type Slot struct {
	Span source.Span // of what is typed already
	Word bool        // ignore, ignore-file
	// Lead is what must still be inserted before the word: "tfmem: ", or a space.
	Lead string
	// Listed are the rules that are in the list already, in capitals.
	Listed []string
}

var (
	// ownList, ownWord, noqaList and begun match a comment up to the cursor.
	ownList  = regexp.MustCompile(`#[ \t]*tfmem[ \t]*:[ \t]*ignore(?:-file)?[ \t]*\[([^\]#]*)$`)
	ownWord  = regexp.MustCompile(`#[ \t]*tfmem[ \t]*:([ \t]*)([A-Za-z-]*)$`)
	noqaList = regexp.MustCompile(`#[ \t]*(?i:noqa)[ \t]*:((?:[ \t,]*[A-Za-z]+[0-9]+\b[ \t]*,)*[ \t]*[A-Za-z0-9]*)$`)
	begun    = regexp.MustCompile(`#[ \t]*(tf(?:m(?:em?)?)?)$`)
)

// SlotAt returns the slot at an offset. ok is false outside comments, or if there is none.
func SlotAt(f *analyzer.File, offset int) (s Slot, ok bool) {
	if !f.Relevant() {
		return s, false
	}
	text := f.Source.Text()
	n := commentAt(f.Tree, offset)
	if !n.Valid() || n.Start() < source.LineStart(text, offset) {
		return s, false
	}
	before := text[n.Start():offset]
	at := func(typed string) source.Span {
		end := offset
		for end < len(text) && isWord(text[end]) {
			end++
		}
		return source.Span{Start: offset - len(typed), End: end}
	}
	if m := ownList.FindStringSubmatch(before); m != nil {
		s.list(m[1])
		s.Span = at(s.typed(m[1]))
		return s, true
	}
	if m := ownWord.FindStringSubmatch(before); m != nil {
		s.Word, s.Span = true, at(m[2])
		if m[1] == "" {
			s.Lead = " "
		}
		return s, true
	}
	if m := noqaList.FindStringSubmatch(before); m != nil {
		s.list(m[1])
		typed := s.typed(m[1])
		s.Span = at(typed)
		if typed == m[1] {
			s.Lead = " "
		}
		return s, true
	}
	if m := begun.FindStringSubmatch(before); m != nil {
		s.Word, s.Span, s.Lead = true, at(m[1]), "tfmem: "
		return s, !strings.HasPrefix(text[s.Span.End:], ":")
	}
	return s, false
}

// list records what precedes the last item of a list.
func (s *Slot) list(items string) {
	parts := strings.FieldsFunc(items, func(r rune) bool { return r == ',' })
	if !strings.HasSuffix(items, ",") && len(parts) > 0 {
		parts = parts[:len(parts)-1]
	}
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			s.Listed = append(s.Listed, strings.ToUpper(p))
		}
	}
}

// typed returns the last, unfinished item of a list.
func (s *Slot) typed(items string) string {
	return strings.TrimLeft(items[strings.LastIndexByte(items, ',')+1:], " \t")
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-'
}

// Suppresses reports whether a comment at an offset counts for a finding.
func Suppresses(f *analyzer.File, finding rule.Finding, offset int) bool {
	text := f.Source.Text()
	line := source.LineStart(text, offset)
	return line == source.LineStart(text, finding.Span.Start) || line == source.LineStart(text, statementEnd(f.Tree, finding.Span.Start))
}
