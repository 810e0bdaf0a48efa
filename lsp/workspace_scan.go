package lsp

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"golang.org/x/sync/errgroup"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rule"
)

// A scanner keeps the results of scans for files that are not open. The next scan and pulls of
// single files use them.
type scanner struct {
	running chan struct{} // holds a value while a scan runs

	mu    sync.Mutex // pulls of single files read what a scan writes
	scope Scope
	state scanState
	known map[string]*scanResult // by path
}

func newScanner() scanner { return scanner{running: make(chan struct{}, 1)} }

// A scanState is the state on which the results of every file depend.
type scanState struct {
	generation uint64 // of the settings
	gpus       *Detection
	files      uint64 // a hash of the list of files: an import may find another module
}

// A scanResult is the result for one file.
type scanResult struct {
	text    uint64            // a hash of the text
	modules map[string]uint64 // the hashes of the modules that the analysis read, by path
	items   []protocol.Diagnostic
	// foreign is set if the file neither mentions TensorFlow nor imports it indirectly.
	foreign bool
}

// A scan checks all files of the client's folders once. It has a workspace of its own, so it
// shares no locks with the analysis of open documents and frees its memory at the end.
type scan struct {
	*session
	scope     Scope
	workspace *project.Workspace
	fs        hashingFS
	before    map[string]*scanResult
}

// A hashingFS reads the modules that files import. It remembers the hash of each text as it was
// first read.
type hashingFS struct {
	project.FS
	hashes *sync.Map // by path
}

func (m hashingFS) Read(path string) (string, error) {
	text, err := m.FS.Read(path)
	m.hashes.LoadOrStore(path, hash(text))
	return text, err
}

// hash returns the hash of the text at path, or that of the empty text if path cannot be read.
func (m hashingFS) hash(path string) uint64 {
	h, ok := m.hashes.Load(path)
	if !ok {
		_, _ = m.Read(path)
		h, _ = m.hashes.Load(path)
	}
	return h.(uint64)
}

// scan reports every file that tfmem check would visit in the client's folders, if the settings
// want more than the open files. Open files are reported from their buffers, with their version.
// The scan uses half of the processors, starts no file while somebody types or the client reads
// slowly, and ends soon after ctx.
func (s *session) scan(ctx context.Context, report func(clientURI string, version *int32, items []protocol.Diagnostic), progress *work) error {
	if s.opts.Scope == nil || len(s.folders.paths()) == 0 {
		return nil
	}
	select {
	case s.scans.running <- struct{}{}:
	case <-ctx.Done():
		return protocol.ErrRequestCancelled
	}
	defer func() { <-s.scans.running }()
	s.refresh.scanned.Store(true)
	state := scanState{generation: s.generation.Load(), gpus: s.gpus.last.Load()} // before the settings are read
	r := s.newScan(s.wantedScope(ctx))
	state.files = hash(strings.Join(r.scope.Files, "\x00"))
	r.before = s.scans.valid(r.scope, state)
	if len(r.scope.Files) == 0 {
		return nil
	}

	progress.begin(len(r.scope.Files))
	var (
		group errgroup.Group
		mu    sync.Mutex // guards the variables below and report
		open  []string
		known = map[string]*scanResult{}
		done  int
	)
	group.SetLimit(max(1, runtime.GOMAXPROCS(0)/2))
	for _, path := range r.scope.Files {
		group.Go(func() error {
			s.typing.wait(ctx)
			if s.stream.wait(ctx); ctx.Err() != nil {
				return nil
			}
			isOpen := s.docs.keyAt(path) != ""
			var found *scanResult
			if !isOpen {
				found = r.file(path)
			}
			mu.Lock()
			defer mu.Unlock()
			if done++; isOpen {
				open = append(open, path)
			} else if found != nil {
				known[path] = found
				report(string(uri.File(path)), nil, found.items)
			}
			progress.done(done, len(r.scope.Files))
			return nil
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return protocol.ErrRequestCancelled
	}
	s.scans.keep(known)
	slices.Sort(open)
	for _, path := range open {
		s.stream.wait(ctx)
		if err := s.reportOpen(ctx, path, report); err != nil {
			return err
		}
	}
	return nil
}

// wantedScope returns what tfmem check would visit in the folders whose settings want more than
// the open files.
func (s *session) wantedScope(ctx context.Context) (scope Scope) {
	unwanted := func(path string) bool { return !s.editor(path).WantsWorkspace() }
	if folders := slices.DeleteFunc(s.folders.paths(), unwanted); len(folders) > 0 {
		scope = s.opts.Scope(ctx, folders, s.editor, s.out.warn)
		scope.Files = slices.DeleteFunc(scope.Files, unwanted) // a nested folder may differ
	}
	return scope
}

// reportOpen reports on an open document, or on each cell of an open notebook.
func (s *session) reportOpen(ctx context.Context, path string, report func(string, *int32, []protocol.Diagnostic)) error {
	doc, err := s.newest(ctx, s.docs.keyAt(path))
	if errors.Is(err, protocol.ErrRequestCancelled) {
		return err
	}
	if len(doc.snapshots) == 0 || err != nil {
		return nil
	}
	var parts []part
	items := map[string][]protocol.Diagnostic{}
	for _, snap := range slices.Backward(doc.snapshots) { // the document's own program first
		for i, list := range byPart(snap, snap.all) {
			p := snap.parts[i]
			if items[p.uri] == nil {
				parts, items[p.uri] = append(parts, p), []protocol.Diagnostic{}
			}
			items[p.uri] = append(items[p.uri], list...)
		}
	}
	for _, p := range parts {
		report(p.uri, &p.version, items[p.uri])
	}
	return nil
}

func (s *session) newScan(scope Scope) *scan {
	r := &scan{session: s, scope: scope}
	if s.workspace != nil {
		r.fs = hashingFS{s.files(), new(sync.Map)}
		r.workspace = s.newWorkspace(r.fs)
	}
	return r
}

// valid returns the results of the last scan, or nil if they depend on another state.
func (c *scanner) valid(scope Scope, state scanState) map[string]*scanResult {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.state
	c.scope, c.state = scope, state
	if before != state {
		return nil
	}
	return c.known
}

func (c *scanner) keep(known map[string]*scanResult) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = known
}

// forget makes the next scan analyse every file again.
func (c *scanner) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = nil
	c.state = scanState{}
}

