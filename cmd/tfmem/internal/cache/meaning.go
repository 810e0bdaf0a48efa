package cache

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A meaning is what of a module's text can matter to a file that imports it, as digests. In tf_agents (574
// files) an edit of a comment in a module that some 150 files name leaves 573 results: the check takes 0.25 s
// of CPU instead of 8.6.
type meaning struct {
	// Rest is all but comments, blank lines and what follows.
	Rest string `json:"rest"`
	// Aside are the functions that only compute, by name. One that no text names is no part of the
	// meaning: nothing can call it, and it says nothing that a question about the whole program is after.
	Aside map[string]string `json:"aside,omitempty"`
	// Lines is the rest with the numbers of its lines.
	Lines string `json:"lines,omitempty"`
}

func meaningOf(tree *syntax.Tree) meaning {
	if tree.GaveUp() != "" || tree.HasErrors() {
		return meaning{Rest: Digest(tree.Text())}
	}
	m := meaning{Aside: map[string]string{}}
	aliases, twice := aliasesIn(tree), map[string]bool{}
	for s := range tree.Statements() {
		if s.Kind() == syntax.FunctionDefinition {
			name := s.Child(syntax.FieldName).Text()
			twice[name] = twice[name] || m.Aside[name] != ""
			m.Aside[name] = "a function"
		}
	}
	var rest []string
	placed := []byte(tree.Text())
	blank := func(n syntax.Node) {
		for i := n.Start(); i < n.End(); i++ {
			if placed[i] != '\n' {
				placed[i] = ' '
			}
		}
	}
	for s := range tree.Statements() {
		code := codeOf(s)
		s.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Comment && !heard.MatchString(n.Text()) {
				blank(n)
			}
			return true
		})
		if s.Kind() == syntax.FunctionDefinition {
			name := s.Child(syntax.FieldName).Text()
			if !twice[name] && computes(s, aliases) {
				m.Aside[name] = Digest(code)
				blank(s)
				continue
			}
			delete(m.Aside, name)
		}
		if code != "" {
			rest = append(rest, code)
		}
	}
	m.Rest = Digest(strings.Join(rest, "\x00"))
	lines := strings.Split(string(placed), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r\f")
	}
	m.Lines = Digest(strings.TrimRight(strings.Join(lines, "\n"), "\n"))
	return m
}

// heard are the comments that say something to tfmem.
var heard = regexp.MustCompile(`(?i)tfmem|noqa`)

// codeOf returns a statement without comments and blank lines.
func codeOf(s syntax.Node) string {
	var code strings.Builder
	var strs []string
	text, at := s.Text(), s.Start()
	last := at
	s.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.String:
			// A line of it that looks blank, or like a comment, is not.
			code.WriteString(text[last-at:n.Start()-at] + "\x00")
			strs = append(strs, n.Text())
		case syntax.Comment:
			code.WriteString(text[last-at : n.Start()-at])
			if heard.MatchString(n.Text()) {
				code.WriteString(n.Text())
			}
		default:
			return true
		}
		last = n.End()
		return false
	})
	code.WriteString(text[last-at:])
	var lines []string
	for line := range strings.Lines(code.String()) {
		if line = strings.TrimRight(line, " \t\r\n\f"); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(append(lines, strs...), "\n")
}

// aliasesIn returns what the names mean that the top level of a module imports from libraries.
func aliasesIn(tree *syntax.Tree) map[string]string {
	aliases := map[string]string{}
	add := func(n syntax.Node, from string) {
		name, as := n.Text(), n.Text()
		if n.Kind() == syntax.AliasedImport {
			name, as = n.Child(syntax.FieldName).Text(), n.Child(syntax.FieldAlias).Text()
		}
		as, _, _ = strings.Cut(as, ".")
		if n.Kind() != syntax.AliasedImport && from == "" {
			name = as
		}
		if _, known := aliases[as]; known || strings.HasPrefix(from, ".") {
			name = ""
		} else if from != "" {
			name = from + "." + name
		}
		aliases[as] = name
	}
	for s := range tree.Statements() {
		from := ""
		switch s.Kind() {
		case syntax.ImportFromStatement:
			from = s.Child(syntax.FieldModuleName).Text()
		case syntax.ImportStatement:
		default:
			continue
		}
		for n := range s.Children() {
			if n.Field() == syntax.FieldName {
				add(n, from)
			}
		}
	}
	return aliases
}

// plain are the kinds of nodes in a function that does no more than compute from its parameters.
var plain = kindSet(
	syntax.FunctionDefinition, syntax.Parameters, syntax.DefaultParameter, syntax.Block, syntax.ExpressionStatement, syntax.Assignment,
	syntax.AugmentedAssignment, syntax.ReturnStatement, syntax.PassStatement, syntax.IfStatement, syntax.ElifClause, syntax.ElseClause,
	syntax.ForStatement, syntax.PatternList, syntax.ExpressionList, syntax.ArgumentList, syntax.KeywordArgument, syntax.Identifier,
	syntax.Attribute, syntax.Subscript, syntax.Slice, syntax.Call, syntax.NotOperator, syntax.BooleanOperator, syntax.BinaryOperator,
	syntax.UnaryOperator, syntax.ComparisonOperator, syntax.ConditionalExpression, syntax.ParenthesizedExpression, syntax.List,
	syntax.Tuple, syntax.Integer, syntax.Float, syntax.String, syntax.True, syntax.False, syntax.NoneLiteral, syntax.Ellipsis,
	syntax.Operator, syntax.Comment,
)

