package project

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// An addition is a folder that a module adds to sys.path.
type addition struct {
	folder
	rank int // where it is added
}

// The ranks of additions, in the order in which Python looks there.
const (
	first  = iota // before the script's own folder
	second        // after it
	last
)

// A folder is a path that a program computes, with slashes.
type folder struct {
	// own is set if the path is relative to the folder of the module that computes it. Otherwise
	// it is relative to the working directory.
	own  bool
	path string
}

// ownFile stands for the name of the module's own file, whose folder alone matters.
const ownFile = "__file__"

// Bounds of what is read of one module.
const (
	maxAdditions = 16
	maxFolders   = 4 // that one expression may stand for
	maxSteps     = 1000
	maxPath      = 1000 // bytes
)

// additions returns what a module adds to sys.path, in the order in which Python looks there. They
// are found without names, because what a name means depends on them. A folder that depends on the
// machine, such as an absolute path, is left out. So are the additions of modules that the module
// imports: they would make its imports depend on the texts of others.
func additions(tree *syntax.Tree) []addition {
	text := tree.Text()
	if !adds(text) {
		return nil
	}
	p := pathReader{tree: tree}
	for _, word := range addingWords {
		for from := 0; len(p.found) < maxAdditions; {
			at := strings.Index(text[from:], word)
			if at < 0 {
				break
			}
			from += at + len(word)
			if n := tree.NodeAt(from-len(word), from); n.Text() == word {
				p.read(n)
			}
		}
	}
	slices.SortStableFunc(p.found, func(a, b addition) int { return a.rank - b.rank })
	early, _ := slices.BinarySearchFunc(p.found, second, func(a addition, rank int) int { return a.rank - rank })
	slices.Reverse(p.found[:early]) // the last to be put first is first
	return p.found
}

// additions returns the additions of a text. If it has some, and no tree is given, it is parsed.
func (w *Workspace) additions(path, text string, tree *syntax.Tree) []addition {
	if !adds(text) {
		return nil
	}
	if tree == nil {
		tree = w.Tree(path, text)
	}
	return additions(tree)
}

// SameSearch reports whether two versions of a module look for imports in the same folders.
func SameSearch(before, after *syntax.Tree) bool {
	return !adds(before.Text()) && !adds(after.Text()) || slices.Equal(additions(before), additions(after))
}

// addingWords are in each expression that adds a folder.
var addingWords = []string{"sys.path", "addsitedir"}

func adds(text string) bool {
	return slices.ContainsFunc(addingWords, func(word string) bool { return strings.Contains(text, word) })
}

// A pathReader finds the additions of one module.
type pathReader struct {
	tree  *syntax.Tree
	found []addition
	steps int
}

func (p *pathReader) add(rank int, folders []folder) {
	for _, f := range folders {
		if f.path = path.Clean(f.path); len(p.found) < maxAdditions && !path.IsAbs(f.path) && !strings.HasPrefix(f.path, "~") {
			p.found = append(p.found, addition{f, rank})
		}
	}
}

// read adds what the statement around an occurrence of sys.path or addsitedir adds.
func (p *pathReader) read(n syntax.Node) {
	parent := n.Parent()
	switch {
	case n.Text() == "addsitedir":
		if call := callOf(parent); parent.Kind() == syntax.Attribute && call.Valid() {
			p.add(last, p.folders(names.Argument(call, 0, "sitedir"), 0))
		}
	case parent.Kind() == syntax.Attribute && n.Field() == syntax.FieldObject:
		call := callOf(parent)
		if !call.Valid() {
			return
		}
		switch parent.Child(syntax.FieldAttribute).Text() {
		case "append":
			p.add(last, p.folders(names.Argument(call, 0, ""), 0))
		case "extend":
			p.add(last, p.items(names.Argument(call, 0, ""), 0))
		case "insert":
			rank := last
			switch names.Argument(call, 0, "").Text() {
			case "0":
				rank = first
			case "1":
				rank = second
			}
			p.add(rank, p.folders(names.Argument(call, 1, ""), 0))
		}
	case parent.Kind() == syntax.AugmentedAssignment && n.Field() == syntax.FieldLeft:
		p.add(last, p.items(parent.Child(syntax.FieldRight), 0))
	case parent.Kind() == syntax.BinaryOperator && parent.Parent().Child(syntax.FieldLeft).Text() == "sys.path": // sys.path = [x] + sys.path
		if n.Field() == syntax.FieldRight {
			added := p.items(parent.Child(syntax.FieldLeft), 0)
			slices.Reverse(added)
			p.add(first, added)
		} else {
			p.add(last, p.items(parent.Child(syntax.FieldRight), 0))
		}
	}
}

