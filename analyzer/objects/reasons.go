package objects

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// Unknown returns an unknown value with a formatted reason.
func Unknown(format string, args ...any) value.Value {
	return value.Value{X: value.Unknown{Why: once(fmt.Sprintf(format, args...))}}
}

// once removes repetitions from a reason: the reason of an iteration contains that of the one
// before, which contains the one before that.
func once(why string) string {
	if strings.Count(why, ": ") < 4 {
		return why
	}
	var parts []string
	for part := range strings.SplitSeq(why, ": ") {
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ": ")
}

// NotKnown returns the reason that something named is unknown.
func NotKnown(what, why string) string { return what + " is not known: " + why }

// partial is an object that may be known in part. WhyPartial says why, and returns "" if all of
// it is known.
type partial interface {
	What() string
	WhyPartial() string
}

// single is an object that may be one number. WhySingle says why that number is not known, and
// returns "" if it is no such object.
type single interface{ WhySingle() string }

// Because returns the reason why a value is unknown, also for a container. For a known value it
// says what the value is instead of what was wanted.
func Because(v value.Value) string {
	if why := v.Why(); why != "" {
		return why
	}
	if l, ok := v.X.(*value.List); ok && l.Open != "" {
		return l.Open
	}
	if items, ok := Sequence(v); ok {
		for _, i := range items {
			if why := i.Why(); why != "" {
				return why
			}
		}
	}
	switch x := v.X.(type) {
	case partial:
		return cmp.Or(x.WhyPartial(), "it is "+x.What())
	case value.None:
		return "it is None"
	case string:
		return fmt.Sprintf("it is %q", x)
	case *value.Dict:
		return "it is a dictionary"
	case value.External:
		return "it is " + x.Name
	case *value.Instance:
		return "it is a " + x.Class.Name
	case interface{ What() string }:
		return "it is " + x.What()
	}
	return "it is not a tuple of whole numbers"
}

// Unlike says what a value is that has the wrong type, or why it is unknown.
func Unlike(v value.Value, wanted string) string {
	switch x := v.X.(type) {
	case value.External:
		return x.Name + " is not in this program"
	case single:
		if why := x.WhySingle(); why != "" {
			return why
		}
	case *value.List:
		if x.Open != "" {
			return x.Open
		}
	}
	if items, ok := Sequence(v); ok && len(items) > 0 {
		if why := UnknownIn(v); why != "" {
			return why
		}
	} else if !ok {
		return Because(v) + ", " + wanted
	}
	return "it is " + wanted
}

// UnknownIn says why something in nested tuples and lists is not known; "" if all is.
func UnknownIn(v value.Value) string {
	if why := v.Why(); why != "" {
		return why
	}
	if items, ok := Sequence(v); ok {
		for _, item := range items {
			if why := UnknownIn(item); why != "" {
				return why
			}
		}
	}
	return ""
}
