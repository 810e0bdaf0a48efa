package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/host"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/cache"
	"github.com/tfmem/tfmem/gpu"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/baseline"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/settings"
)

// longestSettings is the size in bytes beyond which a settings file is not read.
const longestSettings = 1 << 20

// A configuration is how one file is checked.
type configuration struct {
	analyzer.Config
	rules.Selection
	from string // the settings file, or empty
	// baseline is the absolute path of the file of known findings, or empty.
	baseline string
	// observed is the absolute path of the file of what a run told, or empty.
	observed string
	hints    []string // that an editor shows, nil for all
	docs     string   // where the rules' pages are, or empty
	// least is the lowest severity that fails a check.
	least rule.Severity
}

// A configurator says how files are checked: as their settings say, unless the command line
// overrides them. It is safe for concurrent use.
type configurator struct {
	flags rules.Selection    // override the settings
	given *settings.Settings // what the command line adds to them, or nil
	least *rule.Severity     // set if the command line does so
	// baseline is the path that the command line names, or empty.
	baseline string
	// observed is the file of what a run told that the command line names, or empty.
	observed string
	// ram is the machine that the command line names, or nil; own returns the one that tfmem runs on
	// where its memory counts, else it is nil.
	ram *host.Machine
	own func() *host.Machine
	// none is set if they say that there is no GPU.
	none bool
	// gpus returns the GPUs that the command line or the environment names, which override any
	// settings; it is nil if none are named. machine returns this machine's.
	gpus, machine func() []memory.Device

	workspace *project.Workspace // of the modules that files import, or nil
	files     project.FS         // that it reads
	backend   analyzer.Backend   // declared for Keras
	unread    unread
	refused   unread // those among them that the analysis did not read

	// editor returns the editor's settings for a file; nil if there is no editor.
	editor func(path string) *settings.Editor

	work   string   // the working folder, or "" if it is gone
	open   []string // the folders open in an editor
	finder settings.Finder
	fixed  *settings.Settings // for all files, or nil to use those nearest to each

	mu    sync.Mutex
	named map[*settings.Settings]func() []memory.Device
	known map[string]*baseline.Baseline
	told  map[told]*telling
	// rootOfFolder caches the projects of files, by their folders.
	rootOfFolder map[string]string
	laid         map[laid]*settings.Settings
}

// laid caches the merged settings of a project and an editor.
type laid struct {
	files  *settings.Settings
	editor *settings.Editor
}

// newConfigurator makes a configurator. show formats the paths of settings files. The error is a
// mistake in the name of a GPU.
func newConfigurator(ctx context.Context, gpuFlag string, show func(string) string) (*configurator, error) {
	c := &configurator{named: map[*settings.Settings]func() []memory.Device{}, known: map[string]*baseline.Baseline{}, told: map[told]*telling{}, laid: map[laid]*settings.Settings{}}
	c.work, _ = os.Getwd() // without it the root's settings count
	c.backend = declaredBackend()
	if err := foreignBackend(c.backend); err != nil {
		c.unread.add(err)
	}
	c.finder = settings.Finder{Read: readSettings, Inside: c.inside, Show: show}
	c.machine = sync.OnceValue(func() []memory.Device {
		found := gpu.Devices(ctx)
		return devices(found, "found by "+found.Source)
	})
	setting, by := gpuFlag, "--gpu"
	if setting == "" {
		setting, by = strings.TrimSpace(os.Getenv(gpu.Variable)), gpu.Variable
	}
	switch named, err := gpu.Parse(setting, project.ReadFile); {
	case err != nil:
		return nil, usagef("%s: %w", by, err)
	case setting == "":
		c.finder.GPU = c.parseGPU
	case named.Source == gpu.Auto:
		c.gpus = c.machine
	default:
		known := devices(named, "named by "+by)
		c.none = len(known) == 0
		c.gpus = func() []memory.Device { return known }
	}
	return c, nil
}

// An unread collects the files that were needed and not read. It is safe for concurrent use.
type unread struct {
	mu    sync.Mutex
	words map[string]bool
}

