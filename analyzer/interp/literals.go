package interp

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// text evaluates a string literal, or several adjacent ones.
func text(in *value.Interp, n syntax.Node) value.Value {
	if n.Kind() == syntax.ConcatenatedString {
		var b strings.Builder
		overridable := false
		for c := range n.Children() {
			if c.Kind() != syntax.String {
				continue
			}
			v := text(in, c)
			s, ok := v.X.(string)
			if !ok {
				return v
			}
			if !addText(in, &b, s) {
				return value.TextTooLong().Unknown()
			}
			overridable = overridable || v.Overridable
		}
		return value.Value{X: b.String(), Lit: n, Overridable: overridable}
	}
	text := n.Text()
	quote := strings.IndexAny(text, `"'`)
	if quote < 0 {
		return in.Unknown(value.SyntaxError, "a string that does not parse")
	}
	prefix := strings.ToLower(text[:quote])
	delimiter := text[quote : quote+1]
	if strings.HasPrefix(text[quote:], strings.Repeat(delimiter, 3)) {
		delimiter = text[quote : quote+3]
	}
	start, end := quote+len(delimiter), len(text)-len(delimiter)
	if end < start {
		return in.Unknown(value.SyntaxError, "a string that does not parse")
	}
	switch {
	case strings.Contains(prefix, "b"):
		return in.Unknown(value.UnmodelledPython, "bytes")
	case strings.Contains(prefix, "f"):
		return formatted(in, n, start, end, strings.Contains(prefix, "r"))
	}
	s := text[start:end]
	if !strings.Contains(prefix, "r") {
		var ok bool
		if s, ok = value.Unescape(s); !ok {
			return in.Unknown(value.UnmodelledPython, "a string with an escape that is not modelled")
		}
	}
	return value.Value{X: s, Lit: n}
}

// formatted evaluates an f-string whose text lies between two byte offsets.
func formatted(in *value.Interp, n syntax.Node, start, end int, raw bool) value.Value {
	var b strings.Builder
	overridable, interpolated := false, false
	at := start
	literal := func(to int) bool {
		s := n.Text()[at:to]
		if !raw {
			var ok bool
			if s, ok = value.Unescape(s); !ok {
				return false
			}
		}
		b.WriteString(value.DoubledBraces.Replace(s))
		return true
	}
	for c := range n.Children() {
		if c.Kind() != syntax.Interpolation {
			continue
		}
		interpolated = true
		from := c.Start() - n.Start()
		if from < at || from > end || !literal(from) {
			return in.Unknown(value.UnmodelledPython, "a string with an escape that is not modelled")
		}
		at = c.End() - n.Start()
		v := evalInterpolation(in, c)
		s, ok := v.X.(string)
		if !ok {
			return v
		}
		overridable = overridable || v.Overridable
		if !addText(in, &b, s) {
			return value.TextTooLong().Unknown()
		}
	}
	if at > end || !literal(end) {
		return in.Unknown(value.UnmodelledPython, "a string with an escape that is not modelled")
	}
	v := in.Str(b.String())
	v.Overridable = overridable
	if !interpolated {
		v.Lit = n
	}
	return v
}

// addText appends to a text that the program builds. It returns false if the text gets
// too long.
func addText(in *value.Interp, b *strings.Builder, s string) bool {
	if b.Len()+len(s) > value.MaxText || !in.Spend(len(s)/64) {
		return false
	}
	b.WriteString(s)
	return true
}

// evalInterpolation evaluates {expression!conversion:spec}.
func evalInterpolation(in *value.Interp, n syntax.Node) value.Value {
	e := n.Child(syntax.FieldExpression)
	if !e.Valid() {
		return in.Unknown(value.SyntaxError, "an f-string that does not parse")
	}
	v := Eval(in, e)
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
				inner := evalInterpolation(in, c)
				s, ok := inner.X.(string)
				if !ok {
					return inner
				}
				overridable = overridable || inner.Overridable
				if len(spec)+len(s) > value.MaxText || !in.Spend(len(spec)/64) {
					return value.TextTooLong().Unknown()
				}
				spec = strings.Replace(spec, c.Text(), s, 1)
			}
		}
	}
	switch conversion {
	case "r", "a":
		v = Repr(in, v)
	case "s":
		v = ToText(in, v)
	}
	out := Format(in, v, spec)
	if s, ok := out.X.(string); ok {
		out = value.Value{X: prefix + s}
	}
	out.Overridable = overridable
	return out
}
