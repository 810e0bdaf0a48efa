package value

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// text evaluates a string literal, or several adjacent ones.
func (in *Interp) text(n syntax.Node) Value {
	if n.Kind() == syntax.ConcatenatedString {
		var b strings.Builder
		overridable := false
		for c := range n.Children() {
			if c.Kind() != syntax.String {
				continue
			}
			v := in.text(c)
			s, ok := v.X.(string)
			if !ok {
				return v
			}
			if !in.addText(&b, s) {
				return textTooLong().Unknown()
			}
			overridable = overridable || v.Overridable
		}
		return Value{X: b.String(), Lit: n, Overridable: overridable}
	}
	text := n.Text()
	quote := strings.IndexAny(text, `"'`)
	if quote < 0 {
		return in.Unknown(SyntaxError, "a string that does not parse")
	}
	prefix := strings.ToLower(text[:quote])
	delimiter := text[quote : quote+1]
	if strings.HasPrefix(text[quote:], strings.Repeat(delimiter, 3)) {
		delimiter = text[quote : quote+3]
	}
	start, end := quote+len(delimiter), len(text)-len(delimiter)
	if end < start {
		return in.Unknown(SyntaxError, "a string that does not parse")
	}
	switch {
	case strings.Contains(prefix, "b"):
		return in.Unknown(UnmodelledPython, "bytes")
	case strings.Contains(prefix, "f"):
		return in.formatted(n, start, end, strings.Contains(prefix, "r"))
	}
	s := text[start:end]
	if !strings.Contains(prefix, "r") {
		var ok bool
		if s, ok = unescape(s); !ok {
			return in.Unknown(UnmodelledPython, "a string with an escape that is not modelled")
		}
	}
	return Value{X: s, Lit: n}
}

// unescape replaces Python's escape sequences.
func unescape(s string) (string, bool) {
	if !strings.ContainsAny(s, "\\\r") {
		return s, true
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		c := s[i]
		if at := strings.IndexByte(`abfnrtv\'"`, c); at >= 0 {
			b.WriteByte("\a\b\f\n\r\t\v\\'\""[at])
			continue
		}
		digits, base := 0, 16
		switch {
		case c == '\n':
			continue
		case c == 'x':
			digits = 2
		case c == 'u':
			digits = 4
		case c == 'U':
			digits = 8
		case c == 'N':
			return "", false
		case c >= '0' && c <= '7':
			base, i = 8, i-1
			for digits < 3 && i+1+digits < len(s) && s[i+1+digits] >= '0' && s[i+1+digits] <= '7' {
				digits++
			}
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
			continue
		}
		if i+1+digits > len(s) {
			return "", false
		}
		r, err := strconv.ParseUint(s[i+1:i+1+digits], base, 32)
		if err != nil || !utf8.ValidRune(rune(r)) {
			return "", false
		}
		b.WriteRune(rune(r))
		i += digits
	}
	return b.String(), true
}

// formatted evaluates an f-string whose text lies between two byte offsets.
func (in *Interp) formatted(n syntax.Node, start, end int, raw bool) Value {
	var b strings.Builder
	overridable, interpolated := false, false
	at := start
	literal := func(to int) bool {
		s := n.Text()[at:to]
		if !raw {
			var ok bool
			if s, ok = unescape(s); !ok {
				return false
			}
		}
		b.WriteString(doubledBraces.Replace(s))
		return true
	}
	for c := range n.Children() {
		if c.Kind() != syntax.Interpolation {
			continue
		}
		interpolated = true
		from := c.Start() - n.Start()
		if from < at || from > end || !literal(from) {
			return in.Unknown(UnmodelledPython, "a string with an escape that is not modelled")
		}
		at = c.End() - n.Start()
		v := in.interpolation(c)
		s, ok := v.X.(string)
		if !ok {
			return v
		}
		overridable = overridable || v.Overridable
		if !in.addText(&b, s) {
			return textTooLong().Unknown()
		}
	}
	if at > end || !literal(end) {
		return in.Unknown(UnmodelledPython, "a string with an escape that is not modelled")
	}
	v := in.str(b.String())
	v.Overridable = overridable
	if !interpolated {
		v.Lit = n
	}
	return v
}

var doubledBraces = strings.NewReplacer("{{", "{", "}}", "}")

// addText appends to a text that the program builds. It returns false if the text gets
// too long.
func (in *Interp) addText(b *strings.Builder, s string) bool {
	if b.Len()+len(s) > maxText || !in.Spend(len(s)/64) {
		return false
	}
	b.WriteString(s)
	return true
}

// interpolation evaluates {expression!conversion:spec}.
func (in *Interp) interpolation(n syntax.Node) Value {
	e := n.Child(syntax.FieldExpression)
	if !e.Valid() {
		return in.Unknown(SyntaxError, "an f-string that does not parse")
	}
	v := in.Eval(e)
	text := n.Text()
	rest := strings.TrimSuffix(text[e.End()-n.Start():], "}")
	trimmed := strings.TrimLeft(rest, " \t\n")
	prefix := ""
	if strings.HasPrefix(trimmed, "=") {
		prefix = text[1:e.End()-n.Start()] + rest[:len(rest)-len(trimmed)+1]
		trimmed = trimmed[1:]
		if trimmed == "" {
			trimmed = "!r"
		}
	}
	conversion, spec, overridable := "", "", v.Overridable
	if strings.HasPrefix(trimmed, "!") && len(trimmed) > 1 {
		conversion, trimmed = trimmed[1:2], trimmed[2:]
	}
	if strings.HasPrefix(trimmed, ":") {
		spec = trimmed[1:]
		for c := range n.Children() {
			if c.Kind() == syntax.Interpolation {
				inner := in.interpolation(c)
				s, ok := inner.X.(string)
				if !ok {
					return inner
				}
				overridable = overridable || inner.Overridable
				if len(spec)+len(s) > maxText || !in.Spend(len(spec)/64) {
					return textTooLong().Unknown()
				}
				spec = strings.Replace(spec, c.Text(), s, 1)
			}
		}
	}
	switch conversion {
	case "r", "a":
		v = in.repr(v)
	case "s":
		v = in.toText(v)
	}
	out := in.format(v, spec)
	if s, ok := out.X.(string); ok {
		out = Value{X: prefix + s}
	}
	out.Overridable = overridable
	return out
}

// integer evaluates a literal.
func (in *Interp) integer(n syntax.Node) Value {
	text := strings.ReplaceAll(n.Text(), "_", "")
	i, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		i, err = strconv.ParseInt(text, 0, 64) // 0x1f, 0o17, 0b1
	}
	if err != nil {
		return in.Unknown(NumberRange, "the number %s", n.Text())
	}
	return Value{X: i, Lit: n}
}

// parseFloat parses a number as Python's float does.
func parseFloat(text string) (float64, bool) {
	text = strings.ReplaceAll(text, "_", "")
	if text == "" || strings.ContainsAny(text, "xXpP") {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && f == 0 {
		return 0, false
	}
	return f, true // 1e999 is inf in Python too
}