func (u *unread) add(err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.words == nil {
		u.words = map[string]bool{}
	}
	u.words[err.Error()] = true
}

// messages returns the messages for people, sorted.
func (u *unread) messages() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Sorted(maps.Keys(u.words))
}

// follow makes the analysis follow imports, if there is a working folder.
func (c *configurator) follow() {
	if c.work == "" {
		return
	}
	c.readFrom(project.Disk{})
}

// readFrom makes the analysis read modules and data from a file system.
func (c *configurator) readFrom(files project.FS) {
	c.files = files
	c.renew()
}

// renew forgets the modules that were read.
func (c *configurator) renew() {
	c.workspace = project.New(c.files, c.work)
	if record, ok := c.files.(*cache.Files); ok {
		c.workspace.Imported = record.Imported
	}
	c.workspace.Refused = func(path string, why error) {
		err := fmt.Errorf("%s: %w; it is not read", fromHere(path), why)
		c.unread.add(err)
		c.refused.add(err)
	}
}

// withEditor returns a copy of c that has not read any settings, for an editor with these folders
// open and these settings.
func (c *configurator) withEditor(open []string, editor func(path string) *settings.Editor) *configurator {
	out := &configurator{
		flags: c.flags, given: c.given, observed: c.observed, told: map[told]*telling{}, ram: c.ram, own: c.own, least: c.least, none: c.none, gpus: c.gpus, machine: c.machine, workspace: c.workspace, work: c.work, open: open,
		fixed: c.fixed, named: map[*settings.Settings]func() []memory.Device{}, known: map[string]*baseline.Baseline{}, laid: map[laid]*settings.Settings{}, editor: editor,
	}
	out.finder = settings.Finder{Read: c.finder.Read, Inside: out.inside, Show: c.finder.Show}
	if c.finder.GPU != nil {
		out.finder.GPU = out.parseGPU
	}
	return out
}

// fix makes one settings file apply to all files.
func (c *configurator) fix(path string) error {
	var err error
	c.fixed, err = c.finder.Load(c.absolute(path), c.work)
	return err
}

func (c *configurator) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(c.work, path)
}

// settings returns the settings of a file, given by its absolute path. They are never nil:
// on an error, the settings of files do not count.
func (c *configurator) settings(path string) (*settings.Settings, error) {
	s, err := c.fixed, error(nil)
	if s == nil {
		s, err = c.finder.For(path)
	}
	if err != nil {
		s = &settings.Settings{}
	}
	if c.editor == nil {
		return s, err
	}
	key := laid{s, c.editor(path)}
	c.mu.Lock()
	defer c.mu.Unlock()
	both, ok := c.laid[key]
	if !ok {
		both = key.editor.With(s)
		c.laid[key] = both
	}
	return both, err
}

// of says how a file is checked. The error is a mistake in its settings, the same value for all
// files with these settings; then only the command line counts.
func (c *configurator) of(path string) (configuration, error) {
	absolute := c.absolute(path)
	s, err := c.settings(absolute)
	selection := s.Selection(absolute)
	if c.given != nil {
		selection.Except = slices.Concat(selection.Except, c.given.Selection(absolute).Except)
	}
	out := configuration{Selection: c.flags.LaidOver(selection), from: s.Path, baseline: s.Baseline, hints: s.InlayHints, docs: s.DocsURL, least: rule.Warning}
	if c.baseline != "" {
		out.baseline = c.baseline
	}
	switch {
	case c.least != nil:
		out.least = *c.least
	case s.FailOn != nil:
		out.least = *s.FailOn
	}
	out.Machine, out.MachineNamed = c.machineOf(s), cmp.Or(c.ram, s.Machine) != nil
	out.Devices, out.Workspace, out.Versions, out.Backend = c.devices(s), c.workspace, s.Versions, c.backend
	out.DevicesNamed = out.Devices != nil
	if !c.none && (c.gpus != nil || !strings.EqualFold(strings.TrimSpace(s.GPU), "none")) {
		extremes := extremeGPUs()
		out.Smallest, out.Largest = &extremes[0], &extremes[1]
	}
	out.observed = s.Observed
	var wrong error
	out.Observed, wrong = c.observations(absolute, s)
	err = cmp.Or(err, wrong)
	out.Journal = running()
	out.Assume, out.EntryPoint, out.NamedGPU = s.Assume, s.IsEntryPoint(absolute), namedGPU
	return out, err
}

