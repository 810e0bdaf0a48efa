package source

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longest is how many characters [Printable] keeps of a text: more than any message with names
// that people write.
const longest = 1000

// Printable makes foreign text safe to show on one line: a name, a path, or a message that quotes
// one. It escapes a character that a terminal or an editor would act upon, that is invisible, or
// that reorders its neighbours, as "\x1b" or "\u202e"; so it does a byte that is not UTF-8. White
// space with a line break or a tab becomes a space. A text that is too long loses its middle to
// an ellipsis. Printable text is returned unchanged. The result must still be escaped for
// Markdown or HTML.
func Printable(text string) string {
	if isPrintable(text) {
		return text
	}
	const most = longest * utf8.UTFMax // the bytes of longest characters
	if len(text) > 2*most {
		text = strings.ToValidUTF8(text[:most], "") + "…" + strings.ToValidUTF8(text[len(text)-most:], "")
	}
	shown, n := []string{}, 0
	before := rune(-1)
	for text != "" {
		one, size := visible(before, text)
		if space := strings.TrimLeft(text, " \t\n\v\f\r"); strings.ContainsAny(text[:len(text)-len(space)], "\t\n\v\f\r") {
			one, size = " ", len(text)-len(space)
		}
		before, _ = utf8.DecodeLastRuneInString(one)
		text = text[size:]
		shown, n = append(shown, one), n+utf8.RuneCountInString(one)
	}
	if n <= longest {
		return strings.Join(shown, "")
	}
	slices.Reverse(shown)
	end := upTo(shown, longest/2-1)
	slices.Reverse(shown)
	start := upTo(shown, longest/2)
	return strings.Join(shown[:start], "") + "…" + strings.Join(shown[len(shown)-end:], "")
}

// PrintableLines is Printable for a text of any length that keeps its lines and tabs.
func PrintableLines(text string) string {
	var out strings.Builder
	before := rune(-1)
	for text != "" {
		one, size := visible(before, text)
		if text[0] == '\n' || text[0] == '\t' {
			one = text[:1]
		}
		out.WriteString(one)
		before, _ = utf8.DecodeLastRuneInString(one)
		text = text[size:]
	}
	return out.String()
}

// isPrintable reports whether Printable has nothing to do.
func isPrintable(text string) bool {
	ascii := true
	for i := 0; i < len(text) && ascii; i++ {
		ascii = ' ' <= text[i] && text[i] < 0x7f
	}
	return ascii && len(text) <= longest
}

// visible returns the first character of a text in visible form, given the one before it, and its
// size in bytes.
func visible(before rune, text string) (shown string, size int) {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf(`\x%02x`, text[0]), size
	case isSeen(r), (r == '\u200c' || r == '\u200d') && joins(before, text[size:]):
		return text[:size], size
	case r < utf8.RuneSelf:
		return fmt.Sprintf(`\x%02x`, r), size
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r), size
	}
	return fmt.Sprintf(`\U%08x`, r), size
}

func isSeen(r rune) bool {
	return strconv.IsGraphic(r) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// joins reports whether a joiner may stand between two characters: emoji and some scripts are
// joined, but between ASCII letters a joiner is hidden.
func joins(before rune, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	return before > unicode.MaxASCII && (after == "" || next > unicode.MaxASCII && next != utf8.RuneError && isSeen(next))
}

// upTo returns how many of some texts have at most so many characters together.
func upTo(texts []string, most int) int {
	for i, t := range texts {
		if most -= utf8.RuneCountInString(t); most < 0 {
			return i
		}
	}
	return len(texts)
}
