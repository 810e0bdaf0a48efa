package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/tfmem/tfmem/analyzer/notebook"
)

// The messages about notebooks, with URIs as the client writes them: see openParams.
type (
	cellParams struct {
		Kind     int    `json:"kind"`
		Document string `json:"document"`
		// Metadata may have the outputs that the cell's file would have: LSP has no place for them.
		Metadata struct {
			Outputs json.RawMessage `json:"outputs"`
		} `json:"metadata"`
	}
	openNotebookParams struct {
		NotebookDocument *struct {
			URI     string       `json:"uri"`
			Version int32        `json:"version"`
			Cells   []cellParams `json:"cells"`
		} `json:"notebookDocument"`
		CellTextDocuments []textParams `json:"cellTextDocuments"`
	}
	changeNotebookParams struct {
		NotebookDocument struct {
			URI     string `json:"uri"`
			Version int32  `json:"version"`
		} `json:"notebookDocument"`
		Change struct {
			Cells *struct {
				Structure *struct {
					Array struct {
						Start       int          `json:"start"`
						DeleteCount int          `json:"deleteCount"`
						Cells       []cellParams `json:"cells"`
					} `json:"array"`
					DidOpen []textParams `json:"didOpen"`
				} `json:"structure"`
				Data        []cellParams       `json:"data"`
				TextContent []cellChangeParams `json:"textContent"`
			} `json:"cells"`
		} `json:"change"`
	}
	cellChangeParams struct {
		Document struct {
			URI     string `json:"uri"`
			Version int32  `json:"version"`
		} `json:"document"`
		Changes []contentChange `json:"changes"`
	}
)

// code is the kind of a code cell.
const code = 2

// didOpenNotebook opens a notebook. It replaces one that was open already. Its cells are one
// program.
func (s *session) didOpenNotebook(raw []byte) error {
	var params openNotebookParams
	if err := protocol.Unmarshal(raw, &params); err != nil {
		return err
	}
	item := params.NotebookDocument
	if item == nil || item.URI == "" {
		return errors.New("it names no notebook")
	}
	key, err := uri.Parse(item.URI)
	if err != nil {
		return err
	}
	parts, err := cellsOf(item.Cells, params.CellTextDocuments)
	if err != nil {
		return err
	}
	s.addDocument(notebookKey(key), item.URI, func() *document {
		if text := s.docs.open[key]; text != nil {
			text.sleep()
		}
		d := &document{path: pathOf(key), version: item.Version, parts: parts, notebook: true, session: s}
		d.worker = s.newWorker(d.path)
		d.submit()
		return d
	})
	return nil
}

// cellsOf returns the parts of cells. texts has only the texts of Python cells, because a client
// sends no others.
func cellsOf(cells []cellParams, texts []textParams) ([]part, error) {
	parts := make([]part, len(cells))
	for i, c := range cells {
		key, err := uri.Parse(c.Document)
		if err != nil {
			return nil, fmt.Errorf("cell %d: %w", i, err)
		}
		parts[i] = part{uri: c.Document, key: key, failure: notebook.Failed(string(c.Metadata.Outputs))}
		at := slices.IndexFunc(texts, func(t textParams) bool { return t.URI == c.Document })
		if at < 0 {
			continue
		}
		t := texts[at]
		parts[i].version, parts[i].text = t.Version, string(t.Text)
		parts[i].python = c.Kind == code && isPython(t.LanguageID)
	}
	return parts, nil
}

// didChangeNotebook applies the changes of a new version.
func (s *session) didChangeNotebook(raw []byte) (err error) {
	var params changeNotebookParams
	if err := protocol.Unmarshal(raw, &params); err != nil {
		return err
	}
	id := params.NotebookDocument
	key, err := uri.Parse(id.URI)
	if err != nil {
		return err
	}
	s.docs.with(notebookKey(key), func(d *document) *document {
		switch {
		case d == nil:
			err = fmt.Errorf("%s is not open as a notebook", id.URI)
			return d
		case id.Version < d.version:
			err = fmt.Errorf("version %d of %s came after version %d", id.Version, id.URI, d.version)
			return d
		case d.lost:
			err = fmt.Errorf("%s waits to be opened again", id.URI)
			return d
		}
		parts, failed := s.changedCells(d, &params)
		if failed != nil {
			err = fmt.Errorf("%s waits to be opened again: %w", id.URI, failed)
			d.lose()
			return d
		}
		d.version = id.Version
		if params.Change.Cells != nil {
			d.parts = parts
			d.submit()
		}
		return d
	})
	return err
}

// changedCells returns the cells of a notebook after a change: first cells come, go and move,
// then texts change.
func (s *session) changedCells(d *document, params *changeNotebookParams) ([]part, error) {
	parts := slices.Clone(d.parts)
	cells := params.Change.Cells
	if cells == nil {
		return parts, nil
	}
	if structure := cells.Structure; structure != nil {
		a := structure.Array
		if a.Start < 0 || a.Start > len(parts) || a.DeleteCount < 0 || a.DeleteCount > len(parts)-a.Start {
			return nil, fmt.Errorf("there are %d cells, and %d from number %d on are to go", len(parts), a.DeleteCount, a.Start)
		}
		added, err := cellsOf(a.Cells, structure.DidOpen)
		if err != nil {
			return nil, err
		}
		for i, p := range added {
			// A moved cell is not opened again: it keeps its text.
			was := slices.IndexFunc(d.parts, func(q part) bool { return q.key == p.key })
			opened := slices.ContainsFunc(structure.DidOpen, func(t textParams) bool { return t.URI == p.uri })
			if was >= 0 && !opened {
				added[i] = d.parts[was]
			}
		}
		parts = slices.Replace(parts, a.Start, a.Start+a.DeleteCount, added...)
	}
	for _, c := range cells.Data {
		for i := range parts {
			if parts[i].uri == c.Document {
				parts[i].python = parts[i].python && c.Kind == code
				parts[i].failure = notebook.Failed(string(c.Metadata.Outputs))
			}
		}
	}
	for _, c := range cells.TextContent {
		i := slices.IndexFunc(parts, func(p part) bool { return p.uri == c.Document.URI })
		if i < 0 {
			return nil, fmt.Errorf("it has no cell %s", c.Document.URI)
		}
		changes, err := changesOf(c.Changes)
		if err != nil {
			return nil, fmt.Errorf("cell %s: %w", c.Document.URI, err)
		}
		parts[i].version = c.Document.Version
		parts[i].text = edited(linesOf(d, parts[i]), changes, s.client.encoding)
	}
	return parts, nil
}

// DidCloseNotebookDocument closes a notebook and retracts its diagnostics.
func (s *session) DidCloseNotebookDocument(_ context.Context, params *protocol.DidCloseNotebookDocumentParams) error {
	key := params.NotebookDocument.URI
	s.kernels.told.Delete(s.docs.path(notebookKey(key)))
	err := s.didClose(notebookKey(key))
	s.docs.with(key, func(text *document) *document {
		if text != nil {
			text.wake(s.newWorker)
		}
		return text
	})
	return err
}

// DidSaveNotebookDocument changes nothing.
func (s *session) DidSaveNotebookDocument(context.Context, *protocol.DidSaveNotebookDocumentParams) error {
	s.saved()
	return nil
}
