package python

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/library"
	"github.com/tfmem/tfmem/analyzer/value"
)

type textMethod = func(in *value.Interp, s string, args *value.Args) value.Value

// textMethods returns the methods of texts.
func textMethods() library.Table[func(in *value.Interp, s string, args *value.Args) value.Value] {
	simple := func(f func(string) string) textMethod {
		return func(in *value.Interp, s string, _ *value.Args) value.Value { return in.Str(f(s)) }
	}
	test := func(f func(rune) bool) textMethod {
		return func(_ *value.Interp, s string, _ *value.Args) value.Value {
			return value.Value{X: s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !f(r) })}
		}
	}
	strip := func(trim func(string, string) string) textMethod {
		return func(in *value.Interp, s string, args *value.Args) value.Value {
			cut := " \t\n\r\v\f"
			if v, ok := args.Get(0, ""); ok {
				if _, none := v.X.(value.None); !none {
					if cut, ok = v.X.(string); !ok {
						return in.Unknown(value.WrongType, "a strip of something that is not text")
					}
				}
			}
			return value.Value{X: trim(s, cut)}
		}
	}
	find := func(f func(s, sub string) int, raises bool) textMethod {
		return func(in *value.Interp, s string, args *value.Args) value.Value {
			sub, ok := textArg(args, 0)
			if !ok || len(args.Positional) > 1 {
				return in.Unknown(value.UnmodelledPython, "a search that is not modelled")
			}
			i := f(s, sub)
			if i < 0 {
				if raises {
					return in.Unknown(value.WillRaise, "a text that is not found: ValueError")
				}
				return value.Value{X: int64(-1)}
			}
			return value.Value{X: int64(utf8.RuneCountInString(s[:i]))}
		}
	}
	affix := func(has func(s, affix string) bool) textMethod {
		return func(in *value.Interp, s string, args *value.Args) value.Value {
			v, _ := args.Get(0, "")
			if t, ok := v.X.(value.Tuple); ok {
				for _, one := range t {
					a, ok := one.X.(string)
					if !ok {
						return in.Unknown(value.WrongType, "a test of something that is not text")
					}
					if has(s, a) {
						return value.Value{X: true}
					}
				}
				return value.Value{X: false}
			}
			a, ok := v.X.(string)
			if !ok || len(args.Positional) > 1 {
				return in.Unknown(value.UnmodelledPython, "a test that is not modelled")
			}
			return value.Value{X: has(s, a)}
		}
	}
	pad := func(align byte) textMethod {
		return func(in *value.Interp, s string, args *value.Args) value.Value {
			width, _ := args.Get(0, "width")
			n, ok := value.Whole(width.X)
			sp := value.Spec{Fill: ' ', Align: align, Width: int(min(max(n, 0), value.MaxText))}
			if fill, given := args.Get(1, "fillchar"); given {
				f, isText := fill.X.(string)
				r, size := utf8.DecodeRuneInString(f)
				ok = ok && isText && size == len(f) && size > 0
				sp.Fill = r
			}
			if !ok {
				return in.Unknown(value.UnmodelledPython, "a width that is not known")
			}
			return in.Str(sp.Pad(s, align))
		}
	}
	rows := library.Table[func(in *value.Interp, s string, args *value.Args) value.Value]{
		"lower": simple(strings.ToLower), "upper": simple(strings.ToUpper), "casefold": simple(strings.ToLower),
		"capitalize": simple(capitalize), "title": simple(title), "swapcase": simple(swapcase),
		"isdigit": test(unicode.IsDigit), "isnumeric": test(unicode.IsDigit), "isdecimal": test(unicode.IsDigit), "isalpha": test(unicode.IsLetter),
		"isspace": test(unicode.IsSpace),
		"isalnum": test(func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }),
		"islower": func(_ *value.Interp, s string, _ *value.Args) value.Value {
			return value.Value{X: strings.ToLower(s) == s && strings.ToUpper(s) != s}
		},
		"isupper": func(_ *value.Interp, s string, _ *value.Args) value.Value {
			return value.Value{X: strings.ToUpper(s) == s && strings.ToLower(s) != s}
		},
		"isidentifier": func(_ *value.Interp, s string, _ *value.Args) value.Value {
			return value.Value{X: s != "" && !unicode.IsDigit([]rune(s)[0]) && !strings.ContainsFunc(s, func(r rune) bool {
				return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
			})}
		},
		"strip": strip(strings.Trim), "lstrip": strip(strings.TrimLeft), "rstrip": strip(strings.TrimRight),
		"find": find(strings.Index, false), "rfind": find(strings.LastIndex, false), "index": find(strings.Index, true), "rindex": find(strings.LastIndex, true),
		"startswith": affix(strings.HasPrefix), "endswith": affix(strings.HasSuffix),
		"ljust": pad('<'), "rjust": pad('>'),
		"zfill": func(in *value.Interp, s string, args *value.Args) value.Value {
			n, ok := value.Whole(value.Positional(args, 0).X)
			if !ok {
				return in.Unknown(value.UnmodelledPython, "a width that is not known")
			}
			return in.Str(value.Spec{Fill: '0', Align: '=', Width: int(min(max(n, 0), value.MaxText))}.Pad(s, '='))
		},
		"count": func(in *value.Interp, s string, args *value.Args) value.Value {
			sub, ok := textArg(args, 0)
			if !ok || len(args.Positional) > 1 {
				return in.Unknown(value.UnmodelledPython, "a count that is not modelled")
			}
			return value.Value{X: int64(strings.Count(s, sub))}
		},
		"replace": func(in *value.Interp, s string, args *value.Args) value.Value {
			old, ok := textArg(args, 0)
			with, ok2 := textArg(args, 1)
			n := int64(-1)
			if v, given := args.Get(2, "count"); given {
				var ok3 bool
				n, ok3 = value.Whole(v.X)
				ok = ok && ok3
			}
			if !ok || !ok2 || len(s)*max(len(with), 1) > 64*value.MaxText {
				return in.Unknown(value.UnmodelledPython, "a replacement that is not modelled")
			}
			return in.Str(strings.Replace(s, old, with, int(n)))
		},
		"removeprefix": func(in *value.Interp, s string, args *value.Args) value.Value {
			p, ok := textArg(args, 0)
			if !ok {
				return in.Unknown(value.WrongType, "a prefix that is not text")
			}
			return value.Value{X: strings.TrimPrefix(s, p)}
		},
		"removesuffix": func(in *value.Interp, s string, args *value.Args) value.Value {
			p, ok := textArg(args, 0)
			if !ok {
				return in.Unknown(value.WrongType, "a suffix that is not text")
			}
			return value.Value{X: strings.TrimSuffix(s, p)}
		},
		"split":      func(in *value.Interp, s string, args *value.Args) value.Value { return split(in, s, args, false) },
		"rsplit":     func(in *value.Interp, s string, args *value.Args) value.Value { return split(in, s, args, true) },
		"splitlines": splitLines,
		"partition": func(in *value.Interp, s string, args *value.Args) value.Value {
			sep, ok := textArg(args, 0)
			if !ok || sep == "" {
				return in.Unknown(value.WrongType, "a separator that is not text")
			}
			before, after, found := strings.Cut(s, sep)
			if !found {
				sep = ""
			}
			return texts(before, sep, after)
		},
		"rpartition": func(in *value.Interp, s string, args *value.Args) value.Value {
			sep, ok := textArg(args, 0)
			if !ok || sep == "" {
				return in.Unknown(value.WrongType, "a separator that is not text")
			}
			i := strings.LastIndex(s, sep)
			if i < 0 {
				return texts("", "", s)
			}
			return texts(s[:i], sep, s[i+len(sep):])
		},
		"join":   join,
		"format": func(in *value.Interp, s string, args *value.Args) value.Value { return formatMethod(in, s, args) },
		"format_map": func(in *value.Interp, s string, args *value.Args) value.Value {
			made := &value.Args{}
			interp.Splat(in, made, value.Positional(args, 0))
			return formatMethod(in, s, made)
		},
	}
	for _, name := range []string{"expandtabs", "encode", "center", "translate"} {
		rows.Add(func(in *value.Interp, _ string, _ *value.Args) value.Value {
			return in.Unknown(value.UnmodelledUse, "the result of str.%s", name)
		}, name)
	}
	return rows
}

