package python

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/value"
)

// addPatterns adds the functions of the module re. A pattern that Go writes
// differently, or that matches the empty text, is not modelled.
func addPatterns(add value.Adder) {
	add(func(in *value.Interp, args *value.Args) value.Value {
		re, text, ok := patternOf(args, 1)
		if !ok {
			return in.Unknown(value.UnmodelledPython, "what re.split makes")
		}
		l := &value.List{}
		last := 0
		for _, m := range re.FindAllStringSubmatchIndex(text, value.MaxItems) {
			l.Items = append(l.Items, value.Value{X: text[last:m[0]]})
			for g := 2; g < len(m); g += 2 {
				l.Items = append(l.Items, groupOf(text, m[g], m[g+1], value.NoneValue))
			}
			last = m[1]
		}
		l.Items = append(l.Items, value.Value{X: text[last:]})
		return value.Value{X: l}
	}, "re.split")
	add(func(in *value.Interp, args *value.Args) value.Value {
		re, text, ok := patternOf(args, 1)
		if !ok {
			return in.Unknown(value.UnmodelledPython, "what re.findall finds")
		}
		l := &value.List{}
		for _, m := range re.FindAllStringSubmatchIndex(text, value.MaxItems) {
			var parts value.Tuple
			for g := min(2, len(m)-2); g < len(m); g += 2 {
				parts = append(parts, groupOf(text, m[g], m[g+1], value.Value{X: ""}))
			}
			if len(parts) == 1 {
				l.Items = append(l.Items, parts[0])
			} else {
				l.Items = append(l.Items, value.Value{X: parts})
			}
		}
		return value.Value{X: l}
	}, "re.findall")
	add(func(in *value.Interp, args *value.Args) value.Value {
		re, text, ok := patternOf(args, 2)
		to, isText := textArg(args, 1)
		if !ok || !isText || strings.Contains(to, `\`) {
			return in.Unknown(value.UnmodelledPython, "what re.sub makes")
		}
		return in.Str(re.ReplaceAllLiteralString(text, to))
	}, "re.sub")
	add(func(in *value.Interp, args *value.Args) value.Value {
		s, ok := textArg(args, 0)
		if !ok || len(args.Positional) != 1 {
			return in.Unknown(value.UnmodelledPython, "what re.escape makes")
		}
		var b strings.Builder
		for _, r := range s {
			if strings.ContainsRune("()[]{}?*+-|^$\\.&~# \t\n\r\v\f", r) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		}
		return in.Str(b.String())
	}, "re.escape")
	for name, anchor := range map[string]func(pattern string) string{
		"re.search":    func(p string) string { return p },
		"re.match":     func(p string) string { return `\A(?:` + p + `)` },
		"re.fullmatch": func(p string) string { return `\A(?:` + p + `)\z` },
	} {
		add(func(in *value.Interp, args *value.Args) value.Value { return matched(in, name, anchor, args) }, name)
	}
	add(func(in *value.Interp, args *value.Args) value.Value {
		pattern, ok := textArg(args, 0)
		if !ok || len(args.Positional) != 1 || args.Keywords.Len() > 0 {
			return in.Unknown(value.UnmodelledPython, "what re.compile makes")
		}
		return value.Value{X: compiledPattern{value.Opaque{Base: "a pattern"}, pattern}}
	}, "re.compile")
}

// A compiledPattern is the result of re.compile.
type compiledPattern struct {
	value.Opaque
	pattern string
}

func (p compiledPattern) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	f, ok := in.Library.Functions.Lookup("re." + name)
	switch {
	case name == "pattern":
		return value.Value{X: p.pattern}, true
	case !ok || name == "compile" || name == "escape":
		return in.Unknown(value.UnmodelledUse, "%s of a pattern", name), true
	}
	return value.Value{X: value.Method(func(in *value.Interp, args *value.Args) value.Value {
		all := *args
		all.Positional = append([]value.Value{{X: p.pattern}}, args.Positional...)
		return interp.CallNative(in, f, &all)
	})}, true
}

// matched returns the first match of a function of re in a text, or None.
func matched(in *value.Interp, name string, anchor func(string) string, args *value.Args) value.Value {
	re, text, ok := patternIn(args, 1, anchor)
	if !ok {
		return in.Unknown(value.UnmodelledPython, "what %s finds", name)
	}
	found := re.FindStringSubmatchIndex(text)
	if found == nil {
		return value.NoneValue
	}
	return value.Value{X: &match{value.Opaque{Base: "a match"}, re, text, found}}
}

// A match is a re.Match: where a pattern was found in a text.
type match struct {
	value.Opaque
	re   *regexp.Regexp
	text string
	at   []int // start and end of the match and of each group
}

// group returns a group by its number or name.
func (m *match) group(v value.Value) (value.Value, bool) {
	n, ok := value.WholeOf(v)
	if name, isText := v.X.(string); isText {
		n = int64(m.re.SubexpIndex(name))
	} else if !ok {
		return value.Value{}, false
	}
	if n < 0 || int(n) >= len(m.at)/2 {
		return value.Value{}, false
	}
	return groupOf(m.text, m.at[2*n], m.at[2*n+1], value.NoneValue), true
}

func (m *match) GetItem(in *value.Interp, index value.Value) value.Value {
	if v, ok := m.group(index); ok {
		return v
	}
	return in.Unknown(value.UnmodelledPython, "a group of a match")
}

func (m *match) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	method := func(f value.Method) (value.Value, bool) { return value.Value{X: f}, true }
	switch name {
	case "group":
		return method(func(in *value.Interp, args *value.Args) value.Value {
			if len(args.Positional) == 0 {
				return value.Value{X: m.text[m.at[0]:m.at[1]]}
			}
			var all value.Tuple
			for _, v := range args.Positional {
				all = append(all, m.GetItem(in, v))
			}
			if len(all) == 1 {
				return all[0]
			}
			return value.Value{X: all}
		})
	case "groups":
		return method(func(in *value.Interp, args *value.Args) value.Value {
			fallback, ok := args.Get(0, "default")
			if !ok {
				fallback = value.NoneValue
			}
			all := value.Tuple{}
			for g := 2; g < len(m.at); g += 2 {
				all = append(all, groupOf(m.text, m.at[g], m.at[g+1], fallback))
			}
			return value.Value{X: all}
		})
	}
	return in.Unknown(value.UnmodelledUse, "%s of a match", name), true
}

// patternOf returns the pattern of a call whose only arguments are the pattern and a
// text, at position at.
func patternOf(args *value.Args, at int) (re *regexp.Regexp, text string, ok bool) {
	re, text, ok = patternIn(args, at, func(pattern string) string { return pattern })
	return re, text, ok && !re.MatchString("")
}

// patternIn is patternOf for a pattern that may match the empty text and is anchored.
func patternIn(args *value.Args, at int, anchor func(pattern string) string) (re *regexp.Regexp, text string, ok bool) {
	pattern, ok := textArg(args, 0)
	text, given := textArg(args, at)
	if !ok || !given || len(args.Positional) != at+1 || args.Keywords.Len() > 0 || len(pattern) > maxPattern || len(text) > value.MaxText {
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

func groupOf(text string, from, to int, fallback value.Value) value.Value {
	if from < 0 {
		return fallback
	}
	return value.Value{X: text[from:to]}
}
