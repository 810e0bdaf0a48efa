package value

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// method is a method of a value of one of Python's own types.
func method(v Value, name string) (Method, bool) {
	switch x := v.X.(type) {
	case string:
		if f, ok := textMethods[name]; ok {
			return func(in *Interp, args *Args) Value {
				return in.callNative(native{run: func(in *Interp, args *Args) Value { return f(in, x, args) }}, args)
			}, true
		}
	case *List:
		if f, ok := listMethods[name]; ok {
			return func(in *Interp, args *Args) Value { return f(in, x, args) }, true
		}
	case Tuple:
		if name == "index" || name == "count" {
			l := &List{Items: x}
			return func(in *Interp, args *Args) Value { return listMethods[name](in, l, args) }, true
		}
	case *Dict:
		if f, ok := dictMethods[name]; ok {
			return func(in *Interp, args *Args) Value { return f(in, x, args) }, true
		}
	case *Set:
		if f, ok := setMethods[name]; ok {
			return func(in *Interp, args *Args) Value { return f(in, x, args) }, true
		}
	case Range:
		if name == "index" || name == "count" {
			return func(in *Interp, args *Args) Value {
				items, ok := in.Iterate(v)
				if !ok {
					return in.Unknown("a place in a long range")
				}
				return listMethods[name](in, &List{Items: items}, args)
			}, true
		}
	case float64:
		if name == "is_integer" {
			return func(*Interp, *Args) Value { return Value{X: x == math.Trunc(x) && !math.IsInf(x, 0)} }, true
		}
	case int64:
		if name == "bit_length" {
			return func(*Interp, *Args) Value {
				n := int64(0)
				for m := magnitude(x); m > 0; m >>= 1 {
					n++
				}
				return Value{X: n}
			}, true
		}
	}
	return nil, false
}

var nothingMade = Value{X: None{}}

type textMethod func(in *Interp, s string, args *Args) Value

var textMethods map[string]textMethod

func init() {
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
						return in.Unknown("a strip of what is no text")
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
				return in.Unknown("a search that is not modelled")
			}
			i := f(s, sub)
			if i < 0 {
				if raises {
					return in.Unknown("a text that is not found: ValueError")
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
						return in.Unknown("a test of what is no text")
					}
					if has(s, a) {
						return Value{X: true}
					}
				}
				return Value{X: false}
			}
			a, ok := v.X.(string)
			if !ok || len(args.Positional) > 1 {
				return in.Unknown("a test that is not modelled")
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
				return in.Unknown("a width that is not known")
			}
			return in.str(sp.pad(s, align))
		}
	}
	textMethods = map[string]textMethod{
		"lower": simple(strings.ToLower), "upper": simple(strings.ToUpper), "casefold": simple(strings.ToLower),
		"capitalize": simple(capitalize), "title": simple(title), "swapcase": simple(swapcase), "expandtabs": nil, "encode": nil,
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
		"ljust": pad('<'), "rjust": pad('>'), "center": nil,
		"zfill": func(in *Interp, s string, args *Args) Value {
			n, ok := whole(at(args, 0).X)
			if !ok {
				return in.Unknown("a width that is not known")
			}
			return in.str(spec{fill: '0', align: '=', width: int(min(max(n, 0), maxText))}.pad(s, '='))
		},
		"count": func(in *Interp, s string, args *Args) Value {
			sub, ok := textArg(args, 0)
			if !ok || len(args.Positional) > 1 {
				return in.Unknown("a count that is not modelled")
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
				return in.Unknown("a replacement that is not modelled")
			}
			return in.str(strings.Replace(s, old, with, int(n)))
		},
		"removeprefix": func(in *Interp, s string, args *Args) Value {
			p, ok := textArg(args, 0)
			if !ok {
				return in.Unknown("a prefix that is no text")
			}
			return Value{X: strings.TrimPrefix(s, p)}
		},
		"removesuffix": func(in *Interp, s string, args *Args) Value {
			p, ok := textArg(args, 0)
			if !ok {
				return in.Unknown("a suffix that is no text")
			}
			return Value{X: strings.TrimSuffix(s, p)}
		},
		"split":      func(in *Interp, s string, args *Args) Value { return in.split(s, args, false) },
		"rsplit":     func(in *Interp, s string, args *Args) Value { return in.split(s, args, true) },
		"splitlines": splitLines,
		"partition": func(in *Interp, s string, args *Args) Value {
			sep, ok := textArg(args, 0)
			if !ok || sep == "" {
				return in.Unknown("a separator that is no text")
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
				return in.Unknown("a separator that is no text")
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
			in.splat(made, at(args, 0))
			return in.formatMethod(s, made)
		},
	}
	for _, name := range []string{"expandtabs", "encode", "center", "translate"} {
		textMethods[name] = func(in *Interp, _ string, _ *Args) Value { return in.Unknown("the result of str.%s", name) }
	}
}