// unopened returns the diagnostics of a file that is not open. It returns nil if the last scan
// did not visit the file.
func (s *session) unopened(path string) []protocol.Diagnostic {
	s.scans.mu.Lock()
	r := s.newScan(s.scans.scope)
	s.scans.mu.Unlock()
	if !slices.Contains(r.scope.Files, path) {
		return nil
	}
	if found := r.file(path); found != nil {
		return found.items
	}
	return nil
}

// file returns the result for a file, or nil if the file cannot be read.
func (r *scan) file(path string) (found *scanResult) {
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("tfmem has a bug: the analysis panicked", "path", path, "panic", p, "stack", string(debug.Stack()))
			found = nil
		}
	}()
	text, err := r.scope.Read(path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) { // it was deleted meanwhile
			r.out.warn(err)
		}
		return nil
	}
	text = strings.TrimPrefix(text, "\ufeff") // editors drop the mark too
	if !utf8.ValidString(text) {
		text = string([]rune(text)) // JSON must be valid UTF-8
	}
	found = &scanResult{text: hash(text)}
	programs, workspace, err := analyzer.Open(path, text, r.workspace)
	reaches := func(program *source.Source) bool { return workspace.ReachesTensorFlow(program.Path, program.Text()) }
	if before := r.before[path]; before != nil && before.text == found.text && r.same(before.modules) &&
		(!before.foreign || workspace == nil || !slices.ContainsFunc(programs, reaches)) {
		return before
	}
	found.items = []protocol.Diagnostic{}
	if err == nil { // else it is not a notebook, or one in another language
		r.analyse(path, programs, workspace, found)
	}
	return found
}

// analyse adds the findings in the programs of a file, and the hashes of the modules that the
// programs use.
func (r *scan) analyse(path string, programs []*source.Source, workspace *project.Workspace, found *scanResult) {
	how := r.complete(r.scope.Configure(path))
	how.Workspace = workspace
	connected := false
	found.foreign = true
	for _, program := range programs {
		file := analyzer.Analyze(program, how.Config)
		findings := how.Baseline.Unknown(path, program, rules.Check(file, how.Selection))
		logBugs(r.log, path, findings)
		snap := &snapshot{layout: layout{source: program, parts: make([]part, len(program.Segments()))}}
		for i := range snap.parts {
			snap.parts[i].uri = string(uri.File(path))
		}
		diagnostics := r.diagnosticsOf(snap, how.Page, findings)
		for i, f := range findings {
			toNotebook(program, f, &diagnostics[i])
		}
		found.items = append(found.items, diagnostics...)
		found.foreign = found.foreign && file.Unread == "" && !file.Relevant()
		connected = connected || file.Relevant() && file.Names().Connected()
	}
	if !connected {
		return
	}
	found.modules = map[string]uint64{}
	for _, module := range workspace.Modules(path) {
		found.modules[module] = r.fs.hash(module)
	}
}

// same reports whether the modules still have these hashes.
func (r *scan) same(modules map[string]uint64) bool {
	for path, before := range modules {
		if r.fs.hash(path) != before {
			return false
		}
	}
	return true
}

func hash(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // Write never returns an error
	return h.Sum64()
}

// toNotebook moves a diagnostic of a cell to the top of the notebook's file. The cells of a file
// that is not open have no URIs.
func toNotebook(src *source.Source, f rule.Finding, d *protocol.Diagnostic) {
	if src.Segments()[0].Cell == 0 {
		return
	}
	moveToTop(d, cellAndLine(src, f.Span))
	for i, r := range f.Related {
		if r.Source == nil {
			relatedToTop(&d.RelatedInformation[i], cellAndLine(src, r.Span))
		}
	}
}

// cellAndLine describes a place for the reader of a message.
func cellAndLine(src *source.Source, span source.Span) string {
	at := src.Place(span)
	cell := &src.Segments()[at.Segment]
	return fmt.Sprintf("cell %d, line %d", cell.Cell, cell.Lines().Line(at.Span.Start)+1)
}
