package lsp

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// A lastPulled is what a client that pulls was told last of a part.
type lastPulled struct {
	version int32
	id      string // of the result
}

// Diagnostic answers a pull of one document, or of one cell, by its newest version:
// one that is superseded while it is analysed is nothing to wait for, nor to answer
// by an error, which VS Code takes for "no diagnostics".
func (s *session) Diagnostic(ctx context.Context, params *protocol.DocumentDiagnosticParams) (protocol.DocumentDiagnosticReport, error) {
	key, previous := params.TextDocument.URI, ""
	if params.PreviousResultID != nil {
		previous = *params.PreviousResultID
	}
	jsonrpc2.Async(ctx)
	for {
		doc, err := s.newest(ctx, key)
		switch {
		case err != nil:
			return nil, err
		case !doc.open:
			return documentReport(s.unopened(pathOf(key)), previous, nil), nil
		case doc.keepPrevious && previous != "":
			return unchangedReport(previous), nil
		case len(doc.snapshots) == 0:
			return documentReport(nil, previous, nil), nil
		}
		if told, ok := doc.tell(s.client.related); ok {
			own := doc.snapshots[0].parts[doc.part].uri
			list := told[own]
			delete(told, own)
			return documentReport(list, previous, told), nil
		}
	}
}

// tell are the diagnostics of the part that is meant, with related those of the others of
// its programs too, by their URIs. It is false where a program was superseded.
func (v view) tell(related bool) (told map[string][]protocol.Diagnostic, ok bool) {
	told = map[string][]protocol.Diagnostic{}
	for _, snap := range slices.Backward(v.snapshots) { // its own program first
		own := map[string][]protocol.Diagnostic{}
		lists := byPart(snap, snap.all)
		for i, p := range snap.parts {
			if i == v.part || related {
				own[p.uri] = lists[i]
				told[p.uri] = append(told[p.uri], lists[i]...)
			}
		}
		if !snap.worker.tell(snap, own) {
			return nil, false
		}
	}
	return told, true
}

// newest is the document of a key in its newest version, once that is priced; without a
// snapshot where there is none that the client has too.
func (s *session) newest(ctx context.Context, key uri.URI) (view, error) {
	for {
		doc := s.docs.view(key)
		var err error
		for _, snap := range doc.snapshots {
			if err == nil {
				err = snap.priced(ctx)
			}
		}
		if !errors.Is(err, protocol.ErrContentModified) {
			return doc, err
		}
		if ctx.Err() != nil {
			return doc, protocol.ErrRequestCancelled
		}
	}
}

// tell notes what the client is told of parts of a snapshot, by their URIs, so that it
// is asked to pull again where another analysis finds something else in the versions
// that it has. It is false where the snapshot was superseded, and had better not be told.
func (w *worker) tell(snap *snapshot, told map[string][]protocol.Diagnostic) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.newest.Load() != snap {
		return false
	}
	before := w.given
	w.given = make(map[string]lastPulled, len(snap.parts))
	for _, p := range snap.parts {
		if list, ok := told[p.uri]; ok {
			w.given[p.uri] = lastPulled{p.version, resultID(list)}
		} else if g, ok := before[p.uri]; ok {
			w.given[p.uri] = g
		}
	}
	return true
}

// outdated tells whether the client was told something else of the versions of the
// parts that it has.
func (w *worker) outdated(snap *snapshot, lists [][]protocol.Diagnostic) bool {
	for i, p := range snap.parts {
		if g, ok := w.given[p.uri]; ok && g.version == p.version && g.id != resultID(lists[i]) {
			return true
		}
	}
	return false
}

// byPart are the diagnostics of what was found in a snapshot, a list a part. None is
// nil: LSP has it that an array must be sent.
func byPart(snap *snapshot, f found) [][]protocol.Diagnostic {
	if len(snap.parts) == 1 {
		return [][]protocol.Diagnostic{f.diagnostics}
	}
	lists := make([][]protocol.Diagnostic, len(snap.parts))
	for i := range lists {
		lists[i] = []protocol.Diagnostic{}
	}
	for i := range f.findings {
		at, _ := snap.place(f.findings[i].Span)
		lists[at] = append(lists[at], f.diagnostics[i])
	}
	return lists
}

