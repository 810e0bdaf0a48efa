package main

// The next version of the protocol does without roots. Clients have them until then.
//lint:file-ignore SA1019 clients of this version name their folders by roots

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// rootsKey names the question for the client's roots among the answers of a call.
const rootsKey = "roots"

// asksRoots returns what asks the client for its roots, or nil if they are known: where folders were named
// at the start, where the client has no roots, or where this call brings them.
func (s *server) asksRoots(req *mcp.CallToolRequest) *mcp.CallToolResult {
	if len(s.folders) > 0 || req.Params.InputResponses[rootsKey] != nil {
		return nil
	}
	about := req.Session.InitializeParams()
	if about == nil || about.Capabilities == nil || about.Capabilities.RootsV2 == nil {
		return nil
	}
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{rootsKey: &mcp.ListRootsParams{}}}
}

// roots returns the folders that a call may read and write in, without symbolic links.
func (s *server) roots(req *mcp.CallToolRequest) (roots, error) {
	folders := s.folders
	if answer, ok := req.Params.InputResponses[rootsKey].(*mcp.ListRootsResult); ok && len(folders) == 0 {
		for _, r := range answer.Roots {
			if folder, err := folderOf(r.URI); err == nil {
				folders = append(folders, folder)
			}
		}
		if len(answer.Roots) > 0 && len(folders) == 0 {
			return nil, errors.New("none of the client's roots is a folder of this machine")
		}
	}
	if len(folders) == 0 {
		if s.here == filepath.VolumeName(s.here)+string(filepath.Separator) {
			return nil, fmt.Errorf("the client names no roots, and the working directory is %s: start it as tfmem mcp FOLDER", s.here)
		}
		folders = []string{s.here}
	}
	var out roots
	for _, f := range folders {
		real, err := filepath.EvalSymlinks(f)
		if err == nil && filepath.IsAbs(real) {
			out = append(out, real)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("there is no folder %s", strings.Join(folders, ", "))
	}
	return out, nil
}

// folderOf returns the folder that a file URI names.
func folderOf(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", fmt.Errorf("%q is no file URI", uri)
	}
	path := filepath.FromSlash(u.Path)
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, `\`) // of /C:/folder
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%q is no folder", uri)
	}
	return path, nil
}

// roots are folders, each without symbolic links.
type roots []string

// mostPath is how many bytes a path may have: more is no path of any system.
const mostPath = 4096

// inside returns where a path of a call really lies, and in which root. A relative path is one of the first
// root that has it. What lies outside, also by a symbolic link, is refused.
func (r roots) inside(path string) (real, root string, err error) {
	switch {
	case path == "" || len(path) > mostPath || strings.ContainsRune(path, 0):
		return "", "", fmt.Errorf("%.60q is no path", path)
	case filepath.IsAbs(path):
		if real, err = filepath.EvalSymlinks(path); err != nil {
			return "", "", r.absent(path)
		}
		if root := r.of(real); root != "" {
			return real, root, nil
		}
		return "", "", r.refused(path)
	}
	for _, root := range r {
		real, err := filepath.EvalSymlinks(filepath.Join(root, path))
		if err != nil {
			continue
		}
		if in := r.of(real); in != "" {
			return real, in, nil
		}
		return "", "", r.refused(path)
	}
	return "", "", r.absent(path)
}

// of returns the root that a path without symbolic links lies in, or "".
func (r roots) of(real string) string {
	for _, root := range r {
		if rel, err := filepath.Rel(root, real); err == nil && filepath.IsLocal(rel) {
			return root
		}
	}
	return ""
}

// refused and absent say the same of a path outside, so that a call learns nothing of what is there.
func (r roots) refused(path string) error { return r.absent(path) }

func (r roots) absent(path string) error {
	return fmt.Errorf("there is no file or folder %s in %s", path, strings.Join(r, ", "))
}
