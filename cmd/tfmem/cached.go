package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/host"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/cache"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/journal"
	"github.com/tfmem/tfmem/rules"
)

// cacheVariable names the folder of the cache.
const cacheVariable = "TFMEM_CACHE_DIR"

// cacheFolder returns the folder of the cache, or "" if there is none.
func cacheFolder(flag string) string {
	if flag == "" {
		flag = os.Getenv(cacheVariable)
	}
	if flag != "" {
		return flag
	}
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "tfmem")
}

// build identifies this build of tfmem; "" if it cannot be identified.
func build() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	about, _ := debug.ReadBuildInfo()
	return fmt.Sprint(release, " ", path, " ", info.Size(), " ", info.ModTime().UnixNano(), " ", about)
}

// A remembered is what the cache needs to know of it.
type remembered struct {
	store    *cache.Store
	files    *cache.Files
	absolute func(path string) string

	mu    sync.Mutex
	texts map[string]string // digests of what was read, by path
	gpus  map[string]string // that were asked for, by path
}

// openCache returns the cache of this run, or nil if there is none. Fixes are never cached, and
// neither is standard input.
func (c *check) openCache() *remembered {
	folder, id := cacheFolder(c.cacheDir), build()
	if c.noCache || c.fix || c.diff || c.stdin || c.addNoqa || c.settings.work == "" || folder == "" || id == "" {
		return nil
	}
	files := cache.NewFiles()
	c.settings.readFrom(files)
	return &remembered{
		store: cache.Open(folder, id+"\x00"+c.settings.work), files: files, absolute: c.settings.absolute,
		texts: map[string]string{}, gpus: map[string]string{},
	}
}

// read returns the text of a file, and remembers its digest.
func (m *remembered) read(path string) (string, error) {
	text, _, err := m.readDigest(path)
	return text, err
}

