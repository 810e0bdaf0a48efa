package value

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A spec is Python's format specification.
type spec struct {
	fill      rune
	align     byte // < > ^ = or 0
	sign      byte
	alternate bool
	width     int
	group     byte // , _ or 0
	precision int  // -1 if absent
	verb      byte // 0 if absent
}

// parseSpec parses a format specification such as ">8.2f".
func parseSpec(text string) (s spec, ok bool) {
	s.fill, s.precision = ' ', -1
	runes := []rune(text)
	if len(runes) > 1 && strings.ContainsRune("<>^=", runes[1]) {
		s.fill, s.align = runes[0], byte(runes[1])
		runes = runes[2:]
	} else if len(runes) > 0 && strings.ContainsRune("<>^=", runes[0]) {
		s.align = byte(runes[0])
		runes = runes[1:]
	}
	next := func(set string) byte {
		if len(runes) > 0 && runes[0] < 0x80 && strings.ContainsRune(set, runes[0]) {
			c := byte(runes[0])
			runes = runes[1:]
			return c
		}
		return 0
	}
	digits := func() int {
		n, any := 0, false
		for len(runes) > 0 && runes[0] >= '0' && runes[0] <= '9' && n < 1<<20 {
			n, any = n*10+int(runes[0]-'0'), true
			runes = runes[1:]
		}
		if !any {
			return -1
		}
		return n
	}
	s.sign = next("+- ")
	s.alternate = next("#") != 0
	if next("0") != 0 && s.align == 0 {
		s.fill, s.align = '0', '='
	}
	s.width = max(digits(), 0)
	s.group = next(",_")
	if next(".") != 0 {
		if s.precision = digits(); s.precision < 0 {
			return s, false
		}
	}
	s.verb = next("bcdeEfFgGnosxX%")
	return s, len(runes) == 0 && s.width < maxText && s.precision < 1000
}

// format evaluates format(v, spec).
func (in *Interp) format(v Value, text string) Value {
	if v.Cause() != nil {
		return Value{X: v.X}
	}
	if o, ok := v.X.(*Instance); ok && !o.Class.mixed {
		if _, ok := o.Class.lookup("__format__"); ok {
			return in.CallMethod(o, "__format__", &Args{Positional: []Value{{X: text}}})
		}
	}
	if text == "" {
		return in.toText(v)
	}
	s, ok := parseSpec(text)
	if !ok {
		return in.Unknown(UnmodelledPython, "the format %q, which is not modelled", text)
	}
	v = plain(v)
	var body string
	switch x := v.X.(type) {
	case int64:
		body, ok = s.whole(x)
	case bool:
		n, _ := whole(x)
		body, ok = s.whole(n)
	case float64:
		body, ok = s.float(x)
	case string:
		if s.verb != 0 && s.verb != 's' || s.align == '=' {
			return in.Unknown(UnmodelledPython, "the format %q of a text", text)
		}
		if s.precision >= 0 && s.precision < utf8.RuneCountInString(x) {
			x = string([]rune(x)[:s.precision])
		}
		return in.str(s.pad(x, '<'))
	default:
		return in.Unknown(UnmodelledPython, "the format %q of %s", text, in.describe(v))
	}
	if !ok {
		return in.Unknown(UnmodelledPython, "the format %q, which is not modelled", text)
	}
	return in.str(s.pad(body, '>'))
}

// pad fills a text up to the width.
func (s spec) pad(body string, align byte) string {
	if s.align != 0 {
		align = s.align
	}
	room := s.width - utf8.RuneCountInString(body)
	if room <= 0 {
		return body
	}
	fill := strings.Repeat(string(s.fill), room)
	switch align {
	case '<':
		return body + fill
	case '^':
		half := room / 2
		return strings.Repeat(string(s.fill), half) + body + strings.Repeat(string(s.fill), room-half)
	case '=':
		sign := 0
		if body != "" && strings.ContainsRune("+- ", rune(body[0])) {
			sign = 1
		}
		return body[:sign] + fill + body[sign:]
	}
	return fill + body
}

// signed adds the sign to the digits of a number.
func (s spec) signed(negative bool, digits string) string {
	switch {
	case negative:
		return "-" + digits
	case s.sign == '+' || s.sign == ' ':
		return string(s.sign) + digits
	}
	return digits
}

