package value

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// text evaluates a string literal, or several that stand beside each other.
func (in *Interp) text(n syntax.Node) Value {
	if n.Kind() == syntax.ConcatenatedString {
		var b strings.Builder
		soft := false
		for c := range n.Children() {
			if c.Kind() != syntax.String {
				continue
			}
			v := in.text(c)
			s, ok := v.X.(string)
			if !ok {
				return v
			}
			b.WriteString(s)
			soft = soft || v.Soft
		}
		return Value{X: b.String(), Lit: n, Soft: soft}
	}
	text := n.Text()
	quote := strings.IndexAny(text, `"'`)
	if quote < 0 {
		return in.Unknown("a string that does not parse")
	}
	prefix := strings.ToLower(text[:quote])
	delimiter := text[quote : quote+1]
	if strings.HasPrefix(text[quote:], strings.Repeat(delimiter, 3)) {
		delimiter = text[quote : quote+3]
	}
	start, end := quote+len(delimiter), len(text)-len(delimiter)
	if end < start {
		return in.Unknown("a string that does not parse")
	}
	switch {
	case strings.Contains(prefix, "b"):
		return in.Unknown("bytes")
	case strings.Contains(prefix, "f"):
		return in.formatted(n, start, end, strings.Contains(prefix, "r"))
	}
	s := text[start:end]
	if !strings.Contains(prefix, "r") {
		var ok bool
		if s, ok = unescape(s); !ok {
			return in.Unknown("a string with an escape that is not modelled")
		}
	}
	return Value{X: s, Lit: n}
}

// unescape replaces Python's escapes.
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

// formatted evaluates an f-string whose text is between two of its bytes.
func (in *Interp) formatted(n syntax.Node, start, end int, raw bool) Value {
	var b strings.Builder
	soft, interpolated := false, false
	at := start
	literal := func(to int) bool {
		s := n.Text()[at:to]
		if !raw {
			var ok bool
			if s, ok = unescape(s); !ok {
				return false
			}
		}
		b.WriteString(strings.NewReplacer("{{", "{", "}}", "}").Replace(s))
		return true
	}
	for c := range n.Children() {
		if c.Kind() != syntax.Interpolation {
			continue
		}
		interpolated = true
		from := c.Start() - n.Start()
		if from < at || from > end || !literal(from) {
			return in.Unknown("a string with an escape that is not modelled")
		}
		at = c.End() - n.Start()
		v := in.interpolation(c)
		s, ok := v.X.(string)
		if !ok {
			return v
		}
		soft = soft || v.Soft
		b.WriteString(s)
	}
	if at > end || !literal(end) {
		return in.Unknown("a string with an escape that is not modelled")
	}
	v := in.str(b.String())
	v.Soft = soft
	if !interpolated {
		v.Lit = n
	}
	return v
}

