package facts

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TorchOnGPU returns the first call, in a module of the program, by which PyTorch puts a tensor or a model on a
// GPU, if there is one: x.cuda(), x.to("cuda"), torch.zeros(3, device="cuda").
func (f *Facts) TorchOnGPU() syntax.Node {
	for _, module := range f.info.Program() {
		if !module.Imported()["torch"] {
			continue
		}
		i := slices.IndexFunc(module.Calls, func(call syntax.Node) bool {
			switch names.Method(call) {
			case "cuda":
				return !names.Element(call.Child(syntax.FieldArguments), 0).Is(syntax.String)
			case "to":
				return f.isCUDA(names.Argument(call, 0, "device"))
			}
			return strings.HasPrefix(module.Callee(call), "torch.") && f.isCUDA(names.Argument(call, -1, "device"))
		})
		if i >= 0 {
			return module.Calls[i]
		}
	}
	return syntax.Node{}
}

// isCUDA reports whether an expression may be "cuda", "cuda:0" or such a torch.device.
func (f *Facts) isCUDA(n syntax.Node) bool {
	return n.Valid() && f.Any(n, nil, func(p origins.Place, of func(origins.Place) bool) bool {
		if p.Node.Kind() == syntax.Call && f.info.Callee(p.Node) == "torch.device" {
			return of(origins.Place{Node: names.Argument(p.Node, 0, "device"), In: p.In})
		}
		return p.Node.Kind() == syntax.String && strings.HasPrefix(strings.TrimLeft(p.Node.Text(), `fFrR"'`), "cuda")
	})
}
