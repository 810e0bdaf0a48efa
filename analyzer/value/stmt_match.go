package value

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// matchStatement runs the first case that matches, or all that may match.
func (in *Interp) matchStatement(n syntax.Node) control {
	var subjects []syntax.Node
	var cases []syntax.Node
	for c := range n.Children() {
		if c.Field() == syntax.FieldSubject {
			subjects = append(subjects, c)
		}
	}
	for c := range n.Child(syntax.FieldBody).Children() {
		if c.Kind() == syntax.CaseClause {
			cases = append(cases, c)
		}
	}
	if len(subjects) == 0 {
		return next
	}
	v := in.Eval(subjects[0])
	if len(subjects) > 1 {
		t := Tuple{v}
		for _, s := range subjects[1:] {
			t = append(t, in.Eval(s))
		}
		v = Value{X: t}
	}
	return in.matchCases(subjects[0], v, cases)
}

func (in *Interp) matchCases(subject syntax.Node, v Value, cases []syntax.Node) control {
	if len(cases) == 0 {
		return next
	}
	first := cases[0]
	var patterns []syntax.Node
	for c := range first.Children() {
		if c.Kind() == syntax.CasePattern {
			patterns = append(patterns, c)
		}
	}
	truth, known := false, true
	switch len(patterns) {
	case 0:
		return in.matchCases(subject, v, cases[1:])
	case 1:
		truth, known = in.matches(patterns[0], v)
	default:
		truth, known = in.matchSequence(patterns, v)
	}
	test := Value{X: truth, Overridable: v.Overridable}
	if !known {
		test = Value{X: Unknown{in.unknownTruth(v).Cause()}}
	}
	if guard := first.Child(syntax.FieldGuard); guard.Valid() && (truth || !known) {
		g := in.Eval(operand(guard))
		switch t, k := in.Truth(g); {
		case !k:
			test = in.unknownTruth(g)
		case !t:
			test = Value{X: false, Overridable: test.Overridable || g.Overridable}
		}
	}
	return in.decide(subject, test,
		func() control { return in.block(first.Child(syntax.FieldConsequence)) },
		func() control { return in.matchCases(subject, v, cases[1:]) })
}

// matches reports whether a pattern matches, and binds its names.
func (in *Interp) matches(p syntax.Node, v Value) (truth, known bool) {
	text := p.Text()
	inner := operand(p)
	switch {
	case p.HasError():
		return false, false
	case p.Kind() == syntax.CasePattern && !inner.Valid():
		return true, text == "_"
	case p.Kind() == syntax.CasePattern && inner.Is(syntax.Integer, syntax.Float):
		want := in.Eval(inner)
		if strings.HasPrefix(text, "-") {
			want = in.unary("-", want)
		}
		return in.equals(v, want)
	case p.Kind() == syntax.CasePattern:
		return in.matches(inner, v)
	}
	switch p.Kind() {
	case syntax.Integer, syntax.Float, syntax.String, syntax.ConcatenatedString:
		return in.equals(v, in.Eval(p))
	case syntax.True, syntax.False, syntax.NoneLiteral:
		return identical(v, in.Eval(p))
	case syntax.UnionPattern:
		known = true
		for c := range p.Children() {
			t, k := in.matches(c, v)
			if t && k {
				return true, true
			}
			known = known && k
		}
		return false, known
	case syntax.DottedName:
		if !strings.Contains(text, ".") {
			if text != "_" {
				in.bind(text, v)
			}
			return true, true
		}
		return in.equals(v, in.dotted(p))
	case syntax.ListPattern, syntax.TuplePattern:
		var parts []syntax.Node
		for c := range p.Children() {
			if c.Kind() == syntax.CasePattern {
				parts = append(parts, c)
			}
		}
		if p.Kind() == syntax.TuplePattern && len(parts) == 1 && !strings.Contains(text, ",") {
			return in.matches(parts[0], v) // a parenthesized pattern
		}
		return in.matchSequence(parts, v)
	case syntax.AsPattern:
		truth, known = in.matches(inner, v)
		if name := inner.Next(); name.Kind() == syntax.Identifier {
			in.bind(name.Text(), v)
		}
		return truth, known
	case syntax.ClassPattern:
		return in.matchClass(p, v)
	case syntax.DictPattern:
		return in.matchDict(p, v)
	}
	in.unbind(p, Because(UnmodelledPython, "a pattern that is not modelled"))
	return false, false
}