// whole formats an integer.
func (s spec) whole(n int64) (string, bool) {
	base, prefix := 10, ""
	switch s.verb {
	case 0, 'd', 'n':
	case 'b':
		base, prefix = 2, "0b"
	case 'o':
		base, prefix = 8, "0o"
	case 'x', 'X':
		base, prefix = 16, "0x"
	case 'c':
		return string(rune(n)), utf8.ValidRune(rune(n)) && n == int64(rune(n))
	default:
		return s.float(float64(n))
	}
	if s.precision >= 0 {
		return "", false
	}
	digits := strconv.FormatUint(magnitude(n), base)
	if s.group != 0 {
		if base != 10 || s.fill == '0' && s.align == '=' {
			return "", false
		}
		digits = group(digits, s.group)
	}
	if s.alternate {
		digits = prefix + digits
	}
	if s.verb == 'X' {
		digits = strings.ToUpper(digits)
	}
	return s.signed(n < 0, digits), true
}

// float formats a float.
func (s spec) float(f float64) (string, bool) {
	if s.alternate || s.group != 0 && s.fill == '0' && s.align == '=' {
		return "", false
	}
	verb, precision := s.verb, s.precision
	percent := ""
	if verb == '%' {
		f, verb, percent = f*100, 'f', "%"
	}
	var digits string
	a := math.Abs(f)
	switch {
	case math.IsInf(f, 0):
		digits = "inf"
	case math.IsNaN(f):
		digits = "nan"
	case verb == 0 && precision < 0:
		digits = formatFloat(a)
	case verb == 0:
		digits = general(a, precision)
		if !strings.ContainsAny(digits, ".e") {
			digits += ".0"
		}
	case verb == 'g' || verb == 'G' || verb == 'n':
		if precision < 0 {
			precision = 6
		}
		digits = general(a, precision)
	default:
		if precision < 0 {
			precision = 6
		}
		digits = strconv.FormatFloat(a, verb|0x20, precision, 64)
	}
	if verb == 'E' || verb == 'G' || verb == 'F' {
		digits = strings.ToUpper(digits)
	}
	if s.group != 0 {
		whole, rest, point := strings.Cut(digits, ".")
		digits = group(whole, s.group)
		if point {
			digits += "." + rest
		}
	}
	return s.signed(math.Signbit(f) && !math.IsNaN(f), digits+percent), true
}

// general formats a number in the format g.
func general(a float64, precision int) string {
	precision = max(precision, 1)
	scientific := strconv.FormatFloat(a, 'e', precision-1, 64)
	_, e, _ := strings.Cut(scientific, "e")
	x, _ := strconv.Atoi(e)
	if a != 0 && (x < -4 || x >= precision) {
		mantissa, e, _ := strings.Cut(scientific, "e")
		if strings.Contains(mantissa, ".") {
			mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
		}
		return mantissa + "e" + e
	}
	s := strconv.FormatFloat(a, 'f', max(precision-1-x, 0), 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func group(digits string, by byte) string {
	var parts []string
	for len(digits) > 3 {
		parts = append(parts, digits[len(digits)-3:])
		digits = digits[:len(digits)-3]
	}
	parts = append(parts, digits)
	slices.Reverse(parts)
	return strings.Join(parts, string(by))
}

// percent evaluates text % v.
func (in *Interp) percent(text string, v Value) Value {
	var args []Value
	if t, ok := v.X.(Tuple); ok {
		args = t
	} else {
		args = []Value{v}
	}
	var b strings.Builder
	used := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			b.WriteByte(text[i])
			continue
		}
		i++
		var arg Value
		have := false
		if i < len(text) && text[i] == '(' {
			end := strings.IndexByte(text[i:], ')')
			d, ok := v.X.(*Dict)
			if end < 0 || !ok {
				return in.Unknown(UnmodelledPython, "%s with a format that does not fit", quote(text))
			}
			arg = in.dictItem(d, Value{X: text[i+1 : i+end]})
			have = true
			i += end + 1
		}
		start := i
		for i < len(text) && strings.IndexByte("#0- +.123456789*", text[i]) >= 0 {
			i++
		}
		flags := text[start:i]
		if i == len(text) || strings.Contains(flags, "*") {
			return in.Unknown(UnmodelledPython, "the format %s, which is not modelled", quote(text))
		}
		verb := text[i]
		if verb == '%' {
			b.WriteByte('%')
			continue
		}
		if !have {
			if used == len(args) {
				return in.Unknown(MissingArgument, "%s with too few values", quote(text))
			}
			arg = args[used]
			used++
		}
		if arg.Cause() != nil {
			return Value{X: arg.X}
		}
		s, ok := in.percentOne(flags, verb, plain(arg))
		if !ok {
			return in.Unknown(UnmodelledPython, "the format %s of %s", quote("%"+flags+string(verb)), in.describe(arg))
		}
		b.WriteString(s)
	}
	if _, isDict := v.X.(*Dict); used < len(args) && !isDict {
		return in.Unknown(MissingArgument, "%s with too many values", quote(text))
	}
	return in.str(b.String())
}

