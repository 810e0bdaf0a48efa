package lsp

import (
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/tfmem/tfmem/analyzer/observed"
)

// takeKernel is the command by which a client tells what lives in the kernel of an open notebook. Its
// arguments are the notebook's URI and what tfmem.kernel.told says there (editors/python), or null once
// the kernel is gone. The server itself asks no kernel.
const takeKernel = "tfmem.takeKernel"

// kernels holds what lives in the kernels of open notebooks, by the notebook's path.
type kernels struct{ told sync.Map }

// of returns what lives in the kernel of the notebook at a path, or nil.
func (k *kernels) of(path string) *observed.Index {
	index, _ := k.told.Load(path)
	out, _ := index.(*observed.Index)
	return out
}

// takesKernel stores what the kernel of a notebook has, or drops it, and has the notebook analysed again.
func (s *session) takesKernel(arguments []protocol.LSPAny) error {
	var document string
	var said *string
	if len(arguments) != 2 || protocol.Unmarshal(arguments[0], &document) != nil || protocol.Unmarshal(arguments[1], &said) != nil {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes the URI of a notebook, and what its kernel said or null", takeKernel)
	}
	key, err := uri.Parse(document)
	if err != nil {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: %v", takeKernel, err)
	}
	path := s.docs.path(notebookKey(key))
	if len(s.docs.view(notebookKey(key)).snapshots) == 0 {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "no notebook %s is open", document)
	}
	before := s.kernels.of(path)
	if said == nil {
		if before != nil {
			s.kernels.told.Delete(path)
			s.everythingChanged()
		}
		return nil
	}
	dump, err := observed.ReadDump(strings.NewReader(*said))
	if err != nil {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: %v", takeKernel, err)
	}
	// The kernel may run elsewhere, and does not know the notebook's path here.
	for i := range dump.Modules {
		if dump.Modules[i].File == "" {
			dump.Modules[i].File = path
		}
	}
	index, err := observed.NewDumpIndex(dump)
	if err != nil {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: %v", takeKernel, err)
	}
	if before.Digest() != index.Digest() {
		s.kernels.told.Store(path, index)
		s.everythingChanged()
	}
	return nil
}
