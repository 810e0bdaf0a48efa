package value

import (
	"regexp"
	"strings"
	"unicode"
)

// addPatterns adds what the module re makes of texts. A pattern that is written otherwise
// here, or that matches nothing at all, is not followed.
func addPatterns(add table) {
	add(func(in *Interp, args *Args) Value {
		re, text, ok := patternOf(args, 1)
		if !ok {
			return in.Unknown("what re.split makes")
		}
		l := &List{}
		last := 0
		for _, m := range re.FindAllStringSubmatchIndex(text, maxItems) {
			l.Items = append(l.Items, Value{X: text[last:m[0]]})
			for g := 2; g < len(m); g += 2 {
				l.Items = append(l.Items, groupOf(text, m[g], m[g+1], nothingMade))
			}
			last = m[1]
		}
		l.Items = append(l.Items, Value{X: text[last:]})
		return Value{X: l}
	}, "re.split")
	add(func(in *Interp, args *Args) Value {
		re, text, ok := patternOf(args, 1)
		if !ok {
			return in.Unknown("what re.findall finds")
		}
		l := &List{}
		for _, m := range re.FindAllStringSubmatchIndex(text, maxItems) {
			var parts Tuple
			for g := min(2, len(m)-2); g < len(m); g += 2 {
				parts = append(parts, groupOf(text, m[g], m[g+1], Value{X: ""}))
			}
			if len(parts) == 1 {
				l.Items = append(l.Items, parts[0])
			} else {
				l.Items = append(l.Items, Value{X: parts})
			}
		}
		return Value{X: l}
	}, "re.findall")
	add(func(in *Interp, args *Args) Value {
		re, text, ok := patternOf(args, 2)
		to, isText := textArg(args, 1)
		if !ok || !isText || strings.Contains(to, `\`) {
			return in.Unknown("what re.sub makes")
		}
		return in.str(re.ReplaceAllLiteralString(text, to))
	}, "re.sub")
	add(func(in *Interp, args *Args) Value {
		s, ok := textArg(args, 0)
		if !ok || len(args.Positional) != 1 {
			return in.Unknown("what re.escape makes")
		}
		var b strings.Builder
		for _, r := range s {
			if strings.ContainsRune("()[]{}?*+-|^$\\.&~# \t\n\r\v\f", r) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		}
		return in.str(b.String())
	}, "re.escape")
}

// patternOf is the pattern of a call that is given it, and a text at a position, and
// nothing else.
func patternOf(args *Args, at int) (re *regexp.Regexp, text string, ok bool) {
	pattern, ok := textArg(args, 0)
	text, given := textArg(args, at)
	if !ok || !given || len(args.Positional) != at+1 || args.Keywords.Len() > 0 || len(pattern) > maxPattern || len(text) > maxText {
		return nil, "", false
	}
	re, err := regexp.Compile(pattern)
	if err != nil || re.MatchString("") {
		return nil, "", false
	}
	if strings.Contains(pattern, `\`) && strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
		return nil, "", false // Python's classes hold the letters of all languages
	}
	return re, text, true
}

// maxPattern is how long a pattern may be.
const maxPattern = 1024

func groupOf(text string, from, to int, otherwise Value) Value {
	if from < 0 {
		return otherwise
	}
	return Value{X: text[from:to]}
}