func (in *Interp) matchSequence(parts []syntax.Node, v Value) (truth, known bool) {
	isStar := func(p syntax.Node) bool { return operand(p).Kind() == syntax.SplatPattern }
	items, ok := sequenceOf(v)
	if !ok {
		for _, p := range parts {
			in.unbind(p, in.whyNotIterable(v))
		}
		_, isText := v.X.(string)
		return false, v.Known() && (isText || typeName(v) != "" && typeName(v) != "list")
	}
	star := slices.IndexFunc(parts, isStar)
	if star < 0 && len(items) != len(parts) || star >= 0 && len(items) < len(parts)-1 {
		return false, true
	}
	truth, known = true, true
	for i, p := range parts {
		at := i
		switch {
		case i == star:
			if name := operand(operand(p)); name.Kind() == syntax.Identifier {
				rest := slices.Clone(items[i : len(items)-(len(parts)-1-i)])
				in.bind(name.Text(), Value{X: &List{Items: rest}})
			}
			continue
		case star >= 0 && i > star:
			at = len(items) - (len(parts) - i)
		}
		t, k := in.matches(p, items[at])
		if k && !t {
			return false, true
		}
		known = known && k
	}
	return truth && known, known
}

// dotted evaluates a dotted name in a pattern.
func (in *Interp) dotted(n syntax.Node) (v Value) {
	for part := range n.Children() {
		if v.X == nil {
			v = in.name(part)
		} else {
			v = in.Attr(v, part.Text())
		}
	}
	return v
}

// matchClass matches a class pattern, with or without keyword patterns.
func (in *Interp) matchClass(p syntax.Node, v Value) (truth, known bool) {
	truth, known = in.isinstance(v, in.dotted(operand(p)))
	if !known || !truth {
		in.unbind(p, in.causeOf(v))
		return truth, known
	}
	at := 0
	for c := range p.Children() {
		if c.Kind() != syntax.CasePattern {
			continue
		}
		part, pattern := Value{}, c
		if k := operand(c); k.Kind() == syntax.KeywordPattern {
			part, pattern = in.Attr(v, operand(k).Text()), operand(k).Next()
		} else {
			part = in.matchPart(v, at)
			at++
		}
		t, ok := in.matches(pattern, part)
		if ok && !t {
			return false, true
		}
		known = known && ok
	}
	return known, known
}

// matchPart returns the value that a positional pattern of a class pattern is matched
// against: the value itself for Python's own types.
func (in *Interp) matchPart(v Value, at int) Value {
	o, ok := v.X.(*Instance)
	if !ok {
		return v
	}
	names, ok := o.Class.lookup("__match_args__")
	if !ok && o.Class.fields != nil {
		names, ok = o.Class.fieldNames(), true
	}
	items, known := in.Iterate(names)
	if !ok || !known || at >= len(items) {
		return in.Unknown(UnmodelledPython, "which attribute of a %s a pattern means", o.Class.Name)
	}
	name, _ := items[at].X.(string)
	return in.Attr(v, name)
}

// matchDict matches a mapping pattern: the keys it names must be there, and the name
// after ** is bound to the others.
func (in *Interp) matchDict(p syntax.Node, v Value) (truth, known bool) {
	d, ok := held(v).X.(*Dict)
	if !ok {
		in.unbind(p, in.causeOf(v))
		truth, known = in.isBuiltin(v, "typing.Mapping")
		return false, known && !truth
	}
	rest := in.copyDict(d)
	truth, known = true, true
	var key Value
	for c := range p.Children() {
		switch {
		case c.Kind() == syntax.SplatPattern:
			if name := operand(c); name.Kind() == syntax.Identifier {
				in.bind(name.Text(), Value{X: rest})
			}
		case c.Kind() != syntax.CasePattern || key.X == nil:
			if c.Kind() == syntax.DottedName {
				key = in.dotted(c)
			} else {
				key = in.Eval(c)
			}
		default:
			held, sure := in.member(Value{X: d}, key)
			if sure && !held {
				return false, true
			}
			t, k := in.matches(c, in.dictItem(d, key))
			if k && !t {
				return false, true
			}
			truth, known = truth && t, known && k && sure
			rest.remove(key)
			key = Value{}
		}
	}
	return truth && known, known
}
