package interp

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// matchStatement runs the first case that matches, or all that may match.
func matchStatement(in *value.Interp, n syntax.Node) value.Control {
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
		return value.GoesOn
	}
	v := Eval(in, subjects[0])
	if len(subjects) > 1 {
		t := value.Tuple{v}
		for _, s := range subjects[1:] {
			t = append(t, Eval(in, s))
		}
		v = value.Value{X: t}
	}
	return matchCases(in, subjects[0], v, cases)
}

func matchCases(in *value.Interp, subject syntax.Node, v value.Value, cases []syntax.Node) value.Control {
	if len(cases) == 0 {
		return value.GoesOn
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
		return matchCases(in, subject, v, cases[1:])
	case 1:
		truth, known = matches(in, patterns[0], v)
	default:
		truth, known = matchSequence(in, patterns, v)
	}
	test := value.Value{X: truth, Overridable: v.Overridable}
	if !known {
		test = value.Value{X: value.Unknown{Cause: UnknownTruth(in, v).Cause()}}
	}
	if guard := first.Child(syntax.FieldGuard); guard.Valid() && (truth || !known) {
		g := Eval(in, operand(guard))
		switch t, k := Truth(in, g); {
		case !k:
			test = UnknownTruth(in, g)
		case !t:
			test = value.Value{X: false, Overridable: test.Overridable || g.Overridable}
		}
	}
	return decide(in, subject, test,
		func() value.Control { return block(in, first.Child(syntax.FieldConsequence)) },
		func() value.Control { return matchCases(in, subject, v, cases[1:]) })
}

// matches reports whether a pattern matches, and binds its names.
func matches(in *value.Interp, p syntax.Node, v value.Value) (truth, known bool) {
	text := p.Text()
	inner := operand(p)
	switch {
	case p.HasError():
		return false, false
	case p.Kind() == syntax.CasePattern && !inner.Valid():
		return true, text == "_"
	case p.Kind() == syntax.CasePattern && inner.Is(syntax.Integer, syntax.Float):
		want := Eval(in, inner)
		if strings.HasPrefix(text, "-") {
			want = unary(in, "-", want)
		}
		return in.Equals(v, want)
	case p.Kind() == syntax.CasePattern:
		return matches(in, inner, v)
	}
	switch p.Kind() {
	case syntax.Integer, syntax.Float, syntax.String, syntax.ConcatenatedString:
		return in.Equals(v, Eval(in, p))
	case syntax.True, syntax.False, syntax.NoneLiteral:
		return value.Identical(v, Eval(in, p))
	case syntax.UnionPattern:
		known = true
		for c := range p.Children() {
			t, k := matches(in, c, v)
			if t && k {
				return true, true
			}
			known = known && k
		}
		return false, known
	case syntax.DottedName:
		if !strings.Contains(text, ".") {
			if text != "_" {
				in.Bind(text, v)
			}
			return true, true
		}
		return in.Equals(v, matchDotted(in, p))
	case syntax.ListPattern, syntax.TuplePattern:
		var parts []syntax.Node
		for c := range p.Children() {
			if c.Kind() == syntax.CasePattern {
				parts = append(parts, c)
			}
		}
		if p.Kind() == syntax.TuplePattern && len(parts) == 1 && !strings.Contains(text, ",") {
			return matches(in, parts[0], v) // a parenthesized pattern
		}
		return matchSequence(in, parts, v)
	case syntax.AsPattern:
		truth, known = matches(in, inner, v)
		if name := inner.Next(); name.Kind() == syntax.Identifier {
			in.Bind(name.Text(), v)
		}
		return truth, known
	case syntax.ClassPattern:
		return matchClass(in, p, v)
	case syntax.DictPattern:
		return matchDict(in, p, v)
	}
	unbind(in, p, value.Because(value.UnmodelledPython, "a pattern that is not modelled"))
	return false, false
}

