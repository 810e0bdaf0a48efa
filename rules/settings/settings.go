// Package settings reads the settings of a project: tfmem.toml, .tfmem.toml, or [tool.tfmem] in
// pyproject.toml.
//
// The settings of a Python file are those of the nearest folder, at or above its own, that has any.
// Within a folder, .tfmem.toml comes before tfmem.toml, and that before pyproject.toml. Settings
// further up count only if the nearest ones extend them. The user of an editor may have other
// settings, which are merged above or below those of files: see [Editor].
//
// The package reads files through a function that it is given and never writes any. It knows
// neither the command line nor the names of GPUs.
package settings

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/memory/host"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rule"
)

// Settings apply to a folder and to everything below it that has no settings of its own. The zero
// Settings are those of a project without any.
type Settings struct {
	// Path is the file that contains them, or empty.
	Path string
	// GPU is the GPU that models are compared with, in the form that package gpu takes. A path in
	// it is relative to the working folder, or absolute.
	GPU string
	// GPUFrom says, for people, where it is named.
	GPUFrom string
	// Machine is the one whose own memory programs are compared with, nil if none is named. That of the
	// setting "none" has no memory.
	Machine *host.Machine
	// Baseline is the absolute path of the file of known findings, or empty.
	Baseline string
	// Observed is the absolute path of the file of what a run told, or empty; ObservedFrom says, for
	// people, where it is named.
	Observed, ObservedFrom string
	// DocsURL says where the rules' pages are, for [rule.Rule.URL], or is empty.
	DocsURL string
	// FailOn is the lowest severity that fails a check, or nil if it is not set.
	FailOn *rule.Severity
	// Versions are the versions of TensorFlow and Keras that the settings name.
	Versions effects.Versions
	// Assume is what the settings say of values that only a run would tell; nil for nothing.
	Assume *hints.Table
	// InlayHints are the kinds of hints that an editor shows, or nil if they are not set.
	InlayHints []string

	automatic      map[string]bool // keys that ask to detect the value
	selection      rules.Selection
	said           rules.Selection  // the same before severities are applied
	severity       map[string]level // by codes and their prefixes
	exclude        []pattern
	entryPoints    []pattern
	perFileIgnores []fileIgnores
}

// A level is the severity that settings give a rule.
type level struct {
	off      bool
	severity rule.Severity
}

type fileIgnores struct {
	pattern pattern
	negated bool
	rules   []string
}

// Selection returns which rules run on a file, given by its absolute path.
func (s *Settings) Selection(path string) rules.Selection {
	out := s.selection
	for _, p := range s.perFileIgnores {
		if p.pattern.matches(path) != p.negated {
			out.Except = slices.Concat(out.Except, p.rules)
		}
	}
	return out
}

// Excludes reports whether the settings exclude a file or folder, given by its absolute path,
// directly or through a folder that contains it.
func (s *Settings) Excludes(path string) bool {
	return slices.ContainsFunc(s.exclude, func(p pattern) bool { return p.matches(path) })
}

// IsEntryPoint reports whether the settings name a file, given by its absolute path, as a program.
func (s *Settings) IsEntryPoint(path string) bool {
	return slices.ContainsFunc(s.entryPoints, func(p pattern) bool { return p.matches(path) })
}

// ExcludesItself is Excludes for the path itself, without the folders that contain it.
func (s *Settings) ExcludesItself(path string) bool {
	return slices.ContainsFunc(s.exclude, func(p pattern) bool { return p.matchesItself(path) })
}

// over merges s onto the settings that it extends. A key of s replaces theirs, except that
// extend-select, ignore, severity and assume add to them.
func (s *Settings) over(base *Settings) {
	s.selection = s.selection.LaidOver(base.selection)
	if s.GPU == "" {
		s.GPU, s.GPUFrom = base.GPU, base.GPUFrom
	}
	if s.Machine == nil && !s.automatic["ram"] {
		s.Machine = base.Machine
	}
	if s.Baseline == "" {
		s.Baseline = base.Baseline
	}
	if s.Observed == "" {
		s.Observed, s.ObservedFrom = base.Observed, base.ObservedFrom
	}
	if s.DocsURL == "" {
		s.DocsURL = base.DocsURL
	}
	if s.FailOn == nil {
		s.FailOn = base.FailOn
	}
	if s.Versions.TensorFlow.Source == "" && !s.automatic["tensorflow"] {
		s.Versions.TensorFlow = base.Versions.TensorFlow
	}
	if s.Versions.Keras.Source == "" && !s.automatic["keras"] {
		s.Versions.Keras = base.Versions.Keras
	}
	severity := map[string]level{}
	maps.Copy(severity, base.severity)
	maps.Copy(severity, s.severity)
	s.severity = severity
	s.Assume = s.Assume.Over(base.Assume)
	if s.InlayHints == nil {
		s.InlayHints = base.InlayHints
	}
	if s.exclude == nil {
		s.exclude = base.exclude
	}
	if s.entryPoints == nil {
		s.entryPoints = base.entryPoints
	}
	if s.perFileIgnores == nil {
		s.perFileIgnores = base.perFileIgnores
	}
}

// settle converts severities by codes and prefixes to severities by rules: the longest prefix wins.
// A rule with severity off is ignored.
func (s *Settings) settle() {
	s.said = s.selection
	if len(s.severity) == 0 {
		return
	}
	s.selection.Severity = map[string]rule.Severity{}
	for _, r := range rules.All {
		longest := ""
		for prefix := range s.severity {
			if n := len(prefix); prefix == "ALL" && longest == "" || strings.HasPrefix(r.Code, prefix) && (longest == "ALL" || n > len(longest)) {
				longest = prefix
			}
		}
		switch l := s.severity[longest]; {
		case longest == "":
		case l.off:
			s.selection.Ignore = append(slices.Clip(s.selection.Ignore), r.Code)
		default:
			s.selection.Severity[r.Code] = l.severity
		}
	}
}

// A pattern is a glob that matches files and folders, and so everything in the folders. Without a
// slash it is matched with names anywhere below its folder, otherwise with paths relative to that
// folder.
type pattern struct {
	folder string // absolute
	glob   string
}

func validGlob(glob string) bool { return glob != "" && doublestar.ValidatePattern(glob) }

// matches reports whether the pattern matches a path or a folder above it.
func (p pattern) matches(path string) bool {
	rel, ok := p.relative(path)
	for end := 0; ok && end < len(rel); end++ {
		if i := strings.IndexByte(rel[end:], '/'); i >= 0 {
			end += i
		} else {
			end = len(rel)
		}
		if p.is(rel[:end]) {
			return true
		}
	}
	return false
}

func (p pattern) matchesItself(path string) bool {
	rel, ok := p.relative(path)
	return ok && p.is(rel)
}

// relative returns an absolute path relative to the pattern's folder, if it is below it.
func (p pattern) relative(path string) (rel string, ok bool) {
	rel, err := filepath.Rel(p.folder, path)
	if err != nil {
		return "", false
	}
	rel = filepath.ToSlash(rel)
	return rel, rel != ".." && !strings.HasPrefix(rel, "../")
}

func (p pattern) is(rel string) bool {
	glob := strings.TrimSuffix(strings.TrimPrefix(p.glob, "./"), "/")
	if !strings.Contains(glob, "/") {
		rel = rel[strings.LastIndexByte(rel, '/')+1:]
	}
	ok, _ := doublestar.Match(glob, rel)
	return ok
}
