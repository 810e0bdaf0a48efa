package budget

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// spared reports whether nothing should be reported about a training that may not fit the GPU: the
// program puts it on the CPU, or handles running out of memory.
func spared(file *analyzer.File, training syntax.Node) bool {
	return OnCPU(file) || catches(file, training, 0)
}

// mostCallers bounds how far up the calls of functions are followed.
const mostCallers = 3

// catches reports whether a handler around a call, or around all calls of its function, catches
// what TensorFlow raises when memory runs out.
func catches(file *analyzer.File, call syntax.Node, depth int) bool {
	defer file.Names().Enter(call).Leave()
	if rule.Caught(call, func(class syntax.Node) bool {
		name := file.Names().Qualified(class)
		if name == "" {
			name = class.Text()
		}
		return strings.HasSuffix(name, "ResourceExhaustedError") || name == "tensorflow.errors.OpError"
	}) {
		return true
	}
	info := file.Names()
	f := info.ScopeOf(call).Function()
	if f == nil || f.Info != info || depth == mostCallers {
		return false
	}
	called := false
	for _, c := range info.Calls {
		if info.Target(c.Child(syntax.FieldFunction)).Function == f {
			if called = catches(file, c, depth+1); !called {
				return false
			}
		}
	}
	return called
}