func (in *Interp) percentOne(flags string, verb byte, v Value) (string, bool) {
	left := strings.ContainsRune(strings.TrimLeft(flags, "#0 +"), '-') || strings.Contains(flags, "-")
	sign := byte(0)
	if strings.Contains(flags, "+") {
		sign = '+'
	} else if strings.Contains(flags, " ") {
		sign = ' '
	}
	rest := strings.TrimLeft(flags, "#- +0")
	zero := strings.Contains(strings.TrimRight(flags, ".123456789"), "0") && strings.HasPrefix(strings.TrimLeft(flags, "#- +"), "0")
	s := spec{fill: ' ', align: '>', sign: sign, precision: -1, alternate: strings.Contains(flags, "#")}
	width, precision, point := strings.Cut(rest, ".")
	s.width, _ = strconv.Atoi(width)
	if point {
		s.precision, _ = strconv.Atoi(precision)
	}
	if s.width > 1<<16 || s.precision > 1000 {
		return "", false
	}
	if left {
		s.align = '<'
	} else if zero && verb != 's' && verb != 'r' {
		s.fill, s.align = '0', '='
	}
	switch verb {
	case 's', 'r', 'a':
		t := in.toText(v)
		if verb != 's' {
			t = in.repr(v)
		}
		text, ok := t.X.(string)
		if ok && s.precision >= 0 && s.precision < utf8.RuneCountInString(text) {
			text = string([]rune(text)[:s.precision])
		}
		return s.pad(text, '>'), ok
	case 'c':
		if text, ok := v.X.(string); ok {
			return s.pad(text, '>'), utf8.RuneCountInString(text) == 1
		}
		fallthrough
	case 'd', 'i', 'u', 'x', 'X', 'o':
		f, isFloat := v.X.(float64)
		n, ok := whole(v.X)
		if isFloat && verb != 'x' && verb != 'X' && verb != 'o' && math.Abs(f) < 1<<53 {
			n, ok = int64(f), true
		}
		s.verb = verb
		if verb == 'i' || verb == 'u' {
			s.verb = 'd'
		}
		if !ok || s.precision >= 0 {
			return "", false
		}
		body, ok := s.whole(n)
		return s.pad(body, '>'), ok
	case 'f', 'F', 'e', 'E', 'g', 'G':
		f, ok := number(v.X)
		if !ok {
			return "", false
		}
		s.verb = verb
		s.alternate = false
		body, ok := s.float(f)
		return s.pad(body, '>'), ok
	}
	return "", false
}

// formatMethod evaluates text.format(…).
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
			return in.Unknown(UnmodelledPython, "the format %s", quote(text))
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

// closing returns the position of the brace that closes the one at i, or -1.
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

// replacement evaluates {field!conversion:spec} in a format string.
func (in *Interp) replacement(text string, args *Args, auto *int64) Value {
	name, spec, _ := strings.Cut(text, ":")
	name, conversion, _ := strings.Cut(name, "!")
	for strings.Contains(spec, "{") {
		open := strings.IndexByte(spec, '{')
		end := closing(spec, open)
		if end < 0 {
			return in.Unknown(UnmodelledPython, "the format %s", quote(text))
		}
		v := in.replacement(spec[open+1:end], args, auto)
		s, ok := v.X.(string)
		if !ok || strings.Contains(s, "{") {
			return in.Unknown(UnmodelledPython, "the format %s", quote(text))
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
			return in.Unknown(MissingArgument, "%s with too few values", quote(text))
		}
		v = args.Positional[n]
	} else if v, ok = args.Keywords.Get(first); !ok {
		return in.Unknown(MissingArgument, "%s without %s", quote(text), first)
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
			return in.Unknown(UnmodelledPython, "the format %s", quote(text))
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