// interpolation evaluates {expression!conversion:spec}.
func (in *Interp) interpolation(n syntax.Node) Value {
	e := n.Child(syntax.FieldExpression)
	if !e.Valid() {
		return in.Unknown("an f-string that does not parse")
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
	conversion, spec, soft := "", "", v.Soft
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
				soft = soft || inner.Soft
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
	out.Soft = soft
	return out
}

// str is a text, unless it is too long.
func (in *Interp) str(s string) Value {
	if len(s) > maxText || !in.Spend(len(s)/64) {
		return in.Unknown("a text that is too long to follow")
	}
	return Value{X: s}
}

// toText is str(v).
func (in *Interp) toText(v Value) Value {
	switch x := v.X.(type) {
	case string:
		return Value{X: x, Lit: v.Lit, Soft: v.Soft}
	case *Object:
		if _, ok := x.Class.lookup("__str__"); ok {
			return in.CallMethod(x, "__str__", &Args{})
		}
		if x.Class.mixed && x.Class.inheritsAny(func(name string) bool {
			return name == "enum.IntEnum" || name == "enum.StrEnum" || name == "enum.IntFlag"
		}) {
			return in.toText(plain(v))
		}
		if x.Class.members != nil {
			name, _ := x.Attrs.Get("_name_")
			return Value{X: fmt.Sprintf("%s.%s", x.Class.Name, name.X)}
		}
	}
	return in.repr(v)
}

// repr is repr(v).
func (in *Interp) repr(v Value) Value {
	if v.Why() != "" {
		return Value{X: v.X}
	}
	var b strings.Builder
	if why := in.writeRepr(&b, v, 32); why != "" {
		return Value{X: Unknown{why}}
	}
	out := in.str(b.String())
	out.Soft = v.Soft
	return out
}

// Repr is what Python's repr of the value is; ok is false where it is not known.
func (in *Interp) Repr(v Value) (text string, ok bool) {
	text, ok = in.repr(v).X.(string)
	return text, ok
}

func (in *Interp) writeRepr(b *strings.Builder, v Value, depth int) (why string) {
	if depth == 0 || b.Len() > maxText || !in.Spend(1) {
		return "a text that is too long to follow"
	}
	items := func(open, end string, items []Value) string {
		b.WriteString(open)
		for i, v := range items {
			if i > 0 {
				b.WriteString(", ")
			}
			if why := in.writeRepr(b, v, depth-1); why != "" {
				return why
			}
		}
		b.WriteString(end)
		return ""
	}
	switch x := v.X.(type) {
	case int64:
		b.WriteString(strconv.FormatInt(x, 10))
	case float64:
		b.WriteString(formatFloat(x))
	case bool:
		if x {
			b.WriteString("True")
		} else {
			b.WriteString("False")
		}
	case None:
		b.WriteString("None")
	case Ellipsis:
		b.WriteString("Ellipsis")
	case string:
		b.WriteString(quote(x))
	case *List:
		if x.Open != "" {
			return x.Open
		}
		if x.consumed {
			return "the text of an iterator"
		}
		return items("[", "]", x.Items)
	case Tuple:
		if len(x) == 1 {
			return items("(", ",)", x)
		}
		return items("(", ")", x)
	case *Set:
		if x.Open != "" || len(x.Items) > 1 {
			return "the order of a set"
		}
		if len(x.Items) == 0 {
			b.WriteString("set()")
			return ""
		}
		return items("{", "}", x.Items)
	case *Dict:
		if x.Open != "" {
			return x.Open
		}
		if x.missing != nil {
			return "the text of a defaultdict"
		}
		b.WriteString("{")
		for i, key := range x.Keys {
			if i > 0 {
				b.WriteString(", ")
			}
			if why := in.writeRepr(b, key, depth-1); why != "" {
				return why
			}
			b.WriteString(": ")
			if why := in.writeRepr(b, x.Values[i], depth-1); why != "" {
				return why
			}
		}
		b.WriteString("}")
	case Range:
		fmt.Fprintf(b, "range(%d, %d", x.Start, x.Stop)
		if x.Step != 1 {
			fmt.Fprintf(b, ", %d", x.Step)
		}
		b.WriteString(")")
	case External:
		if name, ok := strings.CutPrefix(x.Name, "builtins."); ok && builtinTypes[name] {
			fmt.Fprintf(b, "<class '%s'>", name)
			return ""
		}
		return "the text of " + x.Name
	case *Object:
		return in.reprObject(b, x, depth)
	case Unknown:
		return x.Why
	default:
		return "the text of " + in.describe(v)
	}
	return ""
}

func (in *Interp) reprObject(b *strings.Builder, o *Object, depth int) string {
	if _, ok := o.Class.lookup("__repr__"); ok {
		v := in.CallMethod(o, "__repr__", &Args{})
		s, ok := v.X.(string)
		if !ok {
			return "the text of a " + o.Class.Name
		}
		b.WriteString(s)
		return ""
	}
	if o.Class.members != nil {
		name, _ := o.Attrs.Get("_name_")
		fmt.Fprintf(b, "<%s.%s: ", o.Class.Name, name.X)
		if why := in.writeRepr(b, o.enumValue(), depth-1); why != "" {
			return why
		}
		b.WriteString(">")
		return ""
	}
	if !o.Class.tuple && !o.Class.dataclass() {
		return "the text of a " + o.Class.Name
	}
	b.WriteString(o.Class.Name + "(")
	for i, v := range o.fieldValues() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(o.Class.fields[i].name + "=")
		if why := in.writeRepr(b, v, depth-1); why != "" {
			return why
		}
	}
	b.WriteString(")")
	return ""
}

