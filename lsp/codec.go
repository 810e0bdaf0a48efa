package lsp

import (
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// codec encodes messages with LSP's union types. The protocol package has the same codec but does
// not export it.
type codec struct{}

var _ jsonrpc2.Codec = codec{}

func (codec) Marshal(v any) ([]byte, error) {
	switch v := v.(type) {
	case jsonrpc2.RawMessage:
		return v, nil
	case *protocol.PublishDiagnosticsParams:
		// There may be many, sent with each keystroke: most are no longer than this.
		return protocol.AppendMarshal(make([]byte, 0, 256+512*len(v.Diagnostics)), v)
	}
	return protocol.Marshal(v)
}

func (codec) Unmarshal(data []byte, v any) error { return protocol.Unmarshal(data, v) }
