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

// A lastPulled is the last answer to a pull of a part.
type lastPulled struct {
	version int32
	id      string // of the result
}

// Diagnostic answers a pull of one document, or of one cell, with the diagnostics of its newest
// version. It starts again if that version is superseded: VS Code takes an error for "no
// diagnostics".
func (s *session) Diagnostic(ctx context.Context, params *protocol.DocumentDiagnosticParams) (protocol.DocumentDiagnosticReport, error) {
	key, previous := params.TextDocument.URI, ""
	if params.PreviousResultID != nil {
		previous = *params.PreviousResultID
	}
	jsonrpc2.Async(ctx)
	for {
		doc, err := s.newest(ctx, key)
		for _, snap := range doc.snapshots {
			if err == nil {
				err = snap.waitPaused(ctx)
			}
		}
		switch {
		case errors.Is(err, protocol.ErrContentModified):
			continue
		case err != nil:
			return nil, err
		case !doc.open:
			items := s.unopened(pathOf(key))
			if s.client.pullsWorkspace && s.closed.pulled(key) {
				s.refresh.changed.notify()
			}
			return documentReport(items, previous, nil), nil
		case doc.keepPrevious && previous != "":
			return unchangedReport(previous), nil
		case len(doc.snapshots) == 0:
			return documentReport(nil, previous, nil), nil
		}
		if byURI, ok := doc.pull(s.client.related); ok {
			own := doc.snapshots[0].parts[doc.part].uri
			list := byURI[own]
			delete(byURI, own)
			return documentReport(list, previous, byURI), nil
		}
	}
}

// pull returns the diagnostics of the requested part by URI. With related, it adds those of the
// other parts of its programs. It reports false if a program was superseded.
func (v view) pull(related bool) (all map[string][]protocol.Diagnostic, ok bool) {
	all = map[string][]protocol.Diagnostic{}
	for _, snap := range slices.Backward(v.snapshots) { // the document's own program first
		own := map[string][]protocol.Diagnostic{}
		lists := byPart(snap, snap.all)
		for i, p := range snap.parts {
			if i == v.part || related {
				own[p.uri] = lists[i]
				all[p.uri] = append(all[p.uri], lists[i]...)
			}
		}
		if !snap.worker.recordPull(snap, own) {
			return nil, false
		}
	}
	return all, true
}

