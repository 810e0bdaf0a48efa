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

// A scanner keeps what scans have found in files that are not open, for the next
// scan, and for whoever asks for one of them.
type scanner struct {
	turn chan struct{} // holds something while a scan runs

	mu    sync.Mutex // requests for one file read what a scan writes
	scope Scope
	state scanState
	known map[string]*scanned // by path
}

func newScanner() scanner { return scanner{turn: make(chan struct{}, 1)} }

// A scanState is what what is found in any file depends on.
type scanState struct {
	generation uint64 // of the settings
	gpus       *Detection
	files      uint64 // which there are: an import may find another module
}

// A scanned is what was found in a file.
type scanned struct {
	text    uint64            // its hash
	modules map[string]uint64 // the hashes of those that it was understood with, by path
	items   []protocol.Diagnostic
	// foreign is set where it neither mentioned TensorFlow nor led there.
	foreign bool
}

// A scan is one look at all files of the client's folders. It has a workspace of its
// own, so that it keeps no lock from the analysis of open documents, and nothing in
// memory when it is over.
type scan struct {
	*session
	scope     Scope
	workspace *project.Workspace
	modules   modules
	before    map[string]*scanned
}

// modules are the files that a scan reads because others import them. It remembers
// the hash of each as it was first read.
type modules struct {
	project.FS
	hashes *sync.Map // by path
}

func (m modules) Read(path string) (string, error) {
	text, err := m.FS.Read(path)
	m.hashes.LoadOrStore(path, hash(text))
	return text, err
}

// hash is that of the text at path; of what cannot be read, that of nothing.
func (m modules) hash(path string) uint64 {
	h, ok := m.hashes.Load(path)
	if !ok {
		_, _ = m.Read(path)
		h, _ = m.hashes.Load(path)
	}
	return h.(uint64)
}

// scan has each file reported that a check would look at of those folders of the client whose
// user wants more than the open files:
// what is open as it is in its buffer, or its cells' buffers, and in its version. It
// uses half of the processors, begins no file while somebody types or the client is slow to
// read, and ends soon after ctx.
func (s *session) scan(ctx context.Context, report func(spelt string, version *int32, items []protocol.Diagnostic), progress *work) error {
	if s.opts.Scope == nil || len(s.folders.paths()) == 0 {
		return nil
	}
	select {
	case s.scans.turn <- struct{}{}:
	case <-ctx.Done():
		return protocol.ErrRequestCancelled
	}
	defer func() { <-s.scans.turn }()
	s.scanned.Store(true)
	state := scanState{generation: s.generation.Load(), gpus: s.gpus.Load()} // before the settings are read
	r := s.newScan(s.wantedScope(ctx))
	state.files = hash(strings.Join(r.scope.Files, "\x00"))
	r.before = s.scans.valid(r.scope, state)
	if len(r.scope.Files) == 0 {
		return nil
	}

	progress.begin(len(r.scope.Files))
	var (
		group errgroup.Group
		mu    sync.Mutex // of what is below, and of report
		open  []string
		known = map[string]*scanned{}
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
			var found *scanned
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

// wantedScope is what a check would look at of the folders in which more than the open files
// is wanted.
func (s *session) wantedScope(ctx context.Context) (scope Scope) {
	unwanted := func(path string) bool { return !s.editor(path).WantsWorkspace() }
	if folders := slices.DeleteFunc(s.folders.paths(), unwanted); len(folders) > 0 {
		scope = s.opts.Scope(ctx, folders, s.editor, s.warn)
		scope.Files = slices.DeleteFunc(scope.Files, unwanted) // of a folder within
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
	for _, snap := range slices.Backward(doc.snapshots) { // its own program first
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

// newScan is a scan of a scope.
func (s *session) newScan(scope Scope) *scan {
	r := &scan{session: s, scope: scope}
	if s.workspace != nil {
		r.modules = modules{s.files(), new(sync.Map)}
		r.workspace = s.newWorkspace(r.modules)
	}
	return r
}

// valid are the results of the scan before, unless they depend on another state.
func (c *scanner) valid(scope Scope, state scanState) map[string]*scanned {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.state
	c.scope, c.state = scope, state
	if before != state {
		return nil
	}
	return c.known
}

func (c *scanner) keep(known map[string]*scanned) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = known
}

// forget has the next scan look at everything anew.
func (c *scanner) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = nil
	c.state = scanState{}
}

// unopened are the diagnostics of a file that is not open, which the last scan looked
// at; none for any other.
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

// file is what is found in a file, or nil where it cannot be read.
func (r *scan) file(path string) (found *scanned) {
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("tfmem has a bug: the analysis panicked", "path", path, "panic", p, "stack", string(debug.Stack()))
			found = nil
		}
	}()
	text, err := r.scope.Read(path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) { // gone since
			r.warn(err)
		}
		return nil
	}
	text = strings.TrimPrefix(text, "\ufeff") // as editors have it
	if !utf8.ValidString(text) {
		text = string([]rune(text)) // JSON holds no other
	}
	found = &scanned{text: hash(text)}
	programs, workspace, err := analyzer.Open(path, text, r.workspace)
	leads := func(program *source.Source) bool { return workspace.LeadsToTensorFlow(program.Path, program.Text()) }
	if before := r.before[path]; before != nil && before.text == found.text && r.same(before.modules) &&
		(!before.foreign || workspace == nil || !slices.ContainsFunc(programs, leads)) {
		return before
	}
	found.items = []protocol.Diagnostic{}
	if err == nil { // else no notebook, or one of another language
		r.analyse(path, programs, workspace, found)
	}
	return found
}

// analyse adds what is found in the programs of a file, and the hashes of the modules that
// they were understood with; nil where they asked for none.
func (r *scan) analyse(path string, programs []*source.Source, workspace *project.Workspace, found *scanned) {
	how := r.complete(r.scope.Configure(path))
	how.Workspace = workspace
	connected := false
	found.foreign = true
	for _, program := range programs {
		file := analyzer.Analyze(program, how.Config)
		findings := rules.Check(file, how.Selection)
		snap := &snapshot{layout: layout{source: program, parts: make([]part, len(program.Segments()))}}
		for i := range snap.parts {
			snap.parts[i].uri = string(uri.File(path))
		}
		diagnostics := r.diagnosticsOf(snap, findings)
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
		found.modules[module] = r.modules.hash(module)
	}
}

// same tells whether modules are what they were.
func (r *scan) same(modules map[string]uint64) bool {
	for path, before := range modules {
		if r.modules.hash(path) != before {
			return false
		}
	}
	return true
}

func hash(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // it never fails
	return h.Sum64()
}

// toNotebook makes a diagnostic of a cell one of the notebook's file, as it is not
// open: its cells have no URIs, and the file has no place to show them at.
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

// cellAndLine names a place for people.
func cellAndLine(src *source.Source, span source.Span) string {
	at := src.Place(span)
	cell := &src.Segments()[at.Segment]
	return fmt.Sprintf("cell %d, line %d", cell.Cell, cell.Lines().Line(at.Span.Start)+1)
}
