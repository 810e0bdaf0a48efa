package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// openWorkspace has the documents understood with the modules that they import:
// those of the client's folders, as they are on disk below the open documents.
func (s *session) openWorkspace() {
	if s.opts.Files == nil {
		return
	}
	s.workspace = s.newWorkspace(s.files())
}

// files are those on disk, below the open documents.
func (s *session) files() project.FS {
	return project.Overlay{Below: s.opts.Files, Open: s.docs.text}
}

func (s *session) newWorkspace(files project.FS) *project.Workspace {
	dir, folders := "", s.folders.paths()
	if len(folders) > 0 {
		dir = folders[0]
	}
	w := project.New(files, dir, folders...)
	w.Refused = func(path string, why error) { s.warn(fmt.Errorf("%s: %w; it is not read", path, why)) }
	return w
}

// appeared is told that a document was opened or closed: modules may find another
// text at its path, or none.
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

// reads tells whether a program has looked for a file that is no module.
func (s *session) reads(path string) bool {
	if s.workspace == nil {
		return false
	}
	found := s.workspace.Reads(path)
	s.eachNotebook(func(_ string, w *project.Workspace, _ func([]string)) { found = found || w.Reads(path) })
	return found
}

// edited is told of a version that was analysed, so that those who import it are
// analysed again.
func (s *session) edited(snap *snapshot) {
	if s.workspace == nil || snap.module != nil {
		return
	}
	var parsed *syntax.Tree
	if snap.file.Relevant() {
		parsed = snap.file.Tree
	}
	s.workspace.Edited(snap.source.Path, snap.source.Text(), parsed, func(affected []string) {
		s.docs.analyseAgain(affected...)
		s.changed.tell()
	})
	s.eachNotebook(func(notebook string, w *project.Workspace, affected func([]string)) {
		if notebook != snap.source.Path {
			w.Edited(snap.source.Path, snap.source.Text(), parsed, affected)
		}
	})
}

// saved is told that the client has written a file. Where it does not watch files,
// that is the moment to look again.
func (s *session) saved() {
	if !s.client.watches {
		s.aside(s.reread)
	}
}

// reread takes it that any file on disk may have changed.
func (s *session) reread() {
	if s.workspace != nil {
		s.workspace.Reread(func([]string) {})
		s.eachNotebook(func(_ string, w *project.Workspace, _ func([]string)) { w.Reread(func([]string) {}) })
	}
	s.scans.forget()
	s.everythingChanged()
}

// everythingChanged is told that what is found in any file, and all that is shown of
// it, may be something else now: settings have changed, or GPUs, or folders.
func (s *session) everythingChanged() {
	s.generation.Add(1)
	s.docs.analyseAllAgain()
	s.elsewhere()
}

// settingsChanged is told that the user wants something else, in a file or in the
// editor.
func (s *session) settingsChanged() {
	s.everythingChanged()
	if found := s.gpus.Load(); found != nil {
		s.tellStatus(*found) // settings may name others
	}
	if s.opts.Devices != nil {
		s.detect()
	}
}

// uriOf is where an imported module lies, as the client spells it where that is open.
func (s *session) uriOf(module *source.Source) uri.URI {
	path := s.workspace.Absolute(module.Path)
	if spelt := s.docs.spelling(path); spelt != "" {
		return uri.URI(spelt)
	}
	return uri.File(path)
}

// settingsFiles are the files in which a change may change every finding.
var settingsFiles = []string{"pyproject.toml", "tfmem.toml", ".tfmem.toml"}

// watched are the files that a client is asked to watch.
var watched = append([]string{"**/*.{py,ipynb}", "**/{" + strings.Join(settingsFiles, ",") + "}", project.DataFiles}, project.VersionFiles...)

// Initialized asks the client to tell of changes to files and settings, where it lets
// itself be asked, and what the settings are.
func (s *session) Initialized(context.Context, *protocol.InitializedParams) error {
	s.refreshes()
	if s.opts.Devices != nil {
		s.aside(s.announceGPUs)
	}
	if s.client.around.configures {
		s.start(s.configuration.asking, s.askForSettings)
		s.configuration.asking.call()
	}
	if params := registrations(s.client, watched); len(params.Registrations) > 0 {
		s.aside(func() {
			if _, err := s.conn.Call(s.ctx, protocol.MethodClientRegisterCapability, params, nil); err != nil && s.ctx.Err() == nil {
				s.log.Warn("the client does not tell of changes", "error", err)
			}
		})
	}
	return nil
}

// DidChangeWatchedFiles is told of files that were made, edited or deleted on disk.
func (s *session) DidChangeWatchedFiles(_ context.Context, params *protocol.DidChangeWatchedFilesParams) error {
	type change struct {
		path   string
		edited bool // it was there before, and is still
	}
	var changes []change
	for _, c := range params.Changes {
		// A URI that the protocol package decoded pins the whole message.
		changes = append(changes, change{strings.Clone(pathOf(uri.URI(c.URI))), c.Type == protocol.FileChangeTypeChanged})
	}
	s.aside(func() {
		settings, others := false, false
		// A training writes data all the time: it counts where a program reads it.
		changes = slices.DeleteFunc(changes, func(c change) bool {
			return project.IsData(c.path) && !project.StatesVersions(c.path) && !s.reads(c.path)
		})
		if len(changes) == 0 {
			return
		}
		for _, c := range changes {
			settings = settings || slices.Contains(settingsFiles, filepath.Base(c.path))
			// Another file may be imported, or another version of TensorFlow be meant.
			others = others || !c.edited || filepath.Ext(c.path) != ".py"
			s.appeared(c.path)
		}
		if settings {
			s.settingsChanged()
		}
		if others {
			s.scans.forget()
		}
		s.elsewhere()
	})
	return nil
}
