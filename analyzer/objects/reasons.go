package objects

import (
	"cmp"

	"github.com/tfmem/tfmem/analyzer/value"
)

// Unknown returns an unknown value with its cause; see [value.Because].
func Unknown(code value.Code, format string, args ...any) value.Value {
	return value.Because(code, format, args...).Unknown()
}

// NotKnown returns the cause that something named is unknown.
func NotKnown(what string, why *value.Cause) *value.Cause {
	return value.Because(value.MissingArgument, "%s is not known: %s", what, why)
}

// partial is an object that may be known in part. WhyPartial says why, and returns nil if
// all of it is known.
type partial interface {
	What() string
	WhyPartial() *value.Cause
}

// single is an object that may be one number. WhySingle says why that number is not known, and
// returns nil if it is no such object.
type single interface{ WhySingle() *value.Cause }

// Because returns the reason why a value is unknown, also for a container. For a known value it
// says what the value is instead of what was wanted.
func Because(v value.Value) *value.Cause {
	if why := v.Cause(); why != nil {
		return why
	}
	if l, ok := v.X.(*value.List); ok && l.Open != nil {
		return l.Open
	}
	if items, ok := Sequence(v); ok {
		for _, i := range items {
			if why := i.Cause(); why != nil {
				return why
			}
		}
	}
	switch x := v.X.(type) {
	case partial:
		return cmp.Or(x.WhyPartial(), is("it is %s", x.What()))
	case value.None:
		return is("it is None")
	case string:
		return is("it is %q", x)
	case *value.Dict:
		return is("it is a dictionary")
	case value.External:
		return value.Because(value.ExternalName, "%s is not in this program", x.Name)
	case *value.Instance:
		return is("it is a %s", x.Class.Name)
	case interface{ What() string }:
		return is("it is %s", x.What())
	}
	return is("it is not a tuple of whole numbers")
}

// is says what a value is instead of what was wanted.
func is(format string, args ...any) *value.Cause {
	return value.Because(value.WrongType, format, args...)
}

// Unlike says what a value is that has the wrong type, or why it is unknown.
func Unlike(v value.Value, wanted string) *value.Cause {
	switch x := v.X.(type) {
	case value.External:
		return value.Because(value.ExternalName, "%s is not in this program", x.Name)
	case single:
		if why := x.WhySingle(); why != nil {
			return why
		}
	case *value.List:
		if x.Open != nil {
			return x.Open
		}
	}
	if items, ok := Sequence(v); ok && len(items) > 0 {
		if why := UnknownIn(v); why != nil {
			return why
		}
	} else if !ok {
		return is("%s, %s", Because(v), wanted)
	}
	return is("it is %s", wanted)
}

// UnknownIn says why something in nested tuples and lists is not known; nil if all is.
func UnknownIn(v value.Value) *value.Cause {
	if why := v.Cause(); why != nil {
		return why
	}
	if items, ok := Sequence(v); ok {
		for _, item := range items {
			if why := UnknownIn(item); why != nil {
				return why
			}
		}
	}
	return nil
}
