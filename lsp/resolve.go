package lsp

import (
	"context"
	"hash/fnv"
	"io"
	"slices"
	"strconv"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/analyzer/source"
)

// A ticket identifies an action without its edit: where it was requested, in which version, and
// which of the actions there it is.
type ticket struct {
	URI     string                  `json:"uri"`
	Version int32                   `json:"version"`
	Text    string                  `json:"text"` // the state of all parts of the document
	Kind    protocol.CodeActionKind `json:"kind"`
	Start   int                     `json:"start"` // bytes of the part
	End     int                     `json:"end"`
	Action  string                  `json:"action"`
}

// ticketOf returns the ticket of an action.
func ticketOf(p place, a action) ticket {
	at := p.snap.parts[p.part]
	return ticket{
		URI: at.uri, Version: at.version, Text: p.snap.state(), Kind: a.kind,
		Start: p.at.Start, End: p.at.End, Action: identity(a),
	}
}

// CodeActionResolve adds the edit to an action. It refuses an action for another version of the
// document.
func (s *session) CodeActionResolve(ctx context.Context, params *protocol.CodeAction) (*protocol.CodeAction, error) {
	if len(params.Data) == 0 {
		return params, nil // it came with its edit
	}
	var t ticket
	if err := protocol.Unmarshal(params.Data, &t); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the data of the action is not tfmem's")
	}
	doc := s.docs.view(normalised(t.URI))
	jsonrpc2.Async(ctx)
	if len(doc.snapshots) == 0 || doc.snapshots[0].parts[doc.part].version != t.Version || doc.snapshots[0].state() != t.Text {
		return nil, protocol.ErrContentModified
	}
	var places []place
	for _, snap := range doc.snapshots {
		snap, err := settled(ctx, snap)
		if err != nil {
			return nil, err
		}
		end := len(snap.lines(doc.part).Text())
		places = append(places, placeOf(snap, doc.part, source.Span{Start: min(max(t.Start, 0), end), End: min(max(t.End, 0), end)}))
	}
	actions := s.actions(places, func(kind protocol.CodeActionKind) bool { return kind == t.Kind })
	i := slices.IndexFunc(actions, func(a action) bool { return identity(a) == t.Action })
	if i < 0 {
		return nil, protocol.ErrContentModified // something else has changed: a GPU, a setting, another module
	}
	edit := s.editOf(actions[i], actions[i].edits())
	params.Edit = &edit
	return params, nil
}

// state identifies the texts of a snapshot, with their versions: JupyterLab gives every text the
// same version.
func (s *snapshot) state() string {
	return fingerprint(func(add func(string)) {
		for _, p := range s.parts {
			add(p.uri)
			add(strconv.Itoa(int(p.version)))
			add(p.text)
		}
	})
}

// identity distinguishes an action from all others at its place.
func identity(a action) string {
	return fingerprint(func(add func(string)) {
		add(a.title)
		for _, i := range a.mends {
			f := a.snap.all.findings[i]
			add(f.Rule.Code)
			add(strconv.Itoa(f.Span.Start))
			add(f.Message)
		}
	})
}

// fingerprint returns a short hash of the strings that say adds.
func fingerprint(say func(add func(string))) string {
	h := fnv.New64a()
	say(func(text string) {
		_, _ = io.WriteString(h, text) // WriteString never returns an error
		_, _ = h.Write([]byte{0})
	})
	return strconv.FormatUint(h.Sum64(), 36)
}