func textArg(args *value.Args, i int) (string, bool) {
	s, ok := value.Plain(value.Positional(args, i)).X.(string)
	return s, ok
}

func texts(parts ...string) value.Value {
	t := make(value.Tuple, len(parts))
	for i, p := range parts {
		t[i].X = p
	}
	return value.Value{X: t}
}

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

func splitLines(in *value.Interp, s string, args *value.Args) value.Value {
	if len(args.Positional)+args.Keywords.Len() > 0 {
		return in.Unknown(value.UnmodelledPython, "a split that is not modelled")
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	l := &value.List{}
	if s = strings.TrimSuffix(s, "\n") + "\n"; s != "\n" {
		for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
			l.Items = append(l.Items, value.Value{X: line})
		}
	}
	return value.Value{X: l}
}

func split(in *value.Interp, s string, args *value.Args, right bool) value.Value {
	sep, limited := "", int64(-1)
	if v, ok := args.Get(0, "sep"); ok {
		if _, none := v.X.(value.None); !none {
			if sep, ok = v.X.(string); !ok || sep == "" {
				return in.Unknown(value.WrongType, "a separator that is not text")
			}
		}
	}
	if v, ok := args.Get(1, "maxsplit"); ok {
		if limited, ok = value.Whole(v.X); !ok {
			return in.Unknown(value.UnmodelledPython, "a number of splits that is not known")
		}
	}
	var parts []string
	switch {
	case sep == "" && limited < 0:
		parts = strings.Fields(s)
	case sep == "":
		return in.Unknown(value.UnmodelledPython, "a split that is not modelled")
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
		parts = strings.SplitN(s, sep, int(min(limited, value.MaxText))+1)
	}
	if len(parts) > value.MaxItems || !in.Spend(len(parts)) {
		return in.Unknown(value.TooLong, "a list of too many items to follow")
	}
	l := &value.List{Items: make([]value.Value, len(parts))}
	for i, p := range parts {
		l.Items[i].X = p
	}
	return value.Value{X: l}
}

func join(in *value.Interp, sep string, args *value.Args) value.Value {
	v := value.Positional(args, 0)
	items, ok := interp.Elements(in, v)
	if _, set := v.X.(*value.Set); set && len(items) > 1 {
		ok = false
	}
	if !ok {
		return value.Value{X: value.Unknown{Cause: interp.WhyNotIterable(in, v)}}
	}
	var b strings.Builder
	overridable := false
	for i, item := range items {
		if i > 0 {
			b.WriteString(sep)
		}
		s, ok := value.Plain(item).X.(string)
		if !ok {
			if item.Cause() != nil {
				return value.Value{X: item.X}
			}
			return in.Unknown(value.WillRaise, "a join of something that is not text: TypeError")
		}
		if b.Len()+len(s) > value.MaxText {
			return value.TextTooLong().Unknown()
		}
		b.WriteString(s)
		overridable = overridable || item.Overridable
	}
	out := in.Str(b.String())
	out.Overridable = overridable
	return out
}
