package facts

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Stretch is what consecutive statements of one block take from the code around them and give to it: what
// has to be passed if they become a function.
type Stretch struct {
	Reads   []*names.Binding // outside of it, of names that it may read
	Binds   []*names.Binding // in it
	Carried []syntax.Node    // reads of what an earlier run of the stretch may have bound
	Uses    []syntax.Node    // outside of it, of what it binds
	Changes []syntax.Node    // names from outside whose object it changes, or may change
	Leaves  []syntax.Node    // break, continue, return and yield that leave it
}

// Stretch returns what the statements from one to another, in the same block, take and give.
func (f *Facts) Stretch(first, last syntax.Node) Stretch {
	s := stretch{Facts: f, first: first, last: last, scope: f.info.ScopeOf(first)}
	for statement := first; statement.Valid() && statement.Start() <= last.Start(); statement = statement.Next() {
		statement.Walk(func(n syntax.Node) bool {
			s.node(n)
			return true
		})
	}
	for _, b := range s.Binds {
		for _, use := range f.info.Uses(b) {
			if !s.contains(use) && !slices.Contains(s.Stretch.Uses, use) {
				s.Stretch.Uses = append(s.Stretch.Uses, use)
			}
		}
	}
	return s.Stretch
}

// NamesIn returns the names that code reads, of whatever scope they are.
func (f *Facts) NamesIn(code syntax.Node) (read []syntax.Node) {
	code.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Identifier && f.info.Used(n) {
			read = append(read, n)
		}
		return true
	})
	return read
}

type stretch struct {
	*Facts
	Stretch
	first, last syntax.Node
	scope       *names.Scope
}

func (s *stretch) contains(n syntax.Node) bool {
	return s.first.Start() <= n.Start() && n.End() <= s.last.End()
}

func (s *stretch) node(n syntax.Node) {
	switch n.Kind() {
	case syntax.Identifier:
		s.name(n)
	case syntax.BreakStatement, syntax.ContinueStatement:
		if !s.contains(n.Ancestor(syntax.ForStatement, syntax.WhileStatement)) {
			s.Leaves = append(s.Leaves, n)
		}
	case syntax.ReturnStatement, syntax.Yield, syntax.Await:
		if s.info.ScopeOf(n).Function() == s.scope.Function() {
			s.Leaves = append(s.Leaves, n)
		}
	case syntax.Assignment, syntax.AugmentedAssignment:
		s.target(n.Child(syntax.FieldLeft))
	case syntax.GlobalStatement, syntax.NonlocalStatement:
		s.Changes = slices.AppendSeq(s.Changes, n.Children())
	case syntax.DeleteStatement:
		for c := range n.Children() {
			s.target(c)
		}
	case syntax.Call:
		if names.Method(n) != "" && s.info.Callee(n) == "" {
			object := n.Child(syntax.FieldFunction).Child(syntax.FieldObject)
			// A method of arrays and strings that changes them returns nothing, and is a statement of its own.
			if !s.Kinds(object, nil).Surely(Array|Tensor|Text|Number) || n.Parent().Kind() == syntax.ExpressionStatement {
				s.changes(object)
			}
		}
	}
}

// target notes that the object is changed of which an attribute or an item is bound.
func (s *stretch) target(n syntax.Node) {
	switch n.Kind() {
	case syntax.Attribute, syntax.Subscript:
		s.changes(n)
	case syntax.Tuple, syntax.List, syntax.PatternList, syntax.ExpressionList, syntax.TuplePattern, syntax.ListPattern:
		for c := range n.Children() {
			if c.Is(syntax.Attribute, syntax.Subscript) {
				s.changes(c)
			}
		}
	}
}

// changes notes the name at the start of an expression whose object is changed.
func (s *stretch) changes(n syntax.Node) {
	for n.Is(syntax.Attribute, syntax.Subscript) {
		if n.Kind() == syntax.Attribute {
			n = n.Child(syntax.FieldObject)
		} else {
			n = n.Child(syntax.FieldValue)
		}
	}
	if n.Kind() != syntax.Identifier || !s.info.Used(n) {
		return
	}
	for _, b := range s.info.ReachingDefs(n) {
		if !s.contains(b.Node) && b.Kind != names.ImportBinding && b.Kind != names.FromBinding {
			s.Changes = append(s.Changes, n)
			return
		}
	}
}

// name notes what a name has to do with the code around.
func (s *stretch) name(n syntax.Node) {
	if b := s.info.BindingAt(n); b != nil && b.Scope == s.scope && b.Kind != names.DeleteBinding {
		s.Binds = append(s.Binds, b)
		if b.Kind != names.AugmentedBinding {
			return
		}
	} else if !s.info.Used(n) || s.info.Lookup(n) != s.scope {
		return
	}
	surely := s.binds(n)
	for _, b := range s.info.ReachingDefs(n) {
		switch {
		case s.contains(b.Node) && !surely:
			s.Carried = append(s.Carried, n)
			surely = true // once is enough
		case !s.contains(b.Node) && !slices.Contains(s.Reads, b):
			s.Reads = append(s.Reads, b)
		}
	}
}

// binds reports whether a run of the stretch surely binds a name before it reads it there. Code of a function
// in it runs after the whole, or so it is taken to.
func (s *stretch) binds(n syntax.Node) bool {
	inFunction := s.info.ScopeOf(n).Function() != s.scope.Function()
	for statement := s.first; statement.Valid() && statement.Start() <= s.last.Start(); statement = statement.Next() {
		if !inFunction && statement.Start() > n.Start() {
			break
		}
		if s.info.BoundIn(statement, s.scope, n.Text(), n) {
			return true
		}
	}
	return false
}
