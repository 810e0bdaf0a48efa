package lsp

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/tfmem/tfmem/analyzer/project"
)

// A folder is one that the user has open in the editor.
type folder struct {
	path string
	uri  uri.URI // as the client writes it
}

// folderOf returns the folder of a file URI.
func folderOf(u uri.URI) (folder, bool) {
	if !u.IsFile() {
		return folder{}, false
	}
	// A URI that the protocol package decoded pins the whole message.
	u = uri.URI(strings.Clone(string(u)))
	return folder{filepath.Clean(u.FsPath()), u}, true
}

// folders are the folders that are open now.
type folders struct {
	list atomic.Pointer[[]folder] // immutable; only the reading goroutine sets it
}

func (f *folders) set(list []folder) { f.list.Store(&list) }

// change removes some folders and adds others. It reports false if nothing changes.
func (f *folders) change(added, removed []folder) bool {
	before := f.all()
	now := slices.DeleteFunc(slices.Clone(before), func(o folder) bool {
		return slices.ContainsFunc(removed, func(r folder) bool { return r.path == o.path })
	})
	for _, a := range added {
		if !slices.ContainsFunc(now, func(o folder) bool { return o.path == a.path }) {
			now = append(now, a)
		}
	}
	f.set(now)
	return !slices.Equal(before, now)
}

func (f *folders) all() []folder {
	if list := f.list.Load(); list != nil {
		return *list
	}
	return nil
}

func (f *folders) paths() []string {
	var paths []string
	for _, o := range f.all() {
		paths = append(paths, o.path)
	}
	return paths
}

// around returns the innermost folder that contains a path, or "".
func (f *folders) around(path string) (innermost string) {
	for _, p := range f.paths() {
		if len(p) > len(innermost) && holds(p, path) {
			innermost = p
		}
	}
	return innermost
}

// holds reports whether a path is that of a folder, or of something in it.
func holds(folder, path string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || rest[0] == filepath.Separator || strings.HasSuffix(folder, string(filepath.Separator)))
}

// DidChangeWorkspaceFolders handles folders that the user has opened or closed. Documents stay
// open, but their settings and imports may change.
func (s *session) DidChangeWorkspaceFolders(_ context.Context, params *protocol.DidChangeWorkspaceFoldersParams) error {
	list := func(from []protocol.WorkspaceFolder) (out []folder) {
		for _, f := range from {
			if o, ok := folderOf(f.URI); ok {
				out = append(out, o)
			}
		}
		return out
	}
	if !s.folders.change(list(params.Event.Added), list(params.Event.Removed)) {
		return nil
	}
	s.inBackground(func() {
		if s.workspace != nil {
			s.workspace.Bound(s.folders.paths)
			s.eachNotebook(func(_ string, w *project.Workspace, _ func([]string)) { w.Bound(s.folders.paths) })
		}
		s.scans.forget()
		s.everythingChanged()
	})
	s.configuration.asking.call()
	return nil
}

// DidRenameFiles handles files and folders that the user has renamed in the editor.
func (s *session) DidRenameFiles(_ context.Context, params *protocol.RenameFilesParams) error {
	var paths []string
	for _, f := range params.Files {
		paths = append(paths, pathOf(normalised(f.OldURI)), pathOf(normalised(f.NewURI)))
	}
	s.filesMoved(paths)
	return nil
}

// DidDeleteFiles handles files and folders that the user has deleted in the editor.
func (s *session) DidDeleteFiles(_ context.Context, params *protocol.DeleteFilesParams) error {
	var paths []string
	for _, f := range params.Files {
		paths = append(paths, pathOf(normalised(f.URI)))
	}
	s.filesMoved(paths)
	return nil
}

// DidCreateFiles handles files and folders that the user has created in the editor.
func (s *session) DidCreateFiles(_ context.Context, params *protocol.CreateFilesParams) error {
	var paths []string
	for _, f := range params.Files {
		paths = append(paths, pathOf(normalised(f.URI)))
	}
	s.filesMoved(paths)
	return nil
}

// filesMoved handles files or folders that came or went.
func (s *session) filesMoved(paths []string) {
	for i, p := range paths {
		paths[i] = strings.Clone(p)
	}
	s.inBackground(func() {
		if slices.ContainsFunc(paths, func(p string) bool { return filepath.Ext(p) != ".py" }) {
			s.reread() // files in a folder may be imported, or be settings
			return
		}
		for _, p := range paths {
			s.appeared(p)
		}
		s.scans.forget()
		s.refresh.elsewhere()
	})
}
