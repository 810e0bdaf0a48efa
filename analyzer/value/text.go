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

// A Spec is Python's format specification.
type Spec struct {
	Fill      rune
	Align     byte // < > ^ = or 0
	Sign      byte
	Alternate bool
	Width     int
	group     byte // , _ or 0
	Precision int  // -1 if absent
	Verb      byte // 0 if absent
}

// ParseSpec parses a format specification such as ">8.2f".
func ParseSpec(text string) (s Spec, ok bool) {
	s.Fill, s.Precision = ' ', -1
	runes := []rune(text)
	if len(runes) > 1 && strings.ContainsRune("<>^=", runes[1]) {
		s.Fill, s.Align = runes[0], byte(runes[1])
		runes = runes[2:]
	} else if len(runes) > 0 && strings.ContainsRune("<>^=", runes[0]) {
		s.Align = byte(runes[0])
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
	s.Sign = next("+- ")
	s.Alternate = next("#") != 0
	if next("0") != 0 && s.Align == 0 {
		s.Fill, s.Align = '0', '='
	}
	s.Width = max(digits(), 0)
	s.group = next(",_")
	if next(".") != 0 {
		if s.Precision = digits(); s.Precision < 0 {
			return s, false
		}
	}
	s.Verb = next("bcdeEfFgGnosxX%")
	return s, len(runes) == 0 && s.Width < MaxText && s.Precision < 1000
}

// Pad fills a text up to the width.
func (s Spec) Pad(body string, align byte) string {
	if s.Align != 0 {
		align = s.Align
	}
	room := s.Width - utf8.RuneCountInString(body)
	if room <= 0 {
		return body
	}
	fill := strings.Repeat(string(s.Fill), room)
	switch align {
	case '<':
		return body + fill
	case '^':
		half := room / 2
		return strings.Repeat(string(s.Fill), half) + body + strings.Repeat(string(s.Fill), room-half)
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
func (s Spec) signed(negative bool, digits string) string {
	switch {
	case negative:
		return "-" + digits
	case s.Sign == '+' || s.Sign == ' ':
		return string(s.Sign) + digits
	}
	return digits
}

// Whole formats an integer.
func (s Spec) Whole(n int64) (string, bool) {
	base, prefix := 10, ""
	switch s.Verb {
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
		return s.Float(float64(n))
	}
	if s.Precision >= 0 {
		return "", false
	}
	digits := strconv.FormatUint(Magnitude(n), base)
	if s.group != 0 {
		if base != 10 || s.Fill == '0' && s.Align == '=' {
			return "", false
		}
		digits = group(digits, s.group)
	}
	if s.Alternate {
		digits = prefix + digits
	}
	if s.Verb == 'X' {
		digits = strings.ToUpper(digits)
	}
	return s.signed(n < 0, digits), true
}

// Float formats a float.
func (s Spec) Float(f float64) (string, bool) {
	if s.Alternate || s.group != 0 && s.Fill == '0' && s.Align == '=' {
		return "", false
	}
	verb, precision := s.Verb, s.Precision
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
		digits = FormatFloat(a)
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

// Unescape replaces Python's escape sequences.
func Unescape(s string) (string, bool) {
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

var DoubledBraces = strings.NewReplacer("{{", "{", "}}", "}")

// Integer evaluates a literal.
func Integer(n syntax.Node) Value {
	text := strings.ReplaceAll(n.Text(), "_", "")
	i, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		i, err = strconv.ParseInt(text, 0, 64) // 0x1f, 0o17, 0b1
	}
	if err != nil {
		return Because(NumberRange, "the number %s", n.Text()).Unknown()
	}
	return Value{X: i, Lit: n}
}

// ParseFloat parses a number as Python's float does.
func ParseFloat(text string) (float64, bool) {
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

func TextTooLong() *Cause { return Because(TooLong, "a text that is too long to follow") }

// Str returns a text value, or Unknown if the text is too long.
func (b *Bounds) Str(s string) Value {
	if len(s) > MaxText || !b.Spend(len(s)/64) {
		return TextTooLong().Unknown()
	}
	return Value{X: s}
}

// FormatFloat returns Python's repr of a float: the shortest text that reads back as
// the same number.
func FormatFloat(f float64) string {
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

// Quote returns Python's repr of a text.
func Quote(s string) string {
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

func ContainsText(s, sub string) bool { return strings.Contains(s, sub) }
