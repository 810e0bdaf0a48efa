package value

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/library"
)

type textMethod = func(in *Interp, s string, args *Args) Value

// textMethods returns the methods of texts.
func textMethods() library.Table[func(in *Interp, s string, args *Args) Value] {
	simple := func(f func(string) string) textMethod {
		return func(in *Interp, s string, _ *Args) Value { return in.str(f(s)) }
	}
	test := func(f func(rune) bool) textMethod {
		return func(_ *Interp, s string, _ *Args) Value {
			return Value{X: s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !f(r) })}
		}
	}
	strip := func(trim func(string, string) string) textMethod {
		return func(in *Interp, s string, args *Args) Value {
			cut := " \t\n\r\v\f"
			if v, ok := args.Get(0, ""); ok {
				if _, none := v.X.(None); !none {
					if cut, ok = v.X.(string); !ok {
						return in.Unknown(WrongType, "a strip of something that is not text")
					}
				}
			}
			return Value{X: trim(s, cut)}
		}
	}
	find := func(f func(s, sub string) int, raises bool) textMethod {
		return func(in *Interp, s string, args *Args) Value {
			sub, ok := textArg(args, 0)
			if !ok || len(args.Positional) > 1 {
				return in.Unknown(UnmodelledPython, "a search that is not modelled")
			}
			i := f(s, sub)
			if i < 0 {
				if raises {
					return in.Unknown(WillRaise, "a text that is not found: ValueError")
				}
				return Value{X: int64(-1)}
			}
			return Value{X: int64(utf8.RuneCountInString(s[:i]))}
		}
	}
	affix := func(has func(s, affix string) bool) textMethod {
		return func(in *Interp, s string, args *Args) Value {
			v, _ := args.Get(0, "")
			if t, ok := v.X.(Tuple); ok {
				for _, one := range t {
					a, ok := one.X.(string)
					if !ok {
						return in.Unknown(WrongType, "a test of something that is not text")
					}
					if has(s, a) {
						return Value{X: true}
					}
				}
				return Value{X: false}
			}
			a, ok := v.X.(string)
			if !ok || len(args.Positional) > 1 {
				return in.Unknown(UnmodelledPython, "a test that is not modelled")
			}
			return Value{X: has(s, a)}
		}
	}
	pad := func(align byte) textMethod {
		return func(in *Interp, s string, args *Args) Value {
			width, _ := args.Get(0, "width")
			n, ok := whole(width.X)
			sp := spec{fill: ' ', align: align, width: int(min(max(n, 0), maxText))}
			if fill, given := args.Get(1, "fillchar"); given {
				f, isText := fill.X.(string)
				r, size := utf8.DecodeRuneInString(f)
				ok = ok && isText && size == len(f) && size > 0
				sp.fill = r
			}
			if !ok {
				return in.Unknown(UnmodelledPython, "a width that is not known")
			}
			return in.str(sp.pad(s, align))
		}
	}
	rows := library.Table[func(in *Interp, s string, args *Args) Value]{
		"lower": simple(strings.ToLower), "upper": simple(strings.ToUpper), "casefold": simple(strings.ToLower),
		"capitalize": simple(capitalize), "title": simple(title), "swapcase": simple(swapcase),
		"isdigit": test(unicode.IsDigit), "isnumeric": test(unicode.IsDigit), "isdecimal": test(unicode.IsDigit), "isalpha": test(unicode.IsLetter),
		"isspace": test(unicode.IsSpace),
		"isalnum": test(func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }),
		"islower": func(_ *Interp, s string, _ *Args) Value {
			return Value{X: strings.ToLower(s) == s && strings.ToUpper(s) != s}
		},
		"isupper": func(_ *Interp, s string, _ *Args) Value {
			return Value{X: strings.ToUpper(s) == s && strings.ToLower(s) != s}
		},
		"isidentifier": func(_ *Interp, s string, _ *Args) Value {
			return Value{X: s != "" && !unicode.IsDigit([]rune(s)[0]) && !strings.ContainsFunc(s, func(r rune) bool {
				return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
			})}
		},
		"strip": strip(strings.Trim), "lstrip": strip(strings.TrimLeft), "rstrip": strip(strings.TrimRight),
		"find": find(strings.Index, false), "rfind": find(strings.LastIndex, false), "index": find(strings.Index, true), "rindex": find(strings.LastIndex, true),
		"startswith": affix(strings.HasPrefix), "endswith": affix(strings.HasSuffix),
		"ljust": pad('<'), "rjust": pad('>'),
		"zfill": func(in *Interp, s string, args *Args) Value {
			n, ok := whole(positional(args, 0).X)
			if !ok {
				return in.Unknown(UnmodelledPython, "a width that is not known")
			}
			return in.str(spec{fill: '0', align: '=', width: int(min(max(n, 0), maxText))}.pad(s, '='))
		},
		"count": func(in *Interp, s string, args *Args) Value {
			sub, ok := textArg(args, 0)
			if !ok || len(args.Positional) > 1 {
				return in.Unknown(UnmodelledPython, "a count that is not modelled")
			}
			return Value{X: int64(strings.Count(s, sub))}
		},
		"replace": func(in *Interp, s string, args *Args) Value {
			old, ok := textArg(args, 0)
			with, ok2 := textArg(args, 1)
			n := int64(-1)
			if v, given := args.Get(2, "count"); given {
				var ok3 bool
				n, ok3 = whole(v.X)
				ok = ok && ok3
			}
			if !ok || !ok2 || len(s)*max(len(with), 1) > 64*maxText {
				return in.Unknown(UnmodelledPython, "a replacement that is not modelled")
			}
			return in.str(strings.Replace(s, old, with, int(n)))
		},
		"removeprefix": func(in *Interp, s string, args *Args) Value {
			p, ok := textArg(args, 0)
			if !ok {
				return in.Unknown(WrongType, "a prefix that is not text")
			}
			return Value{X: strings.TrimPrefix(s, p)}
		},
		"removesuffix": func(in *Interp, s string, args *Args) Value {
			p, ok := textArg(args, 0)
			if !ok {
				return in.Unknown(WrongType, "a suffix that is not text")
			}
			return Value{X: strings.TrimSuffix(s, p)}
		},
		"split":      func(in *Interp, s string, args *Args) Value { return in.split(s, args, false) },
		"rsplit":     func(in *Interp, s string, args *Args) Value { return in.split(s, args, true) },
		"splitlines": splitLines,
		"partition": func(in *Interp, s string, args *Args) Value {
			sep, ok := textArg(args, 0)
			if !ok || sep == "" {
				return in.Unknown(WrongType, "a separator that is not text")
			}
			before, after, found := strings.Cut(s, sep)
			if !found {
				sep = ""
			}
			return texts(before, sep, after)
		},
		"rpartition": func(in *Interp, s string, args *Args) Value {
			sep, ok := textArg(args, 0)
			if !ok || sep == "" {
				return in.Unknown(WrongType, "a separator that is not text")
			}
			i := strings.LastIndex(s, sep)
			if i < 0 {
				return texts("", "", s)
			}
			return texts(s[:i], sep, s[i+len(sep):])
		},
		"join":   join,
		"format": func(in *Interp, s string, args *Args) Value { return in.formatMethod(s, args) },
		"format_map": func(in *Interp, s string, args *Args) Value {
			made := &Args{}
			in.splat(made, positional(args, 0))
			return in.formatMethod(s, made)
		},
	}
	for _, name := range []string{"expandtabs", "encode", "center", "translate"} {
		rows.Add(func(in *Interp, _ string, _ *Args) Value {
			return in.Unknown(UnmodelledUse, "the result of str.%s", name)
		}, name)
	}
	return rows
}

