package lsp

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

const (
	// fixAllKind is the kind of the action that makes all safe fixes, of a cell those
	// within it; notebookFixAllKind that of the one which makes those of a whole notebook.
	fixAllKind         = protocol.CodeActionKindSourceFixAll + ".tfmem"
	notebookFixAllKind = "notebook." + fixAllKind
	// rewriteKind is that of the changes that are offered without a finding.
	rewriteKind = protocol.CodeActionKindRefactorRewrite + ".tfmem"
)

// A client is what a client said of itself in initialize, as far as an answer
// depends on it.
type client struct {
	encoding        source.Encoding
	markdown        bool // hovers may be Markdown
	documentChanges bool // edits may name the version they are for
	watches         bool // it can be asked to watch files
	notebooks       bool // it sends notebooks as such
	aids            aids
	folders         []string
}

// clientOf reads a client's capabilities. Where it lists several of a kind, in
// order of its preference, the first that is known counts.
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
	if w := caps.Workspace; w != nil && w.WorkspaceEdit != nil {
		c.documentChanges = w.WorkspaceEdit.DocumentChanges != nil && *w.WorkspaceEdit.DocumentChanges
	}
	if w := caps.Workspace; w != nil && w.DidChangeWatchedFiles != nil {
		c.watches = w.DidChangeWatchedFiles.DynamicRegistration != nil && *w.DidChangeWatchedFiles.DynamicRegistration
	}
	c.notebooks = caps.NotebookDocument != nil
	c.aids = aidsOf(&caps)
	folders, _ := params.WorkspaceFolders.Get()
	for _, f := range folders {
		c.addFolder(f.URI)
	}
	// Clients older than workspace folders, and JupyterLab, name the one root.
	//lint:ignore SA1019 such clients are still there
	if root := params.RootURI; len(c.folders) == 0 && root != nil {
		c.addFolder(*root)
	}
	return c
}

// addFolder adds a folder of the user's, where it is one of files.
func (c *client) addFolder(u uri.URI) {
	if u.IsFile() {
		c.folders = append(c.folders, filepath.Clean(strings.Clone(u.FsPath())))
	}
}

// watchers asks a client to tell of changes to files.
func watchers(patterns []string) *protocol.RegistrationParams {
	options := &protocol.DidChangeWatchedFilesRegistrationOptions{}
	for _, p := range patterns {
		options.Watchers = append(options.Watchers, protocol.FileSystemWatcher{GlobPattern: protocol.Pattern(p)})
	}
	raw, err := protocol.Marshal(options)
	if err != nil {
		panic(err) // strings can be marshalled
	}
	return &protocol.RegistrationParams{Registrations: []protocol.Registration{{
		ID: "tfmem.files", Method: protocol.MethodWorkspaceDidChangeWatchedFiles, RegisterOptions: raw,
	}}}
}

var encodings = [...]protocol.PositionEncodingKind{
	source.UTF8:  protocol.PositionEncodingKindUTF8,
	source.UTF16: protocol.PositionEncodingKindUTF16,
	source.UTF32: protocol.PositionEncodingKindUTF32,
}

// capabilities are what the server says of itself: what served names, and not
// a word more.
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
	c.aids.announce(&out.Capabilities)
	if c.notebooks {
		out.Capabilities.NotebookDocumentSync = &protocol.NotebookDocumentSyncOptions{
			NotebookSelector: []protocol.NotebookSelector{&protocol.NotebookDocumentFilterWithCells{
				Notebook: protocol.String("*"), Cells: []protocol.NotebookCellLanguage{{Language: "python"}},
			}},
			Save: new(true),
		}
		actions := out.Capabilities.CodeActionProvider.(*protocol.CodeActionOptions)
		actions.CodeActionKinds = append(actions.CodeActionKinds, notebookFixAllKind)
	}
	return out
}

func positionOf(p protocol.Position) source.Position {
	return source.Position{Line: int(p.Line), Column: int(p.Character)}
}

// locationOf is where a span of the analysed text stands: in which part, and where
// there.
func locationOf(snap *snapshot, span source.Span, enc source.Encoding) protocol.Location {
	p := snap.parts[snap.source.Place(span).Segment]
	return protocol.Location{URI: uri.URI(p.uri), Range: rangeIn(snap.source, span, enc)}
}

// offsetIn is the byte of the analysed text at a position in one of its segments.
func offsetIn(snap *snapshot, segment int, p protocol.Position, enc source.Encoding) int {
	return snap.source.Offset(segment, offsetOf(snap.lines(segment), positionOf(p), enc))
}

