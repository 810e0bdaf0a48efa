package interp

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// comparison evaluates a chain of comparisons: a < b < c.
func comparison(in *value.Interp, n syntax.Node) value.Value {
	var left, result value.Value
	op := ""
	for c := range n.Children() {
		switch {
		case c.Kind() == syntax.Comment:
			continue
		case c.Kind() == syntax.Operator:
			op = strings.Join(strings.Fields(c.Text()), " ")
			continue
		case op == "":
			left = Eval(in, c)
			continue
		}
		right := Eval(in, c)
		v := Compare(in, op, left, right)
		left = right
		if result.X == nil {
			result = v
		} else {
			v.Overridable = v.Overridable || result.Overridable
			if _, known := Truth(in, result); known || !v.Known() {
				result = v // all comparisons before it hold, or none is known
			}
		}
		truth, known := Truth(in, v)
		if known && !truth {
			return v // whatever the other comparisons give
		}
	}
	return result
}

// Compare evaluates a op b, where op is a comparison, in, not in, is or is not.
func Compare(in *value.Interp, op string, a, b value.Value) value.Value {
	truth, known := false, false
	switch op {
	case "is", "is not":
		if _, ok := a.X.(value.Tuple); ok && !in.Followable(a, b) {
			return value.TooLarge.Unknown()
		}
		truth, known = value.Identical(a, b)
	case "in", "not in":
		truth, known = Member(in, b, a)
	default:
		if v, ok := overloaded(in, op, a, b); ok {
			return v
		}
		if op == "<>" {
			op = "!="
		}
		if x, y := value.BesideMany(a, b); x != y {
			a.X, b.X = x, y
		}
		if op == "==" || op == "!=" {
			truth, known = in.Equals(a, b)
		} else if in.Followable(a, b) {
			truth, known = in.Ordered(op, a, b)
		}
	}
	if !known {
		for _, v := range []value.Value{a, b} {
			if v.Cause() != nil {
				return value.Value{X: v.X}
			}
		}
		return in.Unknown(value.UnmodelledPython, "%s %s %s is not known", Describe(in, a), op, Describe(in, b))
	}
	if op == "!=" || op == "not in" || op == "is not" {
		truth = !truth
	}
	return value.Value{X: truth, Overridable: a.Overridable || b.Overridable}
}

// Truth is bool(v); known is false if it cannot be decided.
func Truth(in *value.Interp, v value.Value) (truth, known bool) {
	switch x := value.Plain(v).X.(type) {
	case bool:
		return x, true
	case int64:
		return x != 0, true
	case float64:
		return x != 0, true
	case string:
		return x != "", true
	case value.None:
		return false, true
	case value.Tuple:
		return len(x) > 0, true
	case *value.List:
		if x.Consumed {
			return true, true
		}
		return len(x.Items) > 0, x.Open == nil
	case *value.Set:
		return len(x.Items) > 0, x.Open == nil
	case *value.Dict:
		return len(x.Keys) > 0, x.Open == nil || len(x.Keys) > 0 && x.Certain()
	case value.Range:
		return x.Length() > 0, true
	case *value.Func, *value.Bound, *value.Class, value.Method, value.Ellipsis, value.Slice:
		return true, true
	case value.Unknown:
		return true, x.Many
	case value.External:
		return true, value.IsLibrary(x.Name)
	case *value.Instance:
		return instanceTruth(in, x)
	case value.Object:
		return x.Bool(in)
	}
	return false, false
}

func instanceTruth(in *value.Interp, o *value.Instance) (truth, known bool) {
	for _, name := range []string{"__bool__", "__len__"} {
		if _, ok := o.Class.Lookup(name); ok {
			return Truth(in, CallMethod(in, o, name, &value.Args{}))
		}
	}
	if o.Host != nil {
		return o.Host.Bool(in)
	}
	if o.Holds != nil {
		return Truth(in, value.Held(value.Value{X: o}))
	}
	return true, true
}
