package syntax

import "testing"

func TestSmoke(t *testing.T) {
	tree := Parse("import tensorflow as tf\nx = tf.constant([1, 2], name=f'a{b}')\nif a < b and not c:\n    y += 1\n")
	for s := range tree.Statements() {
		s.Walk(func(n Node) bool {
			d := 0
			for p := n.Parent(); p.Valid(); p = p.Parent() {
				d++
			}
			t.Logf("%*s%d f%d %q", d*2, "", n.Kind(), n.Field(), n.Text())
			return true
		})
	}
}