func kindSet(kinds ...syntax.Kind) (set [256]bool) {
	for _, k := range kinds {
		set[k] = true
	}
	return set
}

// builtins are Python's functions that only compute, and sizes the attributes of arrays that do.
var (
	builtins = map[string]bool{"abs": true, "bool": true, "enumerate": true, "float": true, "int": true, "len": true, "max": true, "min": true, "range": true, "round": true, "sum": true, "zip": true}
	sizes    = map[string]bool{"dtype": true, "ndim": true, "shape": true, "size": true}
)

// onlyComputes are what calls of a library may do in a function that only computes.
const onlyComputes = effects.Initialises | effects.AddsOperation

// computes reports whether a function does no more than compute from its parameters: it names only
// these, its own variables, and functions of libraries that only compute.
func computes(f syntax.Node, aliases map[string]string) bool {
	own := map[string]bool{}
	ok := true
	if strings.Contains(f.Text(), "import") { // a line of a text may look like an import
		return false
	}
	f.Walk(func(n syntax.Node) bool {
		ok = ok && plain[n.Kind()] && (n == f || n.Kind() != syntax.FunctionDefinition)
		if n.Kind() != syntax.Identifier {
			return ok
		}
		switch by := n.Parent(); by.Kind() {
		case syntax.Parameters:
			own[n.Text()] = true
		case syntax.DefaultParameter: // its default is evaluated where the module is imported
			ok = ok && n.Field() == syntax.FieldName
			own[n.Text()] = own[n.Text()] || n.Field() == syntax.FieldName
		case syntax.Assignment, syntax.ForStatement:
			own[n.Text()] = own[n.Text()] || n.Field() == syntax.FieldLeft
		case syntax.PatternList:
			own[n.Text()] = true
		}
		return ok
	})
	if !ok || own["self"] || own["cls"] {
		return false
	}
	f.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.Assignment, syntax.AugmentedAssignment, syntax.ForStatement:
			left := n.Child(syntax.FieldLeft)
			ok = ok && (left.Kind() == syntax.Identifier || left.Kind() == syntax.PatternList && !slices.ContainsFunc(slices.Collect(left.Children()), func(n syntax.Node) bool { return n.Kind() != syntax.Identifier }))
		case syntax.Call:
			called := n.Child(syntax.FieldFunction)
			ok = ok && (called.Kind() == syntax.Identifier && builtins[called.Text()] && !own[called.Text()] || pure(called, own, aliases))
		case syntax.Attribute:
			if pure(n, own, aliases) {
				return false
			}
			ok = ok && sizes[n.Child(syntax.FieldAttribute).Text()]
		case syntax.KeywordArgument:
			ok = ok && slices.ContainsFunc(slices.Collect(n.Children()), func(n syntax.Node) bool { return n.Field() == syntax.FieldValue })
		case syntax.Identifier:
			name := n.Text()
			switch {
			case n.Field() == syntax.FieldName && n.Parent().Is(syntax.KeywordArgument), n.Field() == syntax.FieldAttribute, n.Field() == syntax.FieldName && n.Parent() == f:
			default:
				ok = ok && (own[name] || builtins[name] && aliases[name] == "")
			}
		}
		return ok
	})
	return ok
}

// pure reports whether an expression names a function of a library that only computes.
func pure(n syntax.Node, own map[string]bool, aliases map[string]string) bool {
	if n.Kind() != syntax.Attribute {
		return false
	}
	root, rest, _ := strings.Cut(n.Text(), ".")
	library := aliases[root]
	if own[root] || library == "" || strings.ContainsAny(rest, "([\n ") {
		return false
	}
	name := library + "." + rest
	at := strings.LastIndexByte(name, '.')
	// What only some versions have, or Keras, is a sign of the version that runs the program.
	if has, known := (effects.Library{}).Has(name[:at], name[at+1:]); !has || !known || strings.Contains(name, "keras") {
		return false
	}
	e := effects.Lookup(name)
	return e != nil && e.Effects&^onlyComputes == 0 && e.Runs == "" && e.Returns == ""
}

// differing returns the names of functions aside that are not the same in both. ok is false if more differs.
func (m meaning) differing(other meaning) (names []string, ok bool) {
	if m.Rest != other.Rest {
		return nil, false
	}
	all := maps.Clone(other.Aside)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, m.Aside)
	for name := range all {
		if m.Aside[name] != other.Aside[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, true
}
