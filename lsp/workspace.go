package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// openWorkspace makes the analysis follow imports into the modules of the client's folders: the
// open documents, and the files on disk.
func (s *session) openWorkspace() {
	if s.opts.Files == nil {
		return
	}
	s.workspace = s.newWorkspace(s.files())
}

// files returns the files on disk, overlaid with the open documents.
func (s *session) files() project.FS {
	return project.Overlay{Below: s.opts.Files, Open: s.docs.text}
}

func (s *session) newWorkspace(files project.FS) *project.Workspace {
	dir, folders := "", s.folders.paths()
	if len(folders) > 0 {
		dir = folders[0]
	}
	w := project.New(files, dir, folders...)
	w.Refused = func(path string, why error) { s.out.warn(fmt.Errorf("%s: %w; it is not read", path, why)) }
	w.Watch = s.watch
	return w
}

// watch asks the client to report what appears and disappears in a folder whose files a program
// counts.
func (s *session) watch(folder string) {
	if _, known := s.folderWatches.LoadOrStore(folder, true); known || !s.client.watches {
		return
	}
	s.inBackground(func() {
		err := s.out.ask(protocol.MethodClientRegisterCapability, folderRegistration(s.client, folder), nil)
		s.out.failed(err, "the client does not tell of changes", "folder", folder)
	})
}

// appeared updates the importers of path after a document was opened or closed there.
func (s *session) appeared(path string) {
	if s.workspace == nil || s.ctx.Err() != nil {
		return
	}
	s.workspace.Changed(path, func(affected []string) {
		// The document itself is not what it imports.
		s.docs.analyseAgain(slices.DeleteFunc(affected, func(p string) bool { return p == path })...)
	})
	s.eachNotebook(func(notebook string, w *project.Workspace, affected func([]string)) {
		if notebook != path {
			w.Changed(path, affected)
		}
	})
}

// reads reports whether a program looked for the data file at path.
func (s *session) reads(path string) bool {
	if s.workspace == nil {
		return false
	}
	found := s.workspace.Reads(path)
	s.eachNotebook(func(_ string, w *project.Workspace, _ func([]string)) { found = found || w.Reads(path) })
	return found
}

// edited updates the importers of a file after the analysis of the version that they read.
func (s *session) edited(file *analyzer.File) {
	if s.workspace == nil {
		return
	}
	var parsed *syntax.Tree
	if file.Relevant() {
		parsed = file.Tree
	}
	path, text := file.Source.Path, file.Source.Text()
	s.workspace.Edited(path, text, parsed, func(affected []string) {
		s.docs.analyseAgain(affected...)
		s.refresh.changed.notify()
	})
	s.eachNotebook(func(notebook string, w *project.Workspace, affected func([]string)) {
		if notebook != path {
			w.Edited(path, text, parsed, affected)
		}
	})
}

// saved handles a save by the client. If the client does not watch files, it rereads them.
func (s *session) saved() {
	if !s.client.watches {
		s.inBackground(s.reread)
	}
}

// reread assumes that every file on disk may have changed.
func (s *session) reread() {
	if s.workspace != nil {
		s.workspace.Reread(func([]string) {})
		s.eachNotebook(func(_ string, w *project.Workspace, _ func([]string)) { w.Reread(func([]string) {}) })
	}
	s.scans.forget()
	s.everythingChanged()
}

// everythingChanged analyses all documents again, because settings, GPUs or folders have changed.
func (s *session) everythingChanged() {
	s.generation.Add(1)
	s.docs.analyseAllAgain()
	s.refresh.elsewhere()
}

// settingsChanged handles a change of settings, in a file or in the editor.
func (s *session) settingsChanged() {
	s.everythingChanged()
	if found := s.gpus.last.Load(); found != nil {
		s.sendStatus(*found) // settings may name other GPUs
	}
	if s.opts.Devices != nil {
		s.detect()
	}
}

// uriOf returns the URI of an imported module, as the client writes it if the module is open.
func (s *session) uriOf(module *source.Source) uri.URI {
	path := s.workspace.Absolute(module.Path)
	if open := s.docs.clientURI(path); open != "" {
		return uri.URI(open)
	}
	return uri.File(path)
}

// settingsFiles are the files in which a change may affect every finding.
var settingsFiles = []string{"pyproject.toml", "tfmem.toml", ".tfmem.toml"}

// isSetting reports whether a file is one of settings, or a baseline that they name.
func (s *session) isSetting(path string) bool {
	_, known := s.baselines.Load(path)
	return known || slices.Contains(settingsFiles, filepath.Base(path))
}

// watched are the files that the client is asked to watch.
var watched = append([]string{"**/*.{py,ipynb}", "**/{" + strings.Join(settingsFiles, ",") + "}", project.DataFiles}, project.VersionFiles...)

// Initialized asks the client for its settings, and to report changes of files and settings.
func (s *session) Initialized(context.Context, *protocol.InitializedParams) error {
	s.refreshes()
	if s.opts.Devices != nil {
		s.inBackground(s.announceGPUs)
	}
	if s.client.around.configures {
		s.start(s.configuration.asking, s.askForSettings)
		s.configuration.asking.call()
	}
	if params := registrations(s.client, watched); len(params.Registrations) > 0 {
		s.inBackground(func() {
			s.out.failed(s.out.ask(protocol.MethodClientRegisterCapability, params, nil), "the client does not tell of changes")
		})
	}
	return nil
}

// DidChangeWatchedFiles handles files that were created, edited or deleted on disk.
func (s *session) DidChangeWatchedFiles(_ context.Context, params *protocol.DidChangeWatchedFilesParams) error {
	type change struct {
		path   string
		edited bool // the file existed before and exists now
	}
	var changes []change
	for _, c := range params.Changes {
		// A URI that the protocol package decoded pins the whole message.
		changes = append(changes, change{strings.Clone(pathOf(uri.URI(c.URI))), c.Type == protocol.FileChangeTypeChanged})
	}
	s.inBackground(func() {
		known, settings, others := false, false, false
		for _, c := range changes {
			// A training writes data all the time. A data file counts only if a program reads it, and
			// of a folder that a program counts the first change is enough.
			if project.IsData(c.path) && !project.StatesVersions(c.path) && !s.isSetting(c.path) && !s.reads(c.path) {
				continue
			}
			known = true
			settings = settings || s.isSetting(c.path)
			// Another file may be imported, or another version of TensorFlow be required.
			others = others || !c.edited || filepath.Ext(c.path) != ".py"
			s.appeared(c.path)
		}
		if !known {
			return
		}
		if settings {
			s.settingsChanged()
		}
		if others {
			s.scans.forget()
		}
		s.refresh.elsewhere()
	})
	return nil
}
