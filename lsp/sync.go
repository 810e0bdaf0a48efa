package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/tfmem/tfmem/analyzer/notebook"
)

// The protocol package's own types do not work for didOpen and didChange. They rewrite a URI,
// which a client may compare as a string, and they take a change with a malformed range for one
// of the whole text.
type (
	textParams struct {
		URI        string `json:"uri"`
		LanguageID string `json:"languageId"`
		Version    int32  `json:"version"`
		Text       text   `json:"text"`
	}
	openParams struct {
		TextDocument *textParams `json:"textDocument"`
	}
	changeParams struct {
		TextDocument struct {
			URI     string `json:"uri"`
			Version *int32 `json:"version"` // null in LSP before 3.16
		} `json:"textDocument"`
		ContentChanges []contentChange `json:"contentChanges"`
	}
	contentChange struct {
		change
		malformed error
	}
)

// A text is the text of a document, which may be as long as the message. It takes memory only
// once.
type text string

// UnmarshalJSON implements [encoding/json.Unmarshaler].
func (t *text) UnmarshalJSON(raw []byte) error {
	switch {
	case string(raw) == "null":
		return nil
	case raw[0] != '"':
		return errors.New("a text is not a string")
	}
	// The syntax was checked before. If there is an error, invalid UTF-8 has been replaced, as in
	// the protocol package.
	b, _ := jsontext.AppendUnquote(nil, raw)
	*t = text(unsafe.String(unsafe.SliceData(b), len(b))) // nothing else refers to b
	return nil
}

// UnmarshalJSON implements [encoding/json.Unmarshaler]. It returns no error: a malformed change
// affects its document and nothing else in the message.
func (c *contentChange) UnmarshalJSON(raw []byte) error {
	var params struct {
		Range *protocol.Range `json:"range"`
		Text  *text           `json:"text"`
	}
	if c.malformed = protocol.Unmarshal(raw, &params); c.malformed != nil {
		return nil
	}
	if params.Text == nil {
		c.malformed = errors.New("it has no text")
		return nil
	}
	c.whole, c.text = params.Range == nil, string(*params.Text)
	if params.Range != nil {
		c.start, c.end = positionOf(params.Range.Start), positionOf(params.Range.End)
	}
	return nil
}

// synchronize handles the notifications that bring text.
func (s *session) synchronize(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		switch req.Method() {
		case protocol.MethodTextDocumentDidOpen:
			return nil, s.didOpen(req.Params())
		case protocol.MethodTextDocumentDidChange:
			return nil, s.didChange(req.Params())
		case protocol.MethodNotebookDocumentDidOpen:
			return nil, s.didOpenNotebook(req.Params())
		case protocol.MethodNotebookDocumentDidChange:
			return nil, s.didChangeNotebook(req.Params())
		}
		return next(ctx, req)
	}
}

func isPython(language string) bool { return strings.EqualFold(language, "python") }

// pathOf returns the path of a file's URI, or any other URI itself.
func pathOf(u uri.URI) string {
	if u.IsFile() {
		return u.FsPath()
	}
	return string(u)
}

// didOpen opens a document. It replaces one that was open already.
func (s *session) didOpen(raw []byte) error {
	var params openParams
	if err := protocol.Unmarshal(raw, &params); err != nil {
		return err
	}
	item := params.TextDocument
	if item == nil || item.URI == "" {
		return errors.New("it names no document")
	}
	key, err := uri.Parse(item.URI)
	if err != nil {
		return err
	}
	s.addDocument(key, item.URI, func() *document {
		d := &document{path: pathOf(key), session: s}
		// The name says nothing: JupyterLab joins a notebook's cells into one Python text and
		// sends it as n.ipynb.
		d.parts = []part{{uri: item.URI, key: key, python: isPython(item.LanguageID)}}
		switch {
		case isRawNotebook(d.path, item.LanguageID, string(item.Text)):
			d.parts[0].python, d.raw, d.publisher = true, &rawNotebook{}, &mergedPublisher{}
			if s.docs.open[notebookKey(key)] == nil {
				d.worker = s.newWorker(d.path)
			}
		case d.parts[0].python:
			d.worker = s.newWorker(d.path)
			if notebook.Is(d.path) {
				d.publisher = &mergedPublisher{}
			}
		case s.isSettings(d.path, item.LanguageID):
			d.settings = s.newSettingsDocument(d.path)
		}
		d.set(item.Version, string(item.Text))
		return d
	})
	return nil
}

