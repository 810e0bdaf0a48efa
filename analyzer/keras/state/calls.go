package state

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/library"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Call is a call of a function or a class of a library.
type Call struct {
	H    *Host
	In   *value.Interp
	Name string // qualified
	Args *value.Args
}

// Below returns the name without that of a module that it is in.
func (c *Call) Below(module string) string { return strings.TrimPrefix(c.Name, module+".") }

// An Owner answers the calls of a name, or of a family of names. It returns the empty value for
// arguments that it does not answer for.
type Owner func(c *Call) value.Value

type Table = library.Table[Owner]

type Registries struct {
	Owners    *library.Registry[Owner]
	Functions map[string]Function // by the names of their rows
}

var Loaded func() Registries
