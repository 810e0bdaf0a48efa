package names

import "github.com/tfmem/tfmem/analyzer/syntax"

// Attribute returns the bindings of an attribute of c's instances, in c or in the classes of the
// program that it inherits from. It returns nil if the attribute may be assigned from outside.
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

// attribute returns the bindings of an attribute of c's instances: what the methods store on
// self, else what the body of the class binds.
func (c *Class) attribute(name string) []*Binding {
	if own := c.Attributes[name]; len(own) > 0 {
		return own
	}
	if c.Methods[name] != nil {
		return nil
	}
	return c.Scope.Bindings(name)
}

// super returns the class in whose method a super() call stands, or nil if n is no such call.
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
