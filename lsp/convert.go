package lsp

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strconv"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

const (
	// fixAllKind is the kind of the action that applies all safe fixes of a document, or of one
	// cell. notebookFixAllKind is the kind for a whole notebook.
	fixAllKind         = protocol.CodeActionKindSourceFixAll + ".tfmem"
	notebookFixAllKind = "notebook." + fixAllKind
	// rewriteKind is the kind of changes that are offered without a finding.
	rewriteKind = protocol.CodeActionKindRefactorRewrite + ".tfmem"
)

// A client is what a client declares about itself in initialize, as far as answers depend on it.
type client struct {
	encoding        source.Encoding
	markdown        bool // hovers may be Markdown
	documentChanges bool // edits may name the version they are for
	creates         bool // and files that are to be made
	resolves        bool // it requests the edit of an action once the user chooses it
	watches         bool // it can watch files
	watchesBelow    bool // and those below a folder that is not among its own
	notebooks       bool // it sends notebooks as such
	pulls           bool // it pulls diagnostics, and can be asked to pull again
	pullsWorkspace  bool // and those of files that are not open
	related         bool // and accepts those of other documents in an answer
	aids            aids
	around          surroundings
	folders         []folder // at first
}

// clientOf reads a client's capabilities. If the client lists several of a kind by preference,
// the first known one counts.
func clientOf(params *protocol.InitializeParams) client {
	c := client{encoding: source.UTF16}
	caps := params.Capabilities
	if g := caps.General; g != nil {
		for _, kind := range slices.Backward(g.PositionEncodings) {
			if enc := slices.Index(encodings[:], kind); enc >= 0 {
				c.encoding = source.Encoding(enc)
			}
		}
	}
	if t := caps.TextDocument; t != nil && t.Hover != nil && len(t.Hover.ContentFormat) > 0 {
		c.markdown = t.Hover.ContentFormat[0] == protocol.MarkupKindMarkdown
	}
	if t := caps.TextDocument; t != nil && t.CodeAction != nil {
		data := t.CodeAction.DataSupport
		c.resolves = data != nil && *data && slices.Contains(t.CodeAction.ResolveSupport.Properties, "edit")
	}
	if w := caps.Workspace; w != nil && w.WorkspaceEdit != nil {
		c.documentChanges = w.WorkspaceEdit.DocumentChanges != nil && *w.WorkspaceEdit.DocumentChanges
		c.creates = c.documentChanges && slices.Contains(w.WorkspaceEdit.ResourceOperations, protocol.ResourceOperationKindCreate)
	}
	if w := caps.Workspace; w != nil && w.DidChangeWatchedFiles != nil {
		c.watches = w.DidChangeWatchedFiles.DynamicRegistration != nil && *w.DidChangeWatchedFiles.DynamicRegistration
		c.watchesBelow = w.DidChangeWatchedFiles.RelativePatternSupport != nil && *w.DidChangeWatchedFiles.RelativePatternSupport
	}
	c.notebooks = caps.NotebookDocument != nil
	// A client that cannot be asked to pull again, like Neovim before 0.11, would not learn of a
	// GPU that is found late, or of an edited module. Such a client gets pushed diagnostics.
	if t, w := caps.TextDocument, caps.Workspace; t != nil && t.Diagnostic != nil && w != nil && w.Diagnostics != nil {
		c.pulls = w.Diagnostics.RefreshSupport != nil && *w.Diagnostics.RefreshSupport
		c.related = t.Diagnostic.RelatedDocumentSupport != nil && *t.Diagnostic.RelatedDocumentSupport
		// If asked to pull again, Neovim (0.12) pulls for its open buffers only from a server
		// without workspace diagnostics.
		c.pullsWorkspace = params.ClientInfo.Name != "Neovim"
	}
	c.aids = aidsOf(&caps)
	c.around = surroundingsOf(params)
	folders, _ := params.WorkspaceFolders.Get()
	for _, f := range folders {
		if f, ok := folderOf(f.URI); ok {
			c.folders = append(c.folders, f)
		}
	}
	// Clients older than workspace folders, and JupyterLab, name the one root.
	//lint:ignore SA1019 such clients are still there
	if root := params.RootURI; len(c.folders) == 0 && root != nil {
		if f, ok := folderOf(*root); ok {
			c.folders = append(c.folders, f)
		}
	}
	return c
}

