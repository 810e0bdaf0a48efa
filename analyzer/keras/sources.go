package keras

import (
	"embed"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/models"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// librarySources holds classes of other libraries as programs with Keras, one file a library. They are
// followed as if they were the program's own.
//
//go:embed sources/*.py
var librarySources embed.FS

// sourceTable are these classes.
var sourceTable = state.Table{
	"keras_contrib.layers.InstanceNormalization":                                     fromSource("keras_contrib", "InstanceNormalization"),
	"keras_contrib.layers.normalization.InstanceNormalization":                       fromSource("keras_contrib", "InstanceNormalization"),
	"keras_contrib.layers.normalization.instancenormalization.InstanceNormalization": fromSource("keras_contrib", "InstanceNormalization"),
}

// fromSource answers for a name of a library with that of a file.
func fromSource(library, name string) state.Owner {
	return func(c *state.Call) value.Value {
		info := c.H.Sources[library]
		if info == nil {
			text, err := librarySources.ReadFile("sources/" + library + ".py")
			if err != nil {
				return value.From(err).Unknown()
			}
			// It imports the Keras that the program does.
			info = names.Resolve(syntax.Parse(string(text)), c.H.Env.Library(c.In.Info()), nil)
			c.H.Majors[info] = c.H.Keras()
			c.H.Sources[library] = info
		}
		f, ok := interp.RunModule(c.In, info, library).GetAttr(c.In, name)
		if !ok {
			return objects.Unknown(value.ExternalCall, "%s of %s", name, library)
		}
		made := interp.Call(c.In, f, c.Args)
		if m := models.ModelOf(made); m != nil {
			m.Model.Node = c.Args.Node
		}
		if l := state.LayerOf(made); l != nil {
			l.Node = c.Args.Node
		}
		return made
	}
}