// DiagnosticWorkspace answers a pull of the files in the client's folders that a check
// would look at, where the user wants more than the open ones, which are pulled one by one;
// and takes back what is no longer among them. A client that lets
// results be streamed gets them as they come. Such a client, as VS Code, asks again
// as soon as it has an answer, so that one which would say nothing new waits for
// something to say.
func (s *session) DiagnosticWorkspace(ctx context.Context, params *protocol.WorkspaceDiagnosticParams) (*protocol.WorkspaceDiagnosticReport, error) {
	jsonrpc2.Async(ctx)
	work := s.progress(params.WorkDoneToken)
	defer work.end()
	for {
		changed := s.changed.next() // before the files are looked at
		p := newWorkspacePull(s, params)
		if err := s.scan(ctx, p.add, work); err != nil {
			return nil, err
		}
		p.retractOthers(ctx)
		if p.retractClosed(); ctx.Err() != nil {
			return nil, protocol.ErrRequestCancelled
		}
		work.end()
		if p.news || params.PartialResultToken == nil {
			return &protocol.WorkspaceDiagnosticReport{Items: p.take()}, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, protocol.ErrRequestCancelled
		}
	}
}

// A workspacePull is the answer to a workspace/diagnostic as it comes about.
type workspacePull struct {
	session  *session
	stream   protocol.ProgressToken
	previous map[uri.URI]string // the ids of results, less those that were reported on
	told     map[uri.URI]bool   // what was reported on, or is as the client has it
	items    []reported
	news     bool // something is not as the client has it
}

// A reported is a report on a document.
type reported struct {
	spelt string
	protocol.WorkspaceDocumentDiagnosticReport
}

// streamed is of how many files at once results are streamed.
const streamed = 32

func newWorkspacePull(s *session, params *protocol.WorkspaceDiagnosticParams) *workspacePull {
	p := &workspacePull{session: s, stream: params.PartialResultToken, previous: map[uri.URI]string{}, told: map[uri.URI]bool{}}
	for _, r := range params.PreviousResultIds {
		p.previous[r.URI] = r.Value
	}
	return p
}

// add reports on a document, in a version where it is open.
func (p *workspacePull) add(spelt string, version *int32, items []protocol.Diagnostic) {
	key := normalised(spelt)
	report, unchanged := workspaceReport(spelt, version, items, p.previous[key])
	delete(p.previous, key)
	p.told[key] = true
	p.items = append(p.items, reported{spelt, report})
	p.news = p.news || !unchanged
	if p.news && p.stream != nil && len(p.items) >= streamed {
		p.session.report(p.stream, &protocol.WorkspaceDiagnosticReportPartialResult{Items: p.take()})
	}
}

// take are the reports that are not sent yet, in order of their URIs.
func (p *workspacePull) take() []protocol.WorkspaceDocumentDiagnosticReport {
	slices.SortFunc(p.items, func(a, b reported) int { return strings.Compare(a.spelt, b.spelt) })
	out := make([]protocol.WorkspaceDocumentDiagnosticReport, len(p.items))
	for i, r := range p.items {
		out[i] = r.WorkspaceDocumentDiagnosticReport
	}
	p.items = nil
	return out
}

// retractOthers takes back what was reported on before and is not now: files that are
// gone, or were closed where a check would not look.
func (p *workspacePull) retractOthers(ctx context.Context) {
	for key, id := range maps.Clone(p.previous) {
		if p.told[key] = true; id == nothing {
			continue
		}
		doc, err := p.session.newest(ctx, key)
		if len(doc.snapshots) == 0 || err != nil {
			p.news = true
			p.items = append(p.items, reported{string(key), emptyReport(string(key))})
			continue
		}
		at := &doc.snapshots[0].parts[doc.part]
		items := []protocol.Diagnostic{}
		for _, snap := range slices.Backward(doc.snapshots) {
			items = append(items, byPart(snap, snap.all)[doc.part]...)
		}
		p.add(at.uri, &at.version, items)
	}
}

// nothing is the id of a result without diagnostics.
var nothing = resultID([]protocol.Diagnostic{})

// retractClosed takes back what was told of documents that were closed, where nothing else is
// reported on them, as often as it is asked until the client names the result: VS Code leaves
// what it has pulled of a document as it is when that is closed, and forgets the id.
func (p *workspacePull) retractClosed() {
	p.session.closed.Range(func(key, spelt any) bool {
		if p.told[key.(uri.URI)] || p.session.docs.view(key.(uri.URI)).open {
			p.session.closed.Delete(key)
			return true
		}
		p.news = true
		p.items = append(p.items, reported{spelt.(string), emptyReport(spelt.(string))})
		return true
	})
}

// normalised is a URI as keys are written.
func normalised(spelt string) uri.URI {
	if key, err := uri.Parse(spelt); err == nil {
		return key
	}
	return uri.URI(spelt)
}
