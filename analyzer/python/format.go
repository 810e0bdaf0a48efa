package python

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/value"
)

// formatMethod evaluates text.format(…).
func formatMethod(in *value.Interp, text string, args *value.Args) value.Value {
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
			return in.Unknown(value.UnmodelledPython, "the format %s", value.Quote(text))
		}
		v := replacement(in, text[i+1:end], args, &auto)
		s, ok := v.X.(string)
		if !ok {
			return v
		}
		b.WriteString(s)
		i = end
	}
	return in.Str(b.String())
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
func replacement(in *value.Interp, text string, args *value.Args, auto *int64) value.Value {
	name, spec, _ := strings.Cut(text, ":")
	name, conversion, _ := strings.Cut(name, "!")
	for strings.Contains(spec, "{") {
		open := strings.IndexByte(spec, '{')
		end := closing(spec, open)
		if end < 0 {
			return in.Unknown(value.UnmodelledPython, "the format %s", value.Quote(text))
		}
		v := replacement(in, spec[open+1:end], args, auto)
		s, ok := v.X.(string)
		if !ok || strings.Contains(s, "{") {
			return in.Unknown(value.UnmodelledPython, "the format %s", value.Quote(text))
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
	var v value.Value
	if n, ok := parseInt(first); ok {
		if n >= int64(len(args.Positional)) {
			return in.Unknown(value.MissingArgument, "%s with too few values", value.Quote(text))
		}
		v = args.Positional[n]
	} else if v, ok = args.Keywords.Get(first); !ok {
		return in.Unknown(value.MissingArgument, "%s without %s", value.Quote(text), first)
	}
	for path != "" {
		if path[0] == '.' {
			end := strings.IndexAny(path[1:], ".[") + 1
			if end == 0 {
				end = len(path)
			}
			v, path = interp.Attr(in, v, path[1:end]), path[end:]
			continue
		}
		end := strings.IndexByte(path, ']')
		if end < 0 {
			return in.Unknown(value.UnmodelledPython, "the format %s", value.Quote(text))
		}
		index := value.Value{X: path[1:end]}
		if n, ok := parseInt(path[1:end]); ok {
			index.X = n
		}
		v, path = interp.Index(in, v, index), path[end+1:]
	}
	switch conversion {
	case "r":
		v = interp.Repr(in, v)
	case "s":
		v = interp.ToText(in, v)
	}
	return interp.Format(in, v, spec)
}