// newest returns the newest version of a document once all rules have run. The view has no
// snapshot if no version matches the client's text.
func (s *session) newest(ctx context.Context, key uri.URI) (view, error) {
	for {
		doc := s.docs.view(key)
		var err error
		for _, snap := range doc.snapshots {
			if err == nil {
				err = snap.waitSettled(ctx)
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

// recordPull records the diagnostics of a pull, so that the client is asked to pull again if
// another analysis of the same versions finds something else. It reports false if the snapshot
// was superseded; its diagnostics must not be sent then.
func (w *worker) recordPull(snap *snapshot, lists map[string][]protocol.Diagnostic) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.newest.Load() != snap {
		return false
	}
	before := w.pulled
	w.pulled = make(map[string]lastPulled, len(snap.parts))
	for _, p := range snap.parts {
		if list, ok := lists[p.uri]; ok {
			w.pulled[p.uri] = lastPulled{p.version, resultID(list)}
		} else if g, ok := before[p.uri]; ok {
			w.pulled[p.uri] = g
		}
	}
	return true
}

// outdated reports whether a pull of the same versions was answered with other diagnostics.
func (w *worker) outdated(snap *snapshot, lists [][]protocol.Diagnostic) bool {
	for i, p := range snap.parts {
		if g, ok := w.pulled[p.uri]; ok && g.version == p.version && g.id != resultID(lists[i]) {
			return true
		}
	}
	return false
}

// byPart splits the diagnostics of a snapshot by part. No list is nil: LSP requires an array.
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

// DiagnosticWorkspace answers a pull of all files that tfmem check would visit, if the settings
// want more than the open files, which are pulled one by one. It retracts the diagnostics of
// files that are no longer among them. A client that allows partial results gets them as they
// come. Such a client, like VS Code, asks again as soon as it has an answer, so an answer without
// news waits for some.
func (s *session) DiagnosticWorkspace(ctx context.Context, params *protocol.WorkspaceDiagnosticParams) (*protocol.WorkspaceDiagnosticReport, error) {
	jsonrpc2.Async(ctx)
	work := s.out.progress(params.WorkDoneToken)
	defer work.end()
	for {
		changed := s.refresh.changed.next() // before the scan
		p := newWorkspacePull(s, params)
		if err := s.scan(ctx, p.add, work); err != nil {
			return nil, err
		}
		p.retractOthers(ctx)
		if p.retractClosed(); ctx.Err() != nil {
			return nil, protocol.ErrRequestCancelled
		}
		work.end()
		if p.changed || params.PartialResultToken == nil {
			return &protocol.WorkspaceDiagnosticReport{Items: p.take()}, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, protocol.ErrRequestCancelled
		}
	}
}

// A workspacePull collects the answer to a workspace/diagnostic request.
type workspacePull struct {
	session  *session
	stream   protocol.ProgressToken
	previous map[uri.URI]string // the client's result ids, without those of reported documents
	covered  map[uri.URI]bool   // documents that are reported, or need no report
	items    []reported
	changed  bool // a report differs from what the client has
}

// A reported is the report on one document.
type reported struct {
	clientURI string
	protocol.WorkspaceDocumentDiagnosticReport
}

// streamed is how many reports one partial result holds.
const streamed = 32

func newWorkspacePull(s *session, params *protocol.WorkspaceDiagnosticParams) *workspacePull {
	p := &workspacePull{session: s, stream: params.PartialResultToken, previous: map[uri.URI]string{}, covered: map[uri.URI]bool{}}
	for _, r := range params.PreviousResultIds {
		p.previous[r.URI] = r.Value
	}
	s.closed.distrust(p.previous, func(key uri.URI) bool { return s.docs.view(key).open })
	return p
}

// add reports on a document, with its version if it is open.
func (p *workspacePull) add(clientURI string, version *int32, items []protocol.Diagnostic) {
	key := normalised(clientURI)
	report, unchanged := workspaceReport(clientURI, version, items, p.previous[key])
	delete(p.previous, key)
	p.covered[key] = true
	p.items = append(p.items, reported{clientURI, report})
	p.changed = p.changed || !unchanged
	if p.changed && p.stream != nil && len(p.items) >= streamed {
		p.session.out.report(p.stream, &protocol.WorkspaceDiagnosticReportPartialResult{Items: p.take()})
	}
}

// take returns the reports that are not sent yet, sorted by URI.
func (p *workspacePull) take() []protocol.WorkspaceDocumentDiagnosticReport {
	slices.SortFunc(p.items, func(a, b reported) int { return strings.Compare(a.clientURI, b.clientURI) })
	out := make([]protocol.WorkspaceDocumentDiagnosticReport, len(p.items))
	for i, r := range p.items {
		out[i] = r.WorkspaceDocumentDiagnosticReport
	}
	p.items = nil
	return out
}

// retractOthers retracts earlier reports that no longer hold: the file is gone, or it was closed
// and tfmem check would not visit it.
func (p *workspacePull) retractOthers(ctx context.Context) {
	for key, id := range maps.Clone(p.previous) {
		if p.covered[key] = true; id == nothing {
			continue
		}
		doc, err := p.session.newest(ctx, key)
		if len(doc.snapshots) == 0 || err != nil {
			p.changed = true
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

// nothing is the result id for no diagnostics.
var nothing = resultID([]protocol.Diagnostic{})

// retractClosed retracts the diagnostics of closed documents that have no other report.
func (p *workspacePull) retractClosed() {
	for key, clientURI := range p.session.closed.report() {
		if !p.covered[key] {
			p.changed = true
			p.items = append(p.items, reported{clientURI, emptyReport(clientURI)})
		}
	}
}

// normalised returns a URI in the form of the documents' keys.
func normalised(clientURI string) uri.URI {
	if key, err := uri.Parse(clientURI); err == nil {
		return key
	}
	return uri.URI(clientURI)
}
