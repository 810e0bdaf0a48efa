package lsp

import (
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// codec encodes what messages carry with LSP's union types; the protocol
// package has the same one but does not export it.
type codec struct{}

var _ jsonrpc2.Codec = codec{}

func (codec) Marshal(v any) ([]byte, error) {
	switch v := v.(type) {
	case jsonrpc2.RawMessage:
		return v, nil
	case *protocol.PublishDiagnosticsParams:
		// They may be many, and are sent at each key: most are no longer than this.
		return protocol.AppendMarshal(make([]byte, 0, 256+512*len(v.Diagnostics)), v)
	}
	return protocol.Marshal(v)
}

func (codec) Unmarshal(data []byte, v any) error { return protocol.Unmarshal(data, v) }