// addDocument adds a document. It replaces one that was open already.
func (s *session) addDocument(key uri.URI, clientURI string, open func() *document) {
	s.docs.with(key, func(old *document) *document {
		if old != nil {
			s.log.Warn("a document was opened twice", "uri", clientURI)
			old.close()
		}
		return open()
	})
}

// didChange applies the changes of a new version.
func (s *session) didChange(raw []byte) (err error) {
	var params changeParams
	if err := protocol.Unmarshal(raw, &params); err != nil {
		return err
	}
	id := params.TextDocument
	key, err := uri.Parse(id.URI)
	if err != nil {
		return err
	}
	changes, malformed := changesOf(params.ContentChanges)
	s.docs.makeRoom(s.ctx, key)
	s.docs.with(key, func(d *document) *document {
		switch {
		case d == nil:
			err = fmt.Errorf("%s is not open", id.URI)
			return nil
		// JupyterLab sends every change with the version it opened with.
		case id.Version != nil && *id.Version < d.version:
			err = fmt.Errorf("version %d of %s came after version %d", *id.Version, id.URI, d.version)
			return d
		case malformed != nil:
			err = fmt.Errorf("%s waits for its whole text: %w", id.URI, malformed)
			d.lose()
			return d
		case d.lost && !slices.ContainsFunc(changes, func(c change) bool { return c.whole }):
			err = fmt.Errorf("%s still waits for its whole text", id.URI)
			return d
		}
		version := d.version
		if id.Version != nil {
			version = *id.Version
		}
		d.set(version, edited(d.lines(), changes, s.client.encoding))
		return d
	})
	return err
}

// changesOf returns the changes of a didChange, or an error if one is malformed.
func changesOf(params []contentChange) ([]change, error) {
	changes := make([]change, len(params))
	for i, c := range params {
		if c.malformed != nil {
			return nil, fmt.Errorf("change %d is malformed: %w", i, c.malformed)
		}
		changes[i] = c.change
	}
	return changes, nil
}

// DidSave changes nothing unless the client sends a text that differs. Then the client's text
// counts.
func (s *session) DidSave(_ context.Context, params *protocol.DidSaveTextDocumentParams) error {
	s.saved()
	if s.client.watches && s.docs.view(params.TextDocument.URI).settings != nil {
		s.inBackground(s.settingsChanged) // before the file watcher reports it
	}
	if params.Text == nil {
		return nil
	}
	s.docs.with(params.TextDocument.URI, func(d *document) *document {
		if d != nil && (d.lost || d.lines().Text() != *params.Text) {
			s.log.Warn("a document was saved with another text than its changes made", "uri", d.parts[0].uri)
			// A string that the protocol package decoded pins the whole message.
			d.set(d.version, strings.Clone(*params.Text))
		}
		return d
	})
	return nil
}

// DidClose closes a document and retracts its diagnostics.
func (s *session) DidClose(_ context.Context, params *protocol.DidCloseTextDocumentParams) error {
	return s.didClose(params.TextDocument.URI)
}

func (s *session) didClose(key uri.URI) (err error) {
	var parts []part
	s.docs.with(key, func(d *document) *document {
		if d == nil {
			err = fmt.Errorf("%s is not open", key)
			return nil
		}
		d.retract()
		d.close()
		parts = d.parts
		return nil
	})
	if s.client.pullsWorkspace {
		for _, p := range parts {
			s.closed.add(p.key, p.uri)
		}
		s.refresh.changed.notify()
	}
	return err
}