var encodings = [...]protocol.PositionEncodingKind{
	source.UTF8:  protocol.PositionEncodingKindUTF8,
	source.UTF16: protocol.PositionEncodingKindUTF16,
	source.UTF32: protocol.PositionEncodingKindUTF32,
}

// capabilities returns the server's capabilities: those of the methods in served, and no others.
func capabilities(c client, version string) *protocol.InitializeResult {
	out := &protocol.InitializeResult{
		ServerInfo: protocol.ServerInfo{Name: "tfmem", Version: protocol.NewOptional(version)},
		Capabilities: protocol.ServerCapabilities{
			PositionEncoding: encodings[c.encoding],
			TextDocumentSync: &protocol.TextDocumentSyncOptions{
				OpenClose: new(true),
				Change:    new(protocol.TextDocumentSyncKindIncremental),
				Save:      &protocol.SaveOptions{IncludeText: new(false)},
			},
			HoverProvider: protocol.Boolean(true),
			CodeActionProvider: &protocol.CodeActionOptions{
				CodeActionKinds: []protocol.CodeActionKind{protocol.CodeActionKindQuickFix, fixAllKind, rewriteKind},
			},
		},
	}
	if c.resolves {
		out.Capabilities.CodeActionProvider.(*protocol.CodeActionOptions).ResolveProvider = new(true)
	}
	if c.pulls {
		out.Capabilities.DiagnosticProvider = &protocol.DiagnosticOptions{
			Identifier: new("tfmem"), InterFileDependencies: true, WorkspaceDiagnostics: c.pullsWorkspace,
			WorkDoneProgressOptions: protocol.WorkDoneProgressOptions{WorkDoneProgress: new(c.pullsWorkspace)},
		}
	}
	c.aids.announce(&out.Capabilities)
	c.around.announce(&out.Capabilities)
	if c.notebooks {
		out.Capabilities.NotebookDocumentSync = &protocol.NotebookDocumentSyncOptions{
			// All cells count, text cells too, as they do for people.
			NotebookSelector: []protocol.NotebookSelector{&protocol.NotebookDocumentFilterWithNotebook{Notebook: protocol.String("*")}},
			Save:             new(true),
		}
		actions := out.Capabilities.CodeActionProvider.(*protocol.CodeActionOptions)
		actions.CodeActionKinds = append(actions.CodeActionKinds, notebookFixAllKind)
	}
	return out
}

func positionOf(p protocol.Position) source.Position {
	return source.Position{Line: int(p.Line), Column: int(p.Character)}
}

// rangeIn returns the range of a span in a file that is not open.
func rangeIn(s *source.Source, span source.Span, enc source.Encoding) protocol.Range {
	place := s.Place(span)
	return rangeAt(s.Segments()[place.Segment].Lines(), place.Span, enc)
}

func rangeAt(lines *source.Lines, span source.Span, enc source.Encoding) protocol.Range {
	return protocol.Range{Start: positionIn(lines, span.Start, enc), End: positionIn(lines, span.End, enc)}
}

func positionIn(lines *source.Lines, offset int, enc source.Encoding) protocol.Position {
	p := lines.Position(offset, enc)
	return protocol.Position{Line: uint32(p.Line), Character: uint32(p.Column)}
}