func at(args *Args, i int) Value {
	v, _ := args.Get(i, "")
	return v
}

func textArg(args *Args, i int) (string, bool) {
	s, ok := plain(at(args, i)).X.(string)
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
	if len(args.Positional)+len(args.Keywords) > 0 {
		return in.Unknown("a split that is not modelled")
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
				return in.Unknown("a separator that is no text")
			}
		}
	}
	if v, ok := args.Get(1, "maxsplit"); ok {
		if limited, ok = whole(v.X); !ok {
			return in.Unknown("a number of splits that is not known")
		}
	}
	var parts []string
	switch {
	case sep == "" && limited < 0:
		parts = strings.Fields(s)
	case sep == "":
		return in.Unknown("a split that is not modelled")
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
		return in.Unknown("a list of too many items to follow")
	}
	l := &List{Items: make([]Value, len(parts))}
	for i, p := range parts {
		l.Items[i].X = p
	}
	return Value{X: l}
}

func join(in *Interp, sep string, args *Args) Value {
	v := at(args, 0)
	items, ok := in.elements(v)
	if _, set := v.X.(*Set); set && len(items) > 1 {
		ok = false
	}
	if !ok {
		return Value{X: Unknown{in.whyNotIterable(v)}}
	}
	var b strings.Builder
	soft := false
	for i, item := range items {
		if i > 0 {
			b.WriteString(sep)
		}
		s, ok := plain(item).X.(string)
		if !ok {
			if item.Why() != "" {
				return Value{X: item.X}
			}
			return in.Unknown("a join of what is no text: TypeError")
		}
		if b.Len()+len(s) > maxText {
			return in.Unknown("a text that is too long to follow")
		}
		b.WriteString(s)
		soft = soft || item.Soft
	}
	out := in.str(b.String())
	out.Soft = soft
	return out
}

// formatMethod is text.format(…).
func (in *Interp) formatMethod(text string, args *Args) Value {
	var b strings.Builder
	auto := int64(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '{' && c != '}' {
			b.WriteByte(c)
			continue
		}
		if i+1 < len(text) && text[i+1] == c {
			b.WriteByte(c)
			i++
			continue
		}
		end := closing(text, i)
		if c == '}' || end < 0 {
			return in.Unknown("the format %s", quote(text))
		}
		v := in.replacement(text[i+1:end], args, &auto)
		s, ok := v.X.(string)
		if !ok {
			return v
		}
		b.WriteString(s)
		i = end
	}
	return in.str(b.String())
}