func (m *remembered) readDigest(path string) (text, digest string, err error) {
	stamp, settled := cache.StampOf(path)
	if text, err = checker.ReadFile(path); err != nil {
		return "", "", err
	}
	digest = cache.Digest(text)
	if settled {
		m.files.Keep(m.absolute(path), digest, stamp)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.texts[path] = digest
	return text, digest, nil
}

// digest returns the digest of the text of a file, which it reads only if that may have changed.
func (m *remembered) digest(path string) (digest string, err error) {
	digest, ok := m.store.Unchanged(m.absolute(path))
	if !ok {
		_, digest, err = m.readDigest(path)
	}
	return digest, err
}

// key stands for a text, given by its digest, and all that its check depends on, but for the file system and the GPUs.
func (how configuration) key(text string) (string, error) {
	described, err := json.Marshal(struct {
		Versions                   effects.Versions
		Backend                    analyzer.Backend
		Assume, Observed           string
		EntryPoint, SkipImports    bool
		None                       bool // of GPUs
		Machine                    *host.Machine
		DevicesNamed, MachineNamed bool
		Selection                  rules.Selection
	}{how.Versions, how.Config.Backend, how.Assume.String(), how.Observed.Digest(), how.EntryPoint, how.SkipImports, how.Largest == nil, how.Machine, how.DevicesNamed, how.MachineNamed, how.Selection})
	return cache.Digest(string(described) + text), err
}

// describeForCache stands for GPUs. What is free of their memory does not count in a check.
func describeForCache(devices []memory.Device) string {
	devices = slices.Clone(devices)
	for i := range devices {
		devices[i].Free, devices[i].FreeKnown = 0, false
	}
	return fmt.Sprintf("%#v", devices)
}

// asking returns a Config that tells which GPUs the check of a file asks for.
func (m *remembered) asking(path string, config analyzer.Config) analyzer.Config {
	devices := config.Devices
	config.Devices = func() []memory.Device {
		found := devices()
		m.mu.Lock()
		defer m.mu.Unlock()
		m.gpus[path] = describeForCache(found)
		return found
	}
	return config
}

// cachedResults is results for a run with a cache.
func (c *check) cachedResults(m *remembered, run checker.Checker, paths []string) []checker.Result {
	config := run.For
	run.For = func(path string) (analyzer.Config, rules.Selection) {
		own, selection := config(path)
		return m.asking(path, own), selection
	}
	run.Read = m.read
	how := func(path string) configuration {
		how := c.configured[path]
		how.SkipImports = !c.names(path)
		return how
	}
	byPath := map[string][]checker.Result{}
	entries := map[string]*cache.Entry{}
	before := map[string]string{} // the keys
	type earlier struct {
		key     string
		results []checker.Result
		entry   *cache.Entry
	}
	found := make([]earlier, len(paths))
	var group errgroup.Group
	group.SetLimit(max(2, runtime.GOMAXPROCS(0)))
	for i, path := range paths {
		group.Go(func() error {
			own := how(path)
			digest, err := m.digest(path)
			if err != nil {
				return nil // the check says so
			}
			if found[i].key, err = own.key(digest); err == nil {
				found[i].results, found[i].entry = m.known(path, digest, found[i].key, own)
			}
			return nil
		})
	}
	group.Wait()
	for i, path := range paths {
		before[path] = found[i].key
		if found[i].entry != nil {
			byPath[path], entries[path] = found[i].results, found[i].entry
		}
	}
	var missed []string
	for _, path := range paths {
		e := entries[path]
		if e != nil && (m.store.Run(e) == nil || m.store.Run(e).Holds(before)) {
			run.Search = run.Search || e.Mentions
			if run.Done != nil {
				run.Done()
			}
		} else {
			delete(entries, path)
			missed = append(missed, path)
		}
	}
	check := func(paths []string) {
		fresh := run.Run(paths)
		for i := 0; i < len(fresh); {
			j := i + 1
			for j < len(fresh) && fresh[j].Path == fresh[i].Path {
				j++
			}
			byPath[fresh[i].Path] = fresh[i:j]
			run.Search = run.Search || fresh[i].Mentions
			i = j
		}
	}
	check(missed)
	// Whether imports are searched depends on the other files.
	var other []string
	for path, e := range entries {
		if earlier := m.store.Run(e); e.Searched != run.Search && (!e.Mentions || earlier != nil) {
			other = append(other, path)
		} else if earlier != nil {
			for _, words := range earlier.Messages {
				c.settings.unread.add(errors.New(words))
			}
		}
	}
	slices.Sort(other)
	run.Done = nil
	check(other)

	var all []checker.Result
	for _, path := range paths {
		all = append(all, byPath[path]...)
	}
	if c.verbose {
		c.remark(fmt.Sprintf("info: from the cache: %d of %d files\n", len(entries)-len(other), len(paths)))
	}
	checked, name := map[string]string{}, "" // the keys of the texts that were checked
	for _, path := range slices.Concat(missed, other) {
		checked[path] = ""
		if text, ok := m.texts[path]; ok {
			if key, err := how(path).key(text); err == nil {
				checked[path] = key
			}
		}
	}
	if said := c.settings.refused.messages(); len(said) > 0 {
		name = m.store.PutRun(&cache.Run{Keys: checked, Messages: said})
	}
	for path, key := range checked {
		if e := m.entry(path, key, byPath[path], how(path)); e != nil {
			e.Run = name
			m.store.Put(path, e)
		}
	}
	if err := m.store.Save(m.files); err != nil && c.verbose {
		c.remark(fmt.Sprintf("info: the cache is not written: %v\n", err))
	}
	return all
}

// known returns the result of an earlier run for a file, given by the digest of its text and its key,
// or nil.
func (m *remembered) known(path, digest, key string, how configuration) ([]checker.Result, *cache.Entry) {
	e := m.store.Get(path, key)
	if e == nil || e.GPUs != "" && e.GPUs != describeForCache(how.Devices()) {
		return nil, nil
	}
	results := make([]checker.Result, len(e.Results))
	for i, r := range e.Results {
		results[i] = checker.Result{Path: path, Part: i, Checked: true, Unrelated: r.Unrelated, Foreign: r.Foreign, Trainings: r.Trainings, Mentions: e.Mentions, Searched: e.Searched}
		if len(r.Findings) == 0 {
			continue
		}
		program, err := m.program(path, digest, r)
		if err != nil {
			return nil, nil
		}
		findings, ok := cache.Unpack(r.Findings, rules.Lookup, func(path string) (*source.Source, bool) {
			text, err := checker.ReadFile(path)
			return source.New(path, text), err == nil
		})
		if !ok {
			return nil, nil
		}
		results[i].File, results[i].Original = &analyzer.File{Source: program}, program
		results[i].Findings = findings
	}
	return results, e
}

// program returns the text that a result is of. The error is [errChanged] if the file has another now.
func (m *remembered) program(path, digest string, of cache.Result) (*source.Source, error) {
	if of.Source != nil {
		return of.Source.Unpack(path)
	}
	text, now, err := m.readDigest(path)
	if err == nil && now != digest {
		err = errChanged
	}
	return source.New(path, text), err
}

var errChanged = errors.New("the file has changed")

// entry returns what the cache keeps of the results for a file, or nil if not all is well with it.
func (m *remembered) entry(path, key string, results []checker.Result, how configuration) *cache.Entry {
	if key == "" {
		return nil
	}
	// Settings, and what runs told, may name places of modules by their lines.
	e := &cache.Entry{Key: key, GPUs: m.gpus[path], By: m.absolute(path), Whole: how.Assume != nil || how.Observed != nil}
	for _, r := range results {
		if r.Err != nil {
			return nil
		}
		findings, ok := cache.Pack(r.Findings)
		if !ok {
			return nil
		}
		e.Mentions, e.Searched = r.Mentions, r.Searched
		kept := cache.Result{Unrelated: r.Unrelated, Foreign: r.Foreign, Findings: findings, Trainings: r.Trainings}
		paths, whole := kept.Places(path, e.By)
		for _, of := range paths {
			e.Places = append(e.Places, filepath.Base(of))
		}
		e.Whole = e.Whole || whole
		if len(findings) > 0 && notebook.Is(path) {
			if kept.Source = cache.PackSource(r.Original); kept.Source == nil {
				return nil
			}
		}
		e.Results = append(e.Results, kept)
	}
	return e
}

func newClean() *cobra.Command {
	var folder string
	cmd := &cobra.Command{
		Use:   "clean",
		Short: "Remove the results that check remembers, and the list of files that crashed tfmem",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			at := cacheFolder(folder)
			if at == "" {
				return nil
			}
			n, err := cache.Clean(at)
			if err != nil {
				return err
			}
			n += cleanRulePages(at)
			for _, folder := range journalFolders(at) {
				n += journal.Clean(folder)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "Removed from %s: %d.\n", at, n)
			return err
		},
	}
	cmd.Flags().StringVar(&folder, "cache-dir", "", "the `folder` of the cache [environment: "+cacheVariable+"]")
	return cmd
}