// formatFloat is repr of a float: the shortest text that reads back as it.
func formatFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// quote is repr of a text.
func quote(s string) string {
	q := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		q = '"'
	}
	var b strings.Builder
	b.WriteByte(q)
	for _, r := range s {
		switch {
		case r == rune(q) || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte(q)
	return b.String()
}

// describe names a value in a message.
func (in *Interp) describe(v Value) string {
	switch x := v.X.(type) {
	case Unknown:
		return x.Why
	case External:
		return x.Name
	case *Object:
		return "a " + x.Class.Name
	case *Class:
		return x.Name
	case *Func:
		return x.Def.Name
	case int64, float64, bool, None, string:
		var b strings.Builder
		in.writeRepr(&b, v, 2)
		if b.Len() > 40 {
			return strings.ToValidUTF8(b.String()[:40], "") + "…"
		}
		return b.String()
	}
	if name := typeName(v); name != "" {
		return "a " + name
	}
	return "a value"
}

// A spec is Python's format specification.
type spec struct {
	fill      rune
	align     byte // < > ^ =, or 0
	sign      byte
	alternate bool
	width     int
	group     byte // , _ or 0
	precision int  // -1 where there is none
	verb      byte // 0 where there is none
}

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

// format is format(v, spec).
func (in *Interp) format(v Value, text string) Value {
	if v.Why() != "" {
		return Value{X: v.X}
	}
	if o, ok := v.X.(*Object); ok && !o.Class.mixed {
		if _, ok := o.Class.lookup("__format__"); ok {
			return in.CallMethod(o, "__format__", &Args{Positional: []Value{{X: text}}})
		}
	}
	if text == "" {
		return in.toText(v)
	}
	s, ok := parseSpec(text)
	if !ok {
		return in.Unknown("the format %q, which is not modelled", text)
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
			return in.Unknown("the format %q of a text", text)
		}
		if s.precision >= 0 && s.precision < utf8.RuneCountInString(x) {
			x = string([]rune(x)[:s.precision])
		}
		return in.str(s.pad(x, '<'))
	default:
		return in.Unknown("the format %q of %s", text, in.describe(v))
	}
	if !ok {
		return in.Unknown("the format %q, which is not modelled", text)
	}
	return in.str(s.pad(body, '>'))
}

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

// signed puts the sign before the digits of a number.
func (s spec) signed(negative bool, digits string) string {
	switch {
	case negative:
		return "-" + digits
	case s.sign == '+' || s.sign == ' ':
		return string(s.sign) + digits
	}
	return digits
}

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
		digits = exponent(strconv.FormatFloat(a, verb|0x20, precision, 64))
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

// general is the format g.
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
		return exponent(mantissa + "e" + e)
	}
	s := strconv.FormatFloat(a, 'f', max(precision-1-x, 0), 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// exponent is left as it is: Go and Python write at least two digits.
func exponent(s string) string { return s }

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

// percent is text % v.
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
				return in.Unknown("%s with a format that does not fit", quote(text))
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
			return in.Unknown("the format %s, which is not modelled", quote(text))
		}
		verb := text[i]
		if verb == '%' {
			b.WriteByte('%')
			continue
		}
		if !have {
			if used == len(args) {
				return in.Unknown("%s with too few values", quote(text))
			}
			arg = args[used]
			used++
		}
		if arg.Why() != "" {
			return Value{X: arg.X}
		}
		s, ok := in.percentOne(flags, verb, plain(arg))
		if !ok {
			return in.Unknown("the format %s of %s", quote("%"+flags+string(verb)), in.describe(arg))
		}
		b.WriteString(s)
	}
	if _, isDict := v.X.(*Dict); used < len(args) && !isDict {
		return in.Unknown("%s with too many values", quote(text))
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