// diagnosticsOf makes a diagnostic of each finding. The slice is never nil, because LSP requires
// an array.
func (s *session) diagnosticsOf(snap *snapshot, page func(*rule.Rule) string, findings []rule.Finding) []protocol.Diagnostic {
	enc := s.client.encoding
	diagnostics := make([]protocol.Diagnostic, len(findings))
	for i, f := range findings {
		d := protocol.Diagnostic{
			Range:    snap.rangeOf(f.Span, enc),
			Severity: severities[f.Severity],
			Code:     protocol.String(f.Rule.Code),
			Source:   protocol.NewOptional("tfmem"),
			Message:  protocol.String(f.Message),
			Data:     dataOf(f),
		}
		if page != nil {
			d.CodeDescription.Href = uri.URI(page(f.Rule))
		}
		for _, r := range f.Related {
			d.RelatedInformation = append(d.RelatedInformation, protocol.DiagnosticRelatedInformation{Location: s.locate(snap, r), Message: r.Message})
		}
		var drawn []protocol.DiagnosticTag
		for _, t := range f.Tags {
			drawn = append(drawn, tags[t])
		}
		d.Tags.Set(drawn)
		diagnostics[i] = d
	}
	return diagnostics
}

var severities = [...]protocol.DiagnosticSeverity{
	rule.Hint:        protocol.DiagnosticSeverityHint,
	rule.Information: protocol.DiagnosticSeverityInformation,
	rule.Warning:     protocol.DiagnosticSeverityWarning,
	rule.Error:       protocol.DiagnosticSeverityError,
}

var tags = [...]protocol.DiagnosticTag{
	rule.Unnecessary: protocol.DiagnosticTagUnnecessary,
	rule.Deprecated:  protocol.DiagnosticTagDeprecated,
}

// dataOf returns what a client with its own display of diagnostics needs beside the code: the
// rule's name, and the best fix.
func dataOf(f rule.Finding) protocol.LSPAny {
	if len(f.Fixes) == 0 {
		return fmt.Appendf(nil, `{"name":%q}`, f.Rule.Name)
	}
	best := rule.Display
	for _, fix := range f.Fixes {
		best = max(best, fix.Applicability)
	}
	return fmt.Appendf(nil, `{"name":%q,"fix":%q}`, f.Rule.Name, best)
}

// publication holds diagnostics for the client. A document that is closed, or whose text is not
// known, has no version.
func publication(clientURI string, version *int32, diagnostics []protocol.Diagnostic) *protocol.PublishDiagnosticsParams {
	p := &protocol.PublishDiagnosticsParams{URI: uri.URI(clientURI), Diagnostics: diagnostics}
	if version != nil {
		p.Version.Set(*version)
	}
	return p
}