func matchSequence(in *value.Interp, parts []syntax.Node, v value.Value) (truth, known bool) {
	isStar := func(p syntax.Node) bool { return operand(p).Kind() == syntax.SplatPattern }
	items, ok := value.SequenceOf(v)
	if !ok {
		for _, p := range parts {
			unbind(in, p, WhyNotIterable(in, v))
		}
		_, isText := v.X.(string)
		return false, v.Known() && (isText || value.TypeName(v) != "" && value.TypeName(v) != "list")
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
				in.Bind(name.Text(), value.Value{X: &value.List{Items: rest}})
			}
			continue
		case star >= 0 && i > star:
			at = len(items) - (len(parts) - i)
		}
		t, k := matches(in, p, items[at])
		if k && !t {
			return false, true
		}
		known = known && k
	}
	return truth && known, known
}

// matchDotted evaluates a dotted name in a pattern.
func matchDotted(in *value.Interp, n syntax.Node) (v value.Value) {
	for part := range n.Children() {
		if v.X == nil {
			v = name(in, part)
		} else {
			v = Attr(in, v, part.Text())
		}
	}
	return v
}

// matchClass matches a class pattern, with or without keyword patterns.
func matchClass(in *value.Interp, p syntax.Node, v value.Value) (truth, known bool) {
	truth, known = value.Isinstance(v, matchDotted(in, operand(p)))
	if !known || !truth {
		unbind(in, p, CauseOf(in, v))
		return truth, known
	}
	at := 0
	for c := range p.Children() {
		if c.Kind() != syntax.CasePattern {
			continue
		}
		part, pattern := value.Value{}, c
		if k := operand(c); k.Kind() == syntax.KeywordPattern {
			part, pattern = Attr(in, v, operand(k).Text()), operand(k).Next()
		} else {
			part = matchPart(in, v, at)
			at++
		}
		t, ok := matches(in, pattern, part)
		if ok && !t {
			return false, true
		}
		known = known && ok
	}
	return known, known
}

// matchPart returns the value that a positional pattern of a class pattern is matched
// against: the value itself for Python's own types.
func matchPart(in *value.Interp, v value.Value, at int) value.Value {
	o, ok := v.X.(*value.Instance)
	if !ok {
		return v
	}
	names, ok := o.Class.Lookup("__match_args__")
	if !ok && o.Class.Fields != nil {
		names, ok = o.Class.FieldNames(), true
	}
	items, known := Iterate(in, names)
	if !ok || !known || at >= len(items) {
		return in.Unknown(value.UnmodelledPython, "which attribute of a %s a pattern means", o.Class.Name)
	}
	name, _ := items[at].X.(string)
	return Attr(in, v, name)
}

// matchDict matches a mapping pattern: the keys it names must be there, and the name
// after ** is bound to the others.
func matchDict(in *value.Interp, p syntax.Node, v value.Value) (truth, known bool) {
	d, ok := value.Held(v).X.(*value.Dict)
	if !ok {
		unbind(in, p, CauseOf(in, v))
		truth, known = value.IsBuiltin(v, "typing.Mapping")
		return false, known && !truth
	}
	rest := in.CopyDict(d)
	truth, known = true, true
	var key value.Value
	for c := range p.Children() {
		switch {
		case c.Kind() == syntax.SplatPattern:
			if name := operand(c); name.Kind() == syntax.Identifier {
				in.Bind(name.Text(), value.Value{X: rest})
			}
		case c.Kind() != syntax.CasePattern || key.X == nil:
			if c.Kind() == syntax.DottedName {
				key = matchDotted(in, c)
			} else {
				key = Eval(in, c)
			}
		default:
			held, sure := Member(in, value.Value{X: d}, key)
			if sure && !held {
				return false, true
			}
			t, k := matches(in, c, dictItem(in, d, key))
			if k && !t {
				return false, true
			}
			truth, known = truth && t, known && k && sure
			rest.Remove(key)
			key = value.Value{}
		}
	}
	return truth && known, known
}
