package analyzer

import (
	"path/filepath"

	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/saved"
	"github.com/tfmem/tfmem/analyzer/source"
)

// Open makes a source of each program that a file holds, and a workspace in which
// they find each other. The text of a saved model is what [saved.Read] wrote.
func Open(path, text string, workspace *project.Workspace) ([]*source.Source, *project.Workspace, error) {
	if saved.Is(path) {
		model, err := saved.Source(path, text)
		return []*source.Source{model}, workspace, err
	}
	if !notebook.Is(path) {
		return []*source.Source{source.New(path, text)}, workspace, nil
	}
	n, err := notebook.Read(path, text)
	if err != nil {
		return nil, nil, err
	}
	own, err := n.Source()
	if err != nil {
		return nil, nil, err
	}
	modules, err := n.Modules()
	if err != nil {
		return nil, nil, err
	}
	sources, written := []*source.Source{own}, map[string]string{}
	for _, m := range modules {
		sources = append(sources, m.Source)
		if at := filepath.FromSlash(m.Path); m.Imported && !filepath.IsAbs(at) {
			written[filepath.Join(filepath.Dir(path), at)] = m.Text
		}
	}
	if len(written) > 0 && workspace != nil {
		workspace = workspace.With(written)
	}
	return sources, workspace, nil
}