func rangeIn(s *source.Source, span source.Span, enc source.Encoding) protocol.Range {
	place := s.Place(span)
	lines := s.Segments()[place.Segment].Lines()
	return protocol.Range{Start: positionIn(lines, place.Span.Start, enc), End: positionIn(lines, place.Span.End, enc)}
}

func positionIn(lines *source.Lines, offset int, enc source.Encoding) protocol.Position {
	p := lines.Position(offset, enc)
	return protocol.Position{Line: uint32(p.Line), Character: uint32(p.Column)}
}

// diagnosticsOf makes a diagnostic of each finding. The slice is never nil: LSP
// has it that an array must be sent.
func (s *session) diagnosticsOf(snap *snapshot, findings []rule.Finding) []protocol.Diagnostic {
	enc := s.client.encoding
	diagnostics := make([]protocol.Diagnostic, len(findings))
	for i, f := range findings {
		d := protocol.Diagnostic{
			Range:           rangeIn(snap.source, f.Span, enc),
			Severity:        severities[f.Severity],
			Code:            protocol.String(f.Rule.Code),
			CodeDescription: protocol.CodeDescription{Href: uri.URI(f.Rule.URL())},
			Source:          protocol.NewOptional("tfmem"),
			Message:         protocol.String(f.Message),
			Data:            dataOf(f),
		}
		for _, r := range f.Related {
			at := protocol.Location{}
			if r.Source == nil {
				at = locationOf(snap, r.Span, enc)
			} else {
				at = protocol.Location{URI: s.uriOf(r.Source), Range: rangeIn(r.Source, r.Span, enc)}
			}
			d.RelatedInformation = append(d.RelatedInformation, protocol.DiagnosticRelatedInformation{Location: at, Message: r.Message})
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

// dataOf is what a client that shows diagnostics in its own way wants beside
// the code: the rule's name, and the best fix there is.
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

// publication holds diagnostics for the client. A document that is closed, or
// whose text is not known, has no version.
func publication(spelt string, version *int32, diagnostics []protocol.Diagnostic) *protocol.PublishDiagnosticsParams {
	p := &protocol.PublishDiagnosticsParams{URI: uri.URI(spelt), Diagnostics: diagnostics}
	if version != nil {
		p.Version.Set(*version)
	}
	return p
}

// actionOf is an action with its edit, which names the version it was made for
// where the client lets it.
func actionOf(snap *snapshot, a action, c client) *protocol.CodeAction {
	out := &protocol.CodeAction{Title: a.title, Kind: &a.kind, Edit: &protocol.WorkspaceEdit{}}
	if a.preferred {
		out.IsPreferred = &a.preferred
	}
	if a.mends != nil {
		out.Diagnostics = []protocol.Diagnostic{*a.mends}
	}
	// By part, in order of the parts' first edits.
	var touched []int
	edits := map[int][]protocol.TextEdit{}
	for _, e := range a.edits {
		if edits[e.segment] == nil {
			touched = append(touched, e.segment)
		}
		lines := snap.lines(e.segment)
		r := protocol.Range{Start: positionIn(lines, e.Span.Start, c.encoding), End: positionIn(lines, e.Span.End, c.encoding)}
		edits[e.segment] = append(edits[e.segment], protocol.TextEdit{Range: r, NewText: e.New})
	}
	if !c.documentChanges {
		out.Edit.Changes = map[uri.URI][]protocol.TextEdit{}
		for i, list := range edits {
			out.Edit.Changes[uri.URI(snap.parts[i].uri)] = list
		}
		return out
	}
	for _, i := range touched {
		versioned := &protocol.TextDocumentEdit{}
		versioned.TextDocument.URI = uri.URI(snap.parts[i].uri)
		versioned.TextDocument.Version = &snap.parts[i].version
		for j := range edits[i] {
			versioned.Edits = append(versioned.Edits, &edits[i][j])
		}
		out.Edit.DocumentChanges = append(out.Edit.DocumentChanges, versioned)
	}
	return out
}

// hoverOf shows a text about a span.
func hoverOf(snap *snapshot, span source.Span, markdown string, c client) *protocol.Hover {
	contents := &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: markdown}
	if !c.markdown {
		contents.Kind, contents.Value = protocol.MarkupKindPlainText, plain(markdown)
	}
	r := rangeIn(snap.source, span, c.encoding)
	return &protocol.Hover{Contents: contents, Range: &r}
}
