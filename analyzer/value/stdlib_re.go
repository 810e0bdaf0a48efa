package value

import (
	"regexp"
	"strings"
	"unicode"
)

// addPatterns adds the functions of the module re. A pattern that Go writes
// differently, or that matches the empty text, is not modelled.
func addPatterns(add adder) {
	add(func(in *Interp, args *Args) Value {
		re, text, ok := patternOf(args, 1)
		if !ok {
			return in.Unknown(UnmodelledPython, "what re.split makes")
		}
		l := &List{}
		last := 0
		for _, m := range re.FindAllStringSubmatchIndex(text, maxItems) {
			l.Items = append(l.Items, Value{X: text[last:m[0]]})
			for g := 2; g < len(m); g += 2 {
				l.Items = append(l.Items, groupOf(text, m[g], m[g+1], noneValue))
			}
			last = m[1]
		}
		l.Items = append(l.Items, Value{X: text[last:]})
		return Value{X: l}
	}, "re.split")
	add(func(in *Interp, args *Args) Value {
		re, text, ok := patternOf(args, 1)
		if !ok {
			return in.Unknown(UnmodelledPython, "what re.findall finds")
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
			return in.Unknown(UnmodelledPython, "what re.sub makes")
		}
		return in.str(re.ReplaceAllLiteralString(text, to))
	}, "re.sub")
	add(func(in *Interp, args *Args) Value {
		s, ok := textArg(args, 0)
		if !ok || len(args.Positional) != 1 {
			return in.Unknown(UnmodelledPython, "what re.escape makes")
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
	for name, anchor := range map[string]func(pattern string) string{
		"re.search":    func(p string) string { return p },
		"re.match":     func(p string) string { return `\A(?:` + p + `)` },
		"re.fullmatch": func(p string) string { return `\A(?:` + p + `)\z` },
	} {
		add(func(in *Interp, args *Args) Value { return in.matched(name, anchor, args) }, name)
	}
	add(func(in *Interp, args *Args) Value {
		pattern, ok := textArg(args, 0)
		if !ok || len(args.Positional) != 1 || args.Keywords.Len() > 0 {
			return in.Unknown(UnmodelledPython, "what re.compile makes")
		}
		return Value{X: compiledPattern{opaque{"a pattern"}, pattern}}
	}, "re.compile")
}

// A compiledPattern is the result of re.compile.
type compiledPattern struct {
	opaque
	pattern string
}

func (p compiledPattern) GetAttr(in *Interp, name string) (Value, bool) {
	f, ok := in.library.functions.Lookup("re." + name)
	switch {
	case name == "pattern":
		return Value{X: p.pattern}, true
	case !ok || name == "compile" || name == "escape":
		return in.Unknown(UnmodelledUse, "%s of a pattern", name), true
	}
	return Value{X: Method(func(in *Interp, args *Args) Value {
		all := *args
		all.Positional = append([]Value{{X: p.pattern}}, args.Positional...)
		return in.callNative(f, &all)
	})}, true
}

// matched returns the first match of a function of re in a text, or None.
func (in *Interp) matched(name string, anchor func(string) string, args *Args) Value {
	re, text, ok := patternIn(args, 1, anchor)
	if !ok {
		return in.Unknown(UnmodelledPython, "what %s finds", name)
	}
	found := re.FindStringSubmatchIndex(text)
	if found == nil {
		return noneValue
	}
	return Value{X: &match{opaque{"a match"}, re, text, found}}
}

// A match is a re.Match: where a pattern was found in a text.
type match struct {
	opaque
	re   *regexp.Regexp
	text string
	at   []int // start and end of the match and of each group
}

// group returns a group by its number or name.
func (m *match) group(v Value) (Value, bool) {
	n, ok := wholeOf(v)
	if name, isText := v.X.(string); isText {
		n = int64(m.re.SubexpIndex(name))
	} else if !ok {
		return Value{}, false
	}
	if n < 0 || int(n) >= len(m.at)/2 {
		return Value{}, false
	}
	return groupOf(m.text, m.at[2*n], m.at[2*n+1], noneValue), true
}

func (m *match) GetItem(in *Interp, index Value) Value {
	if v, ok := m.group(index); ok {
		return v
	}
	return in.Unknown(UnmodelledPython, "a group of a match")
}

func (m *match) GetAttr(in *Interp, name string) (Value, bool) {
	method := func(f Method) (Value, bool) { return Value{X: f}, true }
	switch name {
	case "group":
		return method(func(in *Interp, args *Args) Value {
			if len(args.Positional) == 0 {
				return Value{X: m.text[m.at[0]:m.at[1]]}
			}
			var all Tuple
			for _, v := range args.Positional {
				all = append(all, m.GetItem(in, v))
			}
			if len(all) == 1 {
				return all[0]
			}
			return Value{X: all}
		})
	case "groups":
		return method(func(in *Interp, args *Args) Value {
			fallback, ok := args.Get(0, "default")
			if !ok {
				fallback = noneValue
			}
			all := Tuple{}
			for g := 2; g < len(m.at); g += 2 {
				all = append(all, groupOf(m.text, m.at[g], m.at[g+1], fallback))
			}
			return Value{X: all}
		})
	}
	return in.Unknown(UnmodelledUse, "%s of a match", name), true
}

// patternOf returns the pattern of a call whose only arguments are the pattern and a
// text, at position at.
func patternOf(args *Args, at int) (re *regexp.Regexp, text string, ok bool) {
	re, text, ok = patternIn(args, at, func(pattern string) string { return pattern })
	return re, text, ok && !re.MatchString("")
}

// patternIn is patternOf for a pattern that may match the empty text and is anchored.
func patternIn(args *Args, at int, anchor func(pattern string) string) (re *regexp.Regexp, text string, ok bool) {
	pattern, ok := textArg(args, 0)
	text, given := textArg(args, at)
	if !ok || !given || len(args.Positional) != at+1 || args.Keywords.Len() > 0 || len(pattern) > maxPattern || len(text) > maxText {
		return nil, "", false
	}
	re, err := regexp.Compile(pattern)
	if err == nil {
		re, err = regexp.Compile(anchor(pattern))
	}
	// Python's $ also matches before a final line break.
	if err != nil || strings.Contains(pattern, "$") && strings.HasSuffix(text, "\n") || foreign.MatchString(pattern) || strings.ContainsFunc(text, unicodeSpace) {
		return nil, "", false
	}
	if strings.Contains(pattern, `\`) && strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
		return nil, "", false // Python's classes contain letters of all languages
	}
	return re, text, true
}

// foreign matches syntax that means different things in Go and in Python: in Python,
// {,3} begins at 0, brackets do not nest, and there are no Unicode classes and no
// quoting.
var foreign = regexp.MustCompile(`\{,|\[\[|\\[pPQEx]|\(\?[^P:i]`)

// unicodeSpace reports white space that Go's \s lacks.
func unicodeSpace(r rune) bool { return r == '\v' || 0x1c <= r && r <= 0x1f }

// maxPattern limits the length of a pattern.
const maxPattern = 1024

func groupOf(text string, from, to int, fallback Value) Value {
	if from < 0 {
		return fallback
	}
	return Value{X: text[from:to]}
}