// resultID identifies diagnostics by their content, so that no list of sent diagnostics is
// needed.
func resultID(items []protocol.Diagnostic) string {
	h := fnv.New64a()
	for i := range items {
		raw, err := protocol.Marshal(&items[i])
		if err != nil {
			panic(err) // diagnostics can be marshalled
		}
		_, _ = h.Write(raw) // Write never returns an error
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

const (
	full      = string(protocol.DocumentDiagnosticReportKindFull)
	unchanged = string(protocol.DocumentDiagnosticReportKindUnchanged)
)

// fullReport always has an array, as LSP requires.
func fullReport(items []protocol.Diagnostic, id *string) protocol.FullDocumentDiagnosticReport {
	if items == nil {
		items = []protocol.Diagnostic{}
	}
	return protocol.FullDocumentDiagnosticReport{Kind: full, ResultID: id, Items: items}
}

// documentReport answers a pull. If the client has the result with the previous id, it answers
// "unchanged". Other documents' diagnostics come with it, by URI.
func documentReport(items []protocol.Diagnostic, previous string, others map[string][]protocol.Diagnostic) protocol.DocumentDiagnosticReport {
	related := map[uri.URI]protocol.FullDocumentDiagnosticReportOrUnchangedDocumentDiagnosticReport{}
	for clientURI, list := range others {
		report := fullReport(list, new(resultID(list)))
		related[uri.URI(clientURI)] = &report
	}
	id := resultID(items)
	if id == previous {
		return &protocol.RelatedUnchangedDocumentDiagnosticReport{
			UnchangedDocumentDiagnosticReport: protocol.UnchangedDocumentDiagnosticReport{Kind: unchanged, ResultID: id}, RelatedDocuments: related,
		}
	}
	return &protocol.RelatedFullDocumentDiagnosticReport{FullDocumentDiagnosticReport: fullReport(items, &id), RelatedDocuments: related}
}

// unchangedReport tells the client to keep the last result.
func unchangedReport(previous string) protocol.DocumentDiagnosticReport {
	return &protocol.RelatedUnchangedDocumentDiagnosticReport{
		UnchangedDocumentDiagnosticReport: protocol.UnchangedDocumentDiagnosticReport{Kind: unchanged, ResultID: previous},
	}
}

// workspaceReport is documentReport for one of many files. It also reports whether the result is
// unchanged.
func workspaceReport(clientURI string, version *int32, items []protocol.Diagnostic, previous string) (report protocol.WorkspaceDocumentDiagnosticReport, same bool) {
	id := resultID(items)
	if id == previous {
		return &protocol.WorkspaceUnchangedDocumentDiagnosticReport{
			UnchangedDocumentDiagnosticReport: protocol.UnchangedDocumentDiagnosticReport{Kind: unchanged, ResultID: id}, URI: uri.URI(clientURI), Version: version,
		}, true
	}
	return &protocol.WorkspaceFullDocumentDiagnosticReport{FullDocumentDiagnosticReport: fullReport(items, &id), URI: uri.URI(clientURI), Version: version}, false
}

// emptyReport retracts the diagnostics of a document.
func emptyReport(clientURI string) protocol.WorkspaceDocumentDiagnosticReport {
	return &protocol.WorkspaceFullDocumentDiagnosticReport{FullDocumentDiagnosticReport: fullReport(nil, new(nothing)), URI: uri.URI(clientURI)}
}

// workBegins and workGoesOn report the progress of work on many files.
func workBegins(files int) *protocol.WorkDoneProgressBegin {
	return &protocol.WorkDoneProgressBegin{
		Kind: "begin", Title: "tfmem: checking the workspace", Percentage: new(uint32), Message: new(fmt.Sprintf("0/%d files", files)),
	}
}

func workGoesOn(files, of, percent int) *protocol.WorkDoneProgressReport {
	return &protocol.WorkDoneProgressReport{Kind: "report", Percentage: new(uint32(percent)), Message: new(fmt.Sprintf("%d/%d files", files, of))}
}

// moveToTop moves a diagnostic to the top of its document, and names its place in words.
// relatedToTop does so with a related place.
func moveToTop(d *protocol.Diagnostic, place string) {
	text, _ := d.Message.(protocol.String)
	d.Range, d.Message = protocol.Range{}, protocol.String(place+": ")+text
}

func relatedToTop(r *protocol.DiagnosticRelatedInformation, place string) {
	r.Location.Range, r.Message = protocol.Range{}, place+": "+r.Message
}

// actionOf returns an action without the parts that depend on resolving.
func (s *session) actionOf(a action) *protocol.CodeAction {
	out := &protocol.CodeAction{Title: a.title, Kind: &a.kind}
	if a.shows != nil {
		out.Command = lensOf(a.snap, *a.shows, s.client).Command
	}
	if a.preferred {
		out.IsPreferred = &a.preferred
	}
	for _, i := range a.mends {
		out.Diagnostics = append(out.Diagnostics, a.snap.all.diagnostics[i])
	}
	return out
}

// resolved returns an action with its edit. unresolved returns one with the data from which its
// edit is computed once it is chosen.
func (s *session) resolved(a action, edits []partEdit) *protocol.CodeAction {
	out := s.actionOf(a)
	if a.shows == nil {
		edit := s.editOf(a, edits)
		out.Edit = &edit
	}
	return out
}

func (s *session) unresolved(p place, a action) *protocol.CodeAction {
	out := s.actionOf(a)
	if a.shows != nil {
		return out
	}
	raw, err := protocol.Marshal(ticketOf(p, a))
	if err != nil {
		panic(err) // strings and numbers can be marshalled
	}
	out.Data = raw
	return out
}

// editOf returns the edits of an action: of a file that it makes, of parts, and of another file.
// They name the version they are for, if the client supports that.
func (s *session) editOf(a action, list []partEdit) (out protocol.WorkspaceEdit) {
	snap, c := a.snap, s.client
	// By part, in order of the parts' first edits.
	var touched []int
	edits := map[int][]protocol.TextEdit{}
	for _, e := range list {
		if edits[e.part] == nil {
			touched = append(touched, e.part)
		}
		edits[e.part] = append(edits[e.part], protocol.TextEdit{Range: rangeAt(snap.lines(e.part), e.Span, c.encoding), NewText: e.New})
	}
	if !c.documentChanges {
		out.Changes = map[uri.URI][]protocol.TextEdit{}
		for i, list := range edits {
			out.Changes[uri.URI(snap.parts[i].uri)] = list
		}
		if len(a.other.edits) > 0 {
			out.Changes[a.other.of] = a.other.edits
		}
		return out
	}
	of := func(at uri.URI, version *int32, list []protocol.TextEdit) {
		if len(list) == 0 {
			return
		}
		document := &protocol.TextDocumentEdit{}
		document.TextDocument.URI, document.TextDocument.Version = at, version
		for i := range list {
			document.Edits = append(document.Edits, &list[i])
		}
		out.DocumentChanges = append(out.DocumentChanges, document)
	}
	if a.module != nil {
		made := uri.File(filepath.Join(filepath.Dir(snap.source.Path), a.module.Name))
		out.DocumentChanges = append(out.DocumentChanges, &protocol.CreateFile{Kind: string(protocol.ResourceOperationKindCreate), URI: made})
		of(made, nil, []protocol.TextEdit{{NewText: a.module.Text}})
	}
	for _, i := range touched {
		of(uri.URI(snap.parts[i].uri), &snap.parts[i].version, edits[i])
	}
	of(a.other.of, a.other.version, a.other.edits)
	return out
}

// An otherEdit holds the edits of an action in another file. The zero otherEdit has none.
type otherEdit struct {
	of      uri.URI
	version *int32 // of the open document; nil if none is
	edits   []protocol.TextEdit
}

// editElsewhere returns the edits of a fix in another file. If the client has that file open, they
// are those of its text there. It reports false if the place was edited there.
func (s *session) editElsewhere(snap *snapshot, other rule.Elsewhere) (out otherEdit, ok bool) {
	if other.Source == nil {
		return otherEdit{}, true
	}
	path := other.Source.Path
	if s.workspace != nil {
		path = s.workspace.Absolute(path)
	}
	open := s.docs.openAt(path)
	for _, e := range other.Edits() {
		at := s.locate(snap, rule.Related{Span: e.Span, Source: other.Source})
		if open != nil {
			place := other.Source.Place(e.Span)
			span, ok := moved(place.Span, between(other.Source.Segments()[place.Segment].Lines().Text(), open.text), open.text)
			if !ok {
				return otherEdit{}, false
			}
			at.URI, at.Range, out.version = uri.URI(open.uri), rangeAt(source.NewLines(open.text), span, s.client.encoding), &open.version
		}
		out.of, out.edits = at.URI, append(out.edits, protocol.TextEdit{Range: at.Range, NewText: e.New})
	}
	return out, true
}

// hoverOf shows a text about a span.
func hoverOf(snap *snapshot, span source.Span, text markdown, c client) *protocol.Hover {
	r := snap.rangeOf(span, c.encoding)
	return &protocol.Hover{Contents: markup(text, c.markdown), Range: &r}
}