// callOf returns the call whose function n is, or none.
func callOf(n syntax.Node) syntax.Node {
	if call := n.Parent(); call.Kind() == syntax.Call && n.Field() == syntax.FieldFunction {
		return call
	}
	return syntax.Node{}
}

// items returns the folders in a list.
func (p *pathReader) items(n syntax.Node, depth int) (all []folder) {
	if n.Is(syntax.List, syntax.Tuple, syntax.Set) {
		for item := range n.Children() {
			if len(all) < maxAdditions {
				all = append(all, p.folders(item, depth+1)...)
			}
		}
		return all
	}
	if n.Kind() == syntax.Identifier && depth < 4 {
		for _, value := range p.values(n) {
			if value.Is(syntax.List, syntax.Tuple, syntax.Set) && len(all) < maxAdditions {
				all = append(all, p.items(value, depth+1)...)
			}
		}
	}
	return all
}

// folders returns the folders that an expression may stand for: none if they are not known.
func (p *pathReader) folders(n syntax.Node, depth int) []folder {
	if p.steps++; p.steps > maxSteps || depth > 16 {
		return nil
	}
	depth++
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return p.folders(n.FirstChild(), depth)
	case syntax.String:
		return p.text(n, depth)
	case syntax.Identifier:
		if n.Text() == ownFile {
			return []folder{{true, ownFile}}
		}
		var all []folder
		for _, value := range p.values(n) {
			for _, f := range p.folders(value, depth) {
				if len(all) < maxFolders && !slices.Contains(all, f) {
					all = append(all, f)
				}
			}
		}
		return all
	case syntax.ConditionalExpression:
		var all []folder
		for c := range n.Children() {
			if c.Field() != syntax.FieldCondition {
				all = append(all, p.folders(c, depth)...)
			}
		}
		return all
	case syntax.Attribute:
		switch object := n.Child(syntax.FieldObject); n.Child(syntax.FieldAttribute).Text() {
		case "parent":
			return above(p.folders(object, depth), 1)
		case "pardir":
			return []folder{{false, ".."}}
		case "curdir":
			return []folder{{false, "."}}
		}
	case syntax.Subscript:
		return p.subscript(n, depth)
	case syntax.BinaryOperator:
		left, right := p.folders(n.Child(syntax.FieldLeft), depth), p.folders(n.Child(syntax.FieldRight), depth)
		switch n.Child(syntax.FieldOperator).Text() {
		case "/":
			return joined(left, right, "/")
		case "+":
			return joined(left, right, "")
		}
	case syntax.Call:
		return p.call(n, depth)
	}
	return nil
}