// onMachine makes the machine count that the command line names: "auto" is the one that tfmem runs on.
func (c *configurator) onMachine(setting string) error {
	switch setting {
	case "":
		return nil
	case "auto":
		c.own = ownMachine
		return nil
	}
	m, err := host.Parse(setting)
	if err != nil {
		return usagef("--ram: %w", err)
	}
	m.Source = "named by --ram"
	c.ram = &m
	return nil
}

// machineOf returns the machine whose own memory counts for files with these settings, or nil.
func (c *configurator) machineOf(s *settings.Settings) *host.Machine {
	m := cmp.Or(c.ram, s.Machine)
	if m == nil && c.own != nil {
		m = c.own()
	}
	if m == nil || m.Bytes == 0 {
		return nil
	}
	return m
}

// devices returns the GPUs that settings name for files, or nil for this machine's.
func (c *configurator) devices(s *settings.Settings) func() []memory.Device {
	if c.gpus != nil || s.GPU == "" {
		return c.gpus
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	known, ok := c.named[s]
	if !ok {
		// It was valid when the settings were read. A file that is gone since names no GPU.
		if named, err := gpu.Parse(s.GPU, project.ReadFile); err == nil && named.Source != gpu.Auto {
			list := devices(named, "named by "+s.GPUFrom)
			known = func() []memory.Device { return list }
		}
		c.named[s] = known
	}
	return known
}

// baselineAt reads a baseline once.
func (c *configurator) baselineAt(path string) (b *baseline.Baseline, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b = c.known[path]; b == nil {
		if b, err = baseline.Read(path); err == nil {
			c.known[path] = b
		}
	}
	return b, err
}

// excludes reports whether settings leave a path out, for [discover.Options].
func (c *configurator) excludes(absolute string, named bool) bool {
	s, _ := c.settings(absolute) // checking the file reports the error
	if named {
		return s.Excludes(absolute) || c.given != nil && c.given.Excludes(absolute)
	}
	return s.ExcludesItself(absolute) || c.given != nil && c.given.ExcludesItself(absolute)
}

// parseGPU parses the key gpu of a settings file or, if file is empty, the GPU that the editor's
// user names. Paths are relative to folder.
func (c *configurator) parseGPU(setting, folder, file string) (string, error) {
	if gpu.IsPath(setting) {
		if setting = filepath.FromSlash(strings.TrimSpace(setting)); !filepath.IsAbs(setting) {
			setting = filepath.Join(folder, setting)
		}
		if file != "" {
			if err := c.inside(file, setting); err != nil {
				return "", fmt.Errorf("cannot read a GPU from %s: %w", setting, errors.Unwrap(err))
			}
		}
	}
	_, err := gpu.Parse(setting, project.ReadFile)
	return setting, err
}

// inside returns an error, a [*fs.PathError], unless what a settings file names is in its
// workspace.
func (c *configurator) inside(file, path string) error {
	if (project.Disk{}).Kind(path) == project.Nothing {
		return nil // reading it reports the error
	}
	err := project.Inside(path, project.Root(project.Disk{}, file, c.open...))
	var outside *fs.PathError
	if errors.As(err, &outside) {
		outside.Err = fmt.Errorf("%w; copy it there, or name it on the command line or in the editor's user settings", outside.Err)
	}
	return err
}

// readSettings reads a settings file.
func readSettings(path string) ([]byte, error) { return project.ReadFile(path, longestSettings) }

// fromHere returns a path as a person in the working folder writes it.
func fromHere(path string) string {
	work, err := os.Getwd()
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(work, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path
	}
	return rel
}
