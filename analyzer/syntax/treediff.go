package syntax

// A TreeDiff maps one version of a text to the next: it finds the top-level statements that are
// the same, byte by byte, and moves nodes of the old tree to the same nodes of the new one. It
// changes neither tree.
type TreeDiff struct {
	from, to *Tree
	kept     []*Statement // by number in from: the statement in to, or nil

	// The statement of the node that was moved last, and its new place: most nodes are in the
	// same one as the node before.
	last, next *Statement
}

// NewMove finds the statements that two versions of a text share.
func NewMove(from, to *Tree) *TreeDiff {
	m := &TreeDiff{from: from, to: to, kept: make([]*Statement, len(from.stmts))}
	at := make(map[*Subtree]*Statement)
	first, last := m.ends()
	for i := first; i < len(to.stmts)-last; i++ {
		at[to.stmts[i].Subtree] = &to.stmts[i]
	}
	for i := range from.stmts {
		switch back := len(from.stmts) - i; {
		case i < first:
			m.kept[i] = &to.stmts[i]
		case back <= last:
			m.kept[i] = &to.stmts[len(to.stmts)-back]
		default:
			m.kept[i] = at[from.stmts[i].Subtree]
		}
	}
	return m
}

// ends returns how many statements the trees share at their start and, beyond that, at their end.
func (m *TreeDiff) ends() (first, last int) {
	a, b := m.from.stmts, m.to.stmts
	for first < len(a) && first < len(b) && a[first].Subtree == b[first].Subtree {
		first++
	}
	for first+last < len(a) && first+last < len(b) && a[len(a)-1-last].Subtree == b[len(b)-1-last].Subtree {
		last++
	}
	return first, last
}

// To returns the new tree.
func (m *TreeDiff) To() *Tree { return m.to }

// Statement returns the number in the new tree of a statement of the old one. ok is false if that
// is gone.
func (m *TreeDiff) Statement(i int) (number int, ok bool) {
	if s := m.kept[i]; s != nil {
		return s.number, true
	}
	return 0, false
}

// Node moves a node of the old tree in place. It leaves nodes of other trees, and of removed
// statements, as they are.
func (m *TreeDiff) Node(n *Node) {
	if n.at == m.last {
		n.at = m.next
	} else {
		m.another(n)
	}
}

// another moves a node of another statement than the last.
func (m *TreeDiff) another(n *Node) {
	if n.at == nil || n.at.tree != m.from {
		return
	}
	if s := m.kept[n.at.number]; s != nil {
		m.last, m.next = n.at, s
		n.at = s
	}
}

// Nodes moves several nodes.
func (m *TreeDiff) Nodes(nodes []Node) {
	for i := range nodes {
		m.Node(&nodes[i])
	}
}