// positional returns an argument by position, or the zero Value.
func positional(args *Args, i int) Value {
	v, _ := args.Get(i, "")
	return v
}

func textArg(args *Args, i int) (string, bool) {
	s, ok := plain(positional(args, i)).X.(string)
	return s, ok
}

func texts(parts ...string) Value {
	t := make(Tuple, len(parts))
	for i, p := range parts {
		t[i].X = p
	}
	return Value{X: t}
}

func containsText(s, sub string) bool { return strings.Contains(s, sub) }

func capitalize(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return strings.ToUpper(string(r)) + strings.ToLower(s[size:])
}

func title(s string) string {
	var b strings.Builder
	inWord := false
	for _, r := range s {
		if inWord {
			b.WriteRune(unicode.ToLower(r))
		} else {
			b.WriteRune(unicode.ToTitle(r))
		}
		inWord = unicode.IsLetter(r)
	}
	return b.String()
}

func swapcase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

func splitLines(in *Interp, s string, args *Args) Value {
	if len(args.Positional)+args.Keywords.Len() > 0 {
		return in.Unknown(UnmodelledPython, "a split that is not modelled")
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	l := &List{}
	if s = strings.TrimSuffix(s, "\n") + "\n"; s != "\n" {
		for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
			l.Items = append(l.Items, Value{X: line})
		}
	}
	return Value{X: l}
}

func (in *Interp) split(s string, args *Args, right bool) Value {
	sep, limited := "", int64(-1)
	if v, ok := args.Get(0, "sep"); ok {
		if _, none := v.X.(None); !none {
			if sep, ok = v.X.(string); !ok || sep == "" {
				return in.Unknown(WrongType, "a separator that is not text")
			}
		}
	}
	if v, ok := args.Get(1, "maxsplit"); ok {
		if limited, ok = whole(v.X); !ok {
			return in.Unknown(UnmodelledPython, "a number of splits that is not known")
		}
	}
	var parts []string
	switch {
	case sep == "" && limited < 0:
		parts = strings.Fields(s)
	case sep == "":
		return in.Unknown(UnmodelledPython, "a split that is not modelled")
	case limited < 0:
		parts = strings.Split(s, sep)
	case right:
		for ; limited > 0; limited-- {
			i := strings.LastIndex(s, sep)
			if i < 0 {
				break
			}
			parts = append(parts, s[i+len(sep):])
			s = s[:i]
		}
		parts = append(parts, s)
		slices.Reverse(parts)
	default:
		parts = strings.SplitN(s, sep, int(min(limited, maxText))+1)
	}
	if len(parts) > maxItems || !in.Spend(len(parts)) {
		return in.Unknown(TooLong, "a list of too many items to follow")
	}
	l := &List{Items: make([]Value, len(parts))}
	for i, p := range parts {
		l.Items[i].X = p
	}
	return Value{X: l}
}

func join(in *Interp, sep string, args *Args) Value {
	v := positional(args, 0)
	items, ok := in.elements(v)
	if _, set := v.X.(*Set); set && len(items) > 1 {
		ok = false
	}
	if !ok {
		return Value{X: Unknown{in.whyNotIterable(v)}}
	}
	var b strings.Builder
	overridable := false
	for i, item := range items {
		if i > 0 {
			b.WriteString(sep)
		}
		s, ok := plain(item).X.(string)
		if !ok {
			if item.Cause() != nil {
				return Value{X: item.X}
			}
			return in.Unknown(WillRaise, "a join of something that is not text: TypeError")
		}
		if b.Len()+len(s) > maxText {
			return textTooLong().Unknown()
		}
		b.WriteString(s)
		overridable = overridable || item.Overridable
	}
	out := in.str(b.String())
	out.Overridable = overridable
	return out
}