// closing is where the brace that opens at i closes, or -1.
func closing(text string, i int) int {
	depth := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// replacement is {field!conversion:spec} in a text that is formatted.
func (in *Interp) replacement(text string, args *Args, auto *int64) Value {
	name, spec, _ := strings.Cut(text, ":")
	name, conversion, _ := strings.Cut(name, "!")
	for strings.Contains(spec, "{") {
		open := strings.IndexByte(spec, '{')
		end := closing(spec, open)
		if end < 0 {
			return in.Unknown("the format %s", quote(text))
		}
		v := in.replacement(spec[open+1:end], args, auto)
		s, ok := v.X.(string)
		if !ok || strings.Contains(s, "{") {
			return in.Unknown("the format %s", quote(text))
		}
		spec = spec[:open] + s + spec[end+1:]
	}
	cut := strings.IndexAny(name, ".[")
	first, path := name, ""
	if cut >= 0 {
		first, path = name[:cut], name[cut:]
	}
	if first == "" {
		first = formatInt(*auto)
		*auto++
	}
	var v Value
	if n, ok := parseInt(first); ok {
		if n >= int64(len(args.Positional)) {
			return in.Unknown("%s with too few values", quote(text))
		}
		v = args.Positional[n]
	} else if v, ok = args.Keywords[first]; !ok {
		return in.Unknown("%s without %s", quote(text), first)
	}
	for path != "" {
		if path[0] == '.' {
			end := strings.IndexAny(path[1:], ".[") + 1
			if end == 0 {
				end = len(path)
			}
			v, path = in.Attr(v, path[1:end]), path[end:]
			continue
		}
		end := strings.IndexByte(path, ']')
		if end < 0 {
			return in.Unknown("the format %s", quote(text))
		}
		index := Value{X: path[1:end]}
		if n, ok := parseInt(path[1:end]); ok {
			index.X = n
		}
		v, path = in.Index(v, index), path[end+1:]
	}
	switch conversion {
	case "r":
		v = in.repr(v)
	case "s":
		v = in.toText(v)
	}
	return in.format(v, spec)
}

var listMethods map[string]func(in *Interp, l *List, args *Args) Value

func init() {
	listMethods = map[string]func(in *Interp, l *List, args *Args) Value{
		"append": func(in *Interp, l *List, args *Args) Value {
			in.Append(l, at(args, 0))
			return nothingMade
		},
		"extend": func(in *Interp, l *List, args *Args) Value {
			in.extend(l, at(args, 0))
			return nothingMade
		},
		"insert": func(in *Interp, l *List, args *Args) Value {
			if l.Open != "" {
				return nothingMade
			}
			i, ok := whole(plain(at(args, 0)).X)
			if !ok {
				in.forget(l, "an item is inserted at a place that is not known")
				return nothingMade
			}
			n := int64(len(l.Items))
			if i < 0 {
				i = max(i+n, 0)
			}
			in.change(l, slices.Insert(slices.Clone(l.Items), int(min(i, n)), at(args, 1)))
			return nothingMade
		},
		"pop":    popItem,
		"remove": removeItem,
		"reverse": func(in *Interp, l *List, _ *Args) Value {
			items := slices.Clone(l.Items)
			slices.Reverse(items)
			in.change(l, items)
			return nothingMade
		},
		"sort": func(in *Interp, l *List, args *Args) Value {
			if l.Open != "" {
				return nothingMade
			}
			if items, why := in.sort(slices.Clone(l.Items), args); why != "" {
				in.forget(l, why)
			} else {
				in.change(l, items)
			}
			return nothingMade
		},
		"clear": func(in *Interp, l *List, _ *Args) Value {
			in.touch(l)
			*l = List{}
			return nothingMade
		},
		"copy": func(in *Interp, l *List, _ *Args) Value {
			return Value{X: &List{Items: slices.Clone(l.Items), Open: l.Open}}
		},
		"index": func(in *Interp, l *List, args *Args) Value {
			if l.Open != "" {
				return Value{X: Unknown{l.Open}}
			}
			if len(args.Positional) > 1 {
				return in.Unknown("a search that is not modelled")
			}
			item := at(args, 0)
			for i, v := range l.Items {
				t, known := equal(v, item, 16)
				if !known {
					return in.Unknown("the place of %s in a list", in.describe(item))
				}
				if t {
					return Value{X: int64(i)}
				}
			}
			return in.Unknown("%s is not in a list: ValueError", in.describe(item))
		},
		"count": func(in *Interp, l *List, args *Args) Value {
			if l.Open != "" {
				return Value{X: Unknown{l.Open}}
			}
			n := int64(0)
			for _, v := range l.Items {
				t, known := equal(v, at(args, 0), 16)
				if !known {
					return in.Unknown("how often %s is in a list", in.describe(at(args, 0)))
				}
				if t {
					n++
				}
			}
			return Value{X: n}
		},
	}
}

func popItem(in *Interp, l *List, args *Args) Value {
	if l.Open != "" {
		return Value{X: Unknown{l.Open}}
	}
	i := int64(-1)
	if v, given := args.Get(0, ""); given {
		var ok bool
		if i, ok = whole(plain(v).X); !ok {
			in.forget(l, "an item that is not known is removed")
			return Value{X: v.X}
		}
	}
	if !inRange(&i, int64(len(l.Items))) {
		return in.Unknown("a list that is too short: IndexError")
	}
	v := l.Items[i]
	in.change(l, slices.Delete(slices.Clone(l.Items), int(i), int(i)+1))
	return v
}

func removeItem(in *Interp, l *List, args *Args) Value {
	if l.Open != "" {
		return nothingMade
	}
	for i, v := range l.Items {
		t, known := equal(v, at(args, 0), 16)
		if !known {
			in.forget(l, "an item that is not known is removed")
			return nothingMade
		}
		if t {
			in.change(l, slices.Delete(slices.Clone(l.Items), i, i+1))
			break
		}
	}
	return nothingMade
}

// sort orders items as sorted does. It is why the order is not known, or empty.
func (in *Interp) sort(items []Value, args *Args) (sorted []Value, why string) {
	keys := items
	if key, ok := args.Keywords["key"]; ok && key.X != (None{}) {
		keys = make([]Value, len(items))
		for i, v := range items {
			keys[i] = in.Call(key, &Args{Positional: []Value{v}})
		}
	}
	reverse := false
	if v, ok := args.Keywords["reverse"]; ok {
		if reverse, ok = in.Truth(v); !ok {
			return nil, v.Why()
		}
	}
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	if !in.Spend(len(items) * 4) {
		return nil, tooLong
	}
	slices.SortStableFunc(order, func(i, j int) int {
		c, known := compare(plain(keys[i]), plain(keys[j]), 16)
		if (!known || c == unordered) && why == "" {
			why = "the order of " + in.describe(keys[i]) + " and " + in.describe(keys[j])
		}
		if reverse {
			return -c
		}
		return c
	})
	if why != "" {
		return nil, why
	}
	sorted = make([]Value, len(items))
	for i, from := range order {
		sorted[i] = items[from]
	}
	return sorted, ""
}

var dictMethods map[string]func(in *Interp, d *Dict, args *Args) Value

func init() {
	listing := func(item func(key, v Value) Value) func(in *Interp, d *Dict, args *Args) Value {
		return func(in *Interp, d *Dict, _ *Args) Value {
			if d.Open != "" {
				l := opened(d.Open, false)
				return Value{X: &l}
			}
			l := &List{Items: make([]Value, len(d.Keys))}
			for i, key := range d.Keys {
				l.Items[i] = item(key, d.Values[i])
			}
			in.Spend(len(d.Keys))
			return Value{X: l}
		}
	}
	dictMethods = map[string]func(in *Interp, d *Dict, args *Args) Value{
		"keys":   listing(func(key, _ Value) Value { return key }),
		"values": listing(func(_, v Value) Value { return v }),
		"items":  listing(func(key, v Value) Value { return Value{X: Tuple{key, v}} }),
		"get":    func(in *Interp, d *Dict, args *Args) Value { return in.dictGet(d, args, false, false) },
		"pop":    func(in *Interp, d *Dict, args *Args) Value { return in.dictGet(d, args, true, false) },
		"setdefault": func(in *Interp, d *Dict, args *Args) Value {
			return in.dictGet(d, args, false, true)
		},
		"update": func(in *Interp, d *Dict, args *Args) Value {
			for _, v := range args.Positional {
				in.update(d, v)
			}
			if args.Open != "" {
				in.openDict(d, args.Open)
			}
			in.touch(d)
			for _, name := range args.names() {
				d.put(Value{X: name}, args.Keywords[name])
			}
			return nothingMade
		},
		"copy": func(in *Interp, d *Dict, _ *Args) Value { return Value{X: in.copyDict(d)} },
		"clear": func(in *Interp, d *Dict, _ *Args) Value {
			in.touch(d)
			*d = Dict{missing: d.missing}
			return nothingMade
		},
		"popitem": func(in *Interp, d *Dict, _ *Args) Value {
			if d.Open != "" || len(d.Keys) == 0 {
				return in.Unknown("the last item of a dict (%s)", d.Open)
			}
			last := len(d.Keys) - 1
			v := Value{X: Tuple{d.Keys[last], d.Values[last]}}
			in.touch(d)
			d.remove(d.Keys[last])
			return v
		},
		"move_to_end": func(in *Interp, d *Dict, args *Args) Value {
			if v, ok := d.get(at(args, 0)); ok && d.Open == "" && len(args.Positional) == 1 && args.Keywords == nil {
				in.touch(d)
				d.remove(at(args, 0))
				d.put(at(args, 0), v)
			} else {
				in.openDict(d, "the order of a dict")
			}
			return nothingMade
		},
	}
}

// dictGet is get, pop and setdefault.
func (in *Interp) dictGet(d *Dict, args *Args, remove, set bool) Value {
	key := at(args, 0)
	standard, given := args.Get(1, "default")
	if !given {
		standard = nothingMade
	}
	if !hashable(key) {
		if remove || set {
			in.openDict(d, "a key that is not known")
		}
		if why := key.Why(); why != "" {
			return Value{X: Unknown{why}}
		}
		return in.Unknown("a key that is not known")
	}
	v, ok := d.get(key)
	switch {
	case ok:
		if remove {
			in.touch(d)
			d.remove(key)
		}
		v.Soft = v.Soft || key.Soft
		return v
	case d.Open != "":
		v = Value{X: Unknown{d.Open}}
	case remove && !given:
		return in.Unknown("the key %s, which is not in a dict: KeyError", in.describe(key))
	default:
		v = standard
	}
	if set {
		in.touch(d)
		d.put(key, v)
	}
	return v
}

var setMethods map[string]func(in *Interp, s *Set, args *Args) Value

func init() {
	operator := func(op string) func(in *Interp, s *Set, args *Args) Value {
		return func(in *Interp, s *Set, args *Args) Value {
			result := Value{X: s}
			for _, v := range args.Positional {
				items, ok := in.elements(v)
				if !ok {
					return Value{X: &Set{Open: in.whyNotIterable(v)}}
				}
				result = in.sets(op, result.X.(*Set), in.makeSet(items, "").X.(*Set))
				if _, ok := result.X.(*Set); !ok {
					return result
				}
			}
			return result
		}
	}
	remove := func(in *Interp, s *Set, args *Args) Value {
		in.touch(s)
		item := at(args, 0)
		if !hashable(item) {
			*s = Set{Open: "an item that is not known is removed"}
			return nothingMade
		}
		s.Items = slices.DeleteFunc(slices.Clone(s.Items), func(v Value) bool { return contains([]Value{v}, item) })
		return nothingMade
	}
	setMethods = map[string]func(in *Interp, s *Set, args *Args) Value{
		"add": func(in *Interp, s *Set, args *Args) Value {
			in.addAll(s, Value{X: Tuple{at(args, 0)}})
			return nothingMade
		},
		"update": func(in *Interp, s *Set, args *Args) Value {
			for _, v := range args.Positional {
				in.addAll(s, v)
			}
			return nothingMade
		},
		"remove": remove, "discard": remove,
		"union": operator("|"), "intersection": operator("&"), "difference": operator("-"), "symmetric_difference": operator("^"),
		"copy": func(in *Interp, s *Set, _ *Args) Value {
			return Value{X: &Set{Items: slices.Clone(s.Items), Open: s.Open}}
		},
		"issubset": func(in *Interp, s *Set, args *Args) Value {
			items, ok := in.elements(at(args, 0))
			if !ok || s.Open != "" {
				return in.Unknown("what is in a set")
			}
			return Value{X: !slices.ContainsFunc(s.Items, func(v Value) bool { return !contains(items, v) })}
		},
	}
}

// makeSet is a set of the items, each once.
func (in *Interp) makeSet(items []Value, open string) Value {
	s := &Set{Open: open}
	in.addAll(s, Value{X: Tuple(items)})
	return Value{X: s}
}

func (in *Interp) addAll(s *Set, v Value) {
	items, ok := in.elements(v)
	in.touch(s)
	if !ok {
		*s = Set{Open: in.whyNotIterable(v)}
		return
	}
	for _, item := range items {
		if !hashable(item) {
			s.Open = "an item that is not known (" + item.Why() + ")"
			continue
		}
		if in.Spend(len(s.Items)/8) && !contains(s.Items, item) && len(s.Items) < maxItems {
			s.Items = append(s.Items, item)
		}
	}
}

// elements is the items of v where their order does not matter.
func (in *Interp) elements(v Value) ([]Value, bool) {
	if s, ok := v.X.(*Set); ok {
		return slices.Clone(s.Items), s.Open == ""
	}
	return in.Iterate(v)
}

// sets is a op b for two sets.
func (in *Interp) sets(op string, a, b *Set) Value {
	for _, s := range []*Set{a, b} {
		if s.Open != "" {
			return Value{X: &Set{Open: s.Open}}
		}
	}
	if !in.Spend(len(a.Items) * len(b.Items) / 8) {
		return Value{X: Unknown{tooLong}}
	}
	out := &Set{}
	for _, v := range a.Items {
		if op == "|" || op == "&" && contains(b.Items, v) || (op == "-" || op == "^") && !contains(b.Items, v) {
			out.Items = append(out.Items, v)
		}
	}
	if op == "|" || op == "^" {
		for _, v := range b.Items {
			if !contains(a.Items, v) {
				out.Items = append(out.Items, v)
			}
		}
	}
	if !strings.Contains("|&-^", op) {
		return in.Unknown("%s of sets", op)
	}
	return Value{X: out}
}
