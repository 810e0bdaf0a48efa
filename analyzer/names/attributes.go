package names

import "github.com/tfmem/tfmem/analyzer/syntax"

// Attribute is what gives an attribute of an instance of c its value, in c or the
// classes of the program it inherits from; none where it may be assigned from
// outside.
func (in *Info) Attribute(c *Class, name string) []*Binding {
	if in.rebound[name] {
		return nil
	}
	for _, k := range in.ancestry(c) {
		if bindings := k.attribute(name); len(bindings) > 0 || k.Methods[name] != nil {
			return bindings
		}
	}
	return nil
}

// attribute is what gives an attribute of c's instances its value: what the
// methods store on self, else what stands in the body of the class.
func (c *Class) attribute(name string) []*Binding {
	if own := c.Attributes[name]; len(own) > 0 {
		return own
	}
	if c.Methods[name] != nil {
		return nil
	}
	return c.Scope.Bindings(name)
}

// super is the class in whose method super() stands, where an expression is
// that, or nil.
func (in *Info) super(n syntax.Node) *Class {
	function := n.Child(syntax.FieldFunction)
	if n.Kind() != syntax.Call || function.Kind() != syntax.Identifier || function.Text() != "super" || in.Lookup(function) != nil {
		return nil
	}
	for s := in.ScopeOf(n); s != nil; s = s.Parent {
		if s.Func != nil && s.Func.Class != nil {
			return s.Func.Class
		}
	}
	return nil
}
