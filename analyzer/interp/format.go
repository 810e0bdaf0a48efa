package interp

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/value"
)

// Format evaluates format(v, spec).
func Format(in *value.Interp, v value.Value, text string) value.Value {
	if v.Cause() != nil {
		return value.Value{X: v.X}
	}
	if o, ok := v.X.(*value.Instance); ok && !o.Class.Mixed {
		if _, ok := o.Class.Lookup("__format__"); ok {
			return CallMethod(in, o, "__format__", &value.Args{Positional: []value.Value{{X: text}}})
		}
	}
	if text == "" {
		return ToText(in, v)
	}
	s, ok := value.ParseSpec(text)
	if !ok {
		return in.Unknown(value.UnmodelledPython, "the format %q is not modelled", text)
	}
	v = value.Plain(v)
	var body string
	switch x := v.X.(type) {
	case int64:
		body, ok = s.Whole(x)
	case bool:
		n, _ := value.Whole(x)
		body, ok = s.Whole(n)
	case float64:
		body, ok = s.Float(x)
	case string:
		if s.Verb != 0 && s.Verb != 's' || s.Align == '=' {
			return in.Unknown(value.UnmodelledPython, "the format %q of a text", text)
		}
		if s.Precision >= 0 && s.Precision < utf8.RuneCountInString(x) {
			x = string([]rune(x)[:s.Precision])
		}
		return in.Str(s.Pad(x, '<'))
	default:
		return in.Unknown(value.UnmodelledPython, "the format %q of %s", text, Describe(in, v))
	}
	if !ok {
		return in.Unknown(value.UnmodelledPython, "the format %q is not modelled", text)
	}
	return in.Str(s.Pad(body, '>'))
}

// percent evaluates text % v.
func percent(in *value.Interp, text string, v value.Value) value.Value {
	var args []value.Value
	if t, ok := v.X.(value.Tuple); ok {
		args = t
	} else {
		args = []value.Value{v}
	}
	var b strings.Builder
	used := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			b.WriteByte(text[i])
			continue
		}
		i++
		var arg value.Value
		have := false
		if i < len(text) && text[i] == '(' {
			end := strings.IndexByte(text[i:], ')')
			d, ok := v.X.(*value.Dict)
			if end < 0 || !ok {
				return in.Unknown(value.UnmodelledPython, "%s with a format that does not fit", value.Quote(text))
			}
			arg = dictItem(in, d, value.Value{X: text[i+1 : i+end]})
			have = true
			i += end + 1
		}
		start := i
		for i < len(text) && strings.IndexByte("#0- +.123456789*", text[i]) >= 0 {
			i++
		}
		flags := text[start:i]
		if i == len(text) || strings.Contains(flags, "*") {
			return in.Unknown(value.UnmodelledPython, "the format %s is not modelled", value.Quote(text))
		}
		verb := text[i]
		if verb == '%' {
			b.WriteByte('%')
			continue
		}
		if !have {
			if used == len(args) {
				return in.Unknown(value.MissingArgument, "%s with too few values", value.Quote(text))
			}
			arg = args[used]
			used++
		}
		if arg.Cause() != nil {
			return value.Value{X: arg.X}
		}
		s, ok := percentOne(in, flags, verb, value.Plain(arg))
		if !ok {
			return in.Unknown(value.UnmodelledPython, "the format %s of %s", value.Quote("%"+flags+string(verb)), Describe(in, arg))
		}
		b.WriteString(s)
	}
	if _, isDict := v.X.(*value.Dict); used < len(args) && !isDict {
		return in.Unknown(value.MissingArgument, "%s with too many values", value.Quote(text))
	}
	return in.Str(b.String())
}

func percentOne(in *value.Interp, flags string, verb byte, v value.Value) (string, bool) {
	left := strings.ContainsRune(strings.TrimLeft(flags, "#0 +"), '-') || strings.Contains(flags, "-")
	sign := byte(0)
	if strings.Contains(flags, "+") {
		sign = '+'
	} else if strings.Contains(flags, " ") {
		sign = ' '
	}
	rest := strings.TrimLeft(flags, "#- +0")
	zero := strings.Contains(strings.TrimRight(flags, ".123456789"), "0") && strings.HasPrefix(strings.TrimLeft(flags, "#- +"), "0")
	s := value.Spec{Fill: ' ', Align: '>', Sign: sign, Precision: -1, Alternate: strings.Contains(flags, "#")}
	width, precision, point := strings.Cut(rest, ".")
	s.Width, _ = strconv.Atoi(width)
	if point {
		s.Precision, _ = strconv.Atoi(precision)
	}
	if s.Width > 1<<16 || s.Precision > 1000 {
		return "", false
	}
	if left {
		s.Align = '<'
	} else if zero && verb != 's' && verb != 'r' {
		s.Fill, s.Align = '0', '='
	}
	switch verb {
	case 's', 'r', 'a':
		t := ToText(in, v)
		if verb != 's' {
			t = Repr(in, v)
		}
		text, ok := t.X.(string)
		if ok && s.Precision >= 0 && s.Precision < utf8.RuneCountInString(text) {
			text = string([]rune(text)[:s.Precision])
		}
		return s.Pad(text, '>'), ok
	case 'c':
		if text, ok := v.X.(string); ok {
			return s.Pad(text, '>'), utf8.RuneCountInString(text) == 1
		}
		fallthrough
	case 'd', 'i', 'u', 'x', 'X', 'o':
		f, isFloat := v.X.(float64)
		n, ok := value.Whole(v.X)
		if isFloat && verb != 'x' && verb != 'X' && verb != 'o' && math.Abs(f) < 1<<53 {
			n, ok = int64(f), true
		}
		s.Verb = verb
		if verb == 'i' || verb == 'u' {
			s.Verb = 'd'
		}
		if !ok || s.Precision >= 0 {
			return "", false
		}
		body, ok := s.Whole(n)
		return s.Pad(body, '>'), ok
	case 'f', 'F', 'e', 'E', 'g', 'G':
		f, ok := value.Number(v.X)
		if !ok {
			return "", false
		}
		s.Verb = verb
		s.Alternate = false
		body, ok := s.Float(f)
		return s.Pad(body, '>'), ok
	}
	return "", false
}