// text returns the path that a string is, which may contain others.
func (p *pathReader) text(n syntax.Node, depth int) []folder {
	if s, ok := names.StringValue(n); ok {
		return []folder{{false, s}}
	}
	all, at := []folder{{}}, -1
	for c := range n.Children() {
		if c.Kind() != syntax.Interpolation || c.FirstChild().Next().Valid() {
			return nil
		}
		if at >= 0 {
			all = joined(all, []folder{{false, n.Tree().Text()[at:c.Start()]}}, "")
		} else if opening := n.Tree().Text()[n.Start():c.Start()]; strings.TrimLeft(opening, "rRfF") != `"` && strings.TrimLeft(opening, "rRfF") != "'" {
			return nil // the string begins with text: what it means depends on what follows
		}
		all, at = joined(all, p.folders(c.FirstChild(), depth), ""), c.End()
	}
	rest := ""
	if at >= 0 && at < n.End() {
		rest = n.Tree().Text()[at : n.End()-1]
	}
	if at < 0 || strings.ContainsAny(rest, `"'\`) {
		return nil
	}
	return joined(all, []folder{{false, rest}}, "")
}

// subscript reads Path(x).parents[1], os.path.split(x)[0] and sys.path[0].
func (p *pathReader) subscript(n syntax.Node, depth int) []folder {
	value := n.Child(syntax.FieldValue)
	index, err := strconv.Atoi(n.Child(syntax.FieldSubscript).Text())
	switch function := value.Child(syntax.FieldFunction); {
	case err != nil || index < 0 || index > maxParts:
	case value.Child(syntax.FieldAttribute).Text() == "parents":
		return above(p.folders(value.Child(syntax.FieldObject), depth), index+1)
	case index == 0 && value.Text() == "sys.path":
		return []folder{{true, "."}}
	case index == 0 && value.Text() == "sys.argv":
		return []folder{{true, ownFile}}
	case index == 0 && function.Child(syntax.FieldAttribute).Text() == "split" && strings.HasSuffix(function.Child(syntax.FieldObject).Text(), "path"):
		return above(p.folders(names.Argument(value, 0, ""), depth), 1)
	}
	return nil
}

// call reads calls of os, os.path, pathlib and inspect by their last names: modules import them
// under many names, and no other functions are found here.
func (p *pathReader) call(n syntax.Node, depth int) []folder {
	function := n.Child(syntax.FieldFunction)
	object, name := function.Child(syntax.FieldObject), function.Child(syntax.FieldAttribute).Text()
	if function.Kind() == syntax.Identifier {
		name = function.Text()
	}
	argument := names.Argument(n, 0, "")
	if names.HasSplat(n) {
		return nil
	}
	switch name {
	case "getcwd", "cwd":
		return []folder{{false, "."}}
	case "getfile", "getsourcefile", "getabsfile": // inspect.getfile(inspect.currentframe())
		if strings.HasSuffix(argument.Text(), "currentframe()") {
			return []folder{{true, ownFile}}
		}
		return nil
	case "dirname":
		return above(p.folders(argument, depth), 1)
	case "abspath", "realpath", "normpath", "fspath", "str", "expanduser", "Path", "PurePath", "PosixPath", "resolve", "absolute", "as_posix", "join", "joinpath":
	default:
		return nil
	}
	var all []folder
	if function.Kind() == syntax.Attribute && (name == "resolve" || name == "absolute" || name == "as_posix" || name == "joinpath" || name == "expanduser" && !argument.Valid()) {
		all = p.folders(object, depth) // a method of a path
	} else if argument.Valid() && object.Kind() != syntax.String {
		all, argument = p.folders(argument, depth), argument.Next()
	}
	for ; argument.Valid() && argument.Kind() != syntax.KeywordArgument && name != "resolve"; argument = argument.Next() {
		all = joined(all, p.folders(argument, depth), "/")
	}
	return all
}

// joined returns each path of left with each of right behind it.
func joined(left, right []folder, between string) (all []folder) {
	for _, l := range left {
		for _, r := range right {
			j := folder{l.own, l.path + between + r.path}
			switch {
			case r.own && between == "" && l.path != "":
				continue
			case r.own, between != "" && path.IsAbs(r.path), l.path == "":
				j = r
			}
			if len(all) < maxFolders && len(j.path) < maxPath {
				all = append(all, j)
			}
		}
	}
	return all
}

// above returns the folders some levels above.
func above(folders []folder, levels int) (all []folder) {
	for _, f := range folders {
		for range levels {
			if f.path = path.Clean(f.path); path.Base(f.path) == ".." || f.path == "." {
				f.path = path.Join(f.path, "..")
			} else {
				f.path = path.Dir(f.path)
			}
		}
		all = append(all, f)
	}
	return all
}

// values returns the expressions that are assigned to a name before its use, as far as that can be
// seen without following the program: the last assignment of a block that encloses the use, those
// in the branches of an if or try, the items that a loop takes, and the arguments that calls at the
// top of the module pass.
func (p *pathReader) values(use syntax.Node) (all []syntax.Node) {
	name := use.Text()
	for at := use; at.Valid() && len(all) < maxFolders; at = at.Parent() {
		if p.steps++; p.steps > maxSteps {
			return nil
		}
		switch parent := at.Parent(); {
		case at.Kind() == syntax.ForStatement && at.Child(syntax.FieldLeft).Text() == name:
			if over := at.Child(syntax.FieldRight); over.Is(syntax.List, syntax.Tuple, syntax.Set) {
				return slices.Collect(over.Children())
			}
			return nil
		case at.Kind() == syntax.FunctionDefinition && parameter(at, name) >= 0:
			return p.arguments(at, parameter(at, name))
		case parent.Kind() == syntax.Block:
			var before []syntax.Node
			for s := range parent.Children() {
				if s == at {
					break
				}
				before = append(before, s)
			}
			for _, s := range slices.Backward(before) {
				if p.assigned(s, name, &all, 0) {
					return all
				}
			}
		case !parent.Valid():
			for i := at.Stmt() - 1; i >= 0; i-- {
				if p.assigned(p.tree.Statement(i), name, &all, 0) {
					return all
				}
			}
		}
	}
	return all
}

// assigned adds what a statement, or a branch of it, assigns to a name. It reports whether it
// surely assigns something.
func (p *pathReader) assigned(s syntax.Node, name string, all *[]syntax.Node, depth int) bool {
	if p.steps++; p.steps > maxSteps {
		return true
	}
	switch {
	case s.Kind() == syntax.ExpressionStatement:
		s = s.FirstChild()
		fallthrough
	case s.Kind() == syntax.Assignment:
		for ; s.Kind() == syntax.Assignment; s = s.Child(syntax.FieldRight) {
			if s.Child(syntax.FieldLeft).Text() == name {
				for s.Kind() == syntax.Assignment {
					s = s.Child(syntax.FieldRight)
				}
				*all = append(*all, s)
				return true
			}
		}
	case s.Is(syntax.IfStatement, syntax.TryStatement, syntax.ElifClause, syntax.ElseClause, syntax.ExceptClause, syntax.FinallyClause, syntax.Block) && depth < 8:
		for c := range s.Children() {
			p.assigned(c, name, all, depth+1)
		}
	}
	return false
}

// parameter returns the position of a parameter, or -1.
func parameter(function syntax.Node, name string) int {
	i := 0
	for c := range function.Child(syntax.FieldParameters).Children() {
		if c.Text() == name || c.Child(syntax.FieldName).Text() == name {
			return i
		}
		i++
	}
	return -1
}

// arguments returns what calls at the top of the module pass at a position of a function.
func (p *pathReader) arguments(function syntax.Node, position int) (all []syntax.Node) {
	name := function.Child(syntax.FieldName).Text()
	for s := range p.tree.Statements() {
		if p.steps++; p.steps > maxSteps {
			return nil
		}
		if s.Kind() == syntax.ExpressionStatement {
			s = s.FirstChild()
		}
		if s.Kind() == syntax.Call && s.Child(syntax.FieldFunction).Text() == name && len(all) < maxAdditions {
			if argument := names.Argument(s, position, ""); argument.Valid() {
				all = append(all, argument)
			}
		}
	}
	return all
}

// searchWith returns the folders in which a module looks for absolute imports: those of search,
// with the module's additions. An addition stands where Python puts it, but the folders that
// search only supposes, those above the module's own, come after all of them. The working
// directory is not known: a path that is relative to it is looked for in the module's folder first,
// then in those above it, up to the top of the project. What lies outside the project is left out.
func (w *Workspace) searchWith(module string, additions []addition) []root {
	own := w.search(filepath.Dir(module))
	if len(additions) == 0 {
		return own
	}
	bases, end := w.upward(filepath.Dir(module))
	var all roots
	added := func(rank int) {
		for _, a := range additions {
			if a.rank != rank {
				continue
			}
			from := bases[:end]
			if a.own {
				from = bases[:1]
			}
			for _, base := range from {
				if at := filepath.Join(base, filepath.FromSlash(a.path)); w.inside(module, at) == nil {
					all.add(root{at, rank == first})
				}
			}
		}
	}
	added(first)
	all.add(own[0])
	added(second)
	added(last)
	for _, r := range own[1:] {
		all.add(r)
	}
	return all
}
