package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"

	"github.com/tfmem/tfmem/cmd/tfmem/internal/discover"
	"github.com/tfmem/tfmem/rules/settings"
)

// calm is how long nothing must change before the files are checked again: saving a file takes
// several steps, and checking out a branch changes many files.
const calm = 100 * time.Millisecond

// clearScreen clears a terminal and what was scrolled out of it.
const clearScreen = "\x1b[H\x1b[2J\x1b[3J"

// watch runs check --watch: it checks the files, and again after each change of a file, until it is
// interrupted. Each check starts afresh: it reads the settings and searches the folders.
func (f *checkFlags) watch(cmd *cobra.Command, paths []string) error {
	// Until the process ends: the journal, which hears of a signal too, sends it once more.
	ctx, _ := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("cannot watch for changes: %w", err)
	}
	defer watcher.Close()
	for first := true; ; first = false {
		c, err := f.check(cmd, paths)
		if err != nil && first {
			return err
		}
		if err == nil {
			if out, ok := c.out.(*os.File); ok && isTerminal(out) && !first {
				fmt.Fprint(out, clearScreen)
			}
			// A check may take long, and may be killed at any moment.
			going := context.AfterFunc(ctx, func() {
				running().Discard()
				os.Exit(exitClean)
			})
			err = c.watched(watcher)
			if !going() {
				select {} // it is ending
			}
		}
		var code exitCode
		if err != nil && !errors.As(err, &code) {
			fmt.Fprintf(cmd.ErrOrStderr(), "error: %v\n", err)
		}
		if !f.quiet {
			fmt.Fprintln(cmd.ErrOrStderr(), "Watching for changes; Ctrl-C ends.")
		}
		if !changed(ctx, watcher) {
			return nil
		}
	}
}

// watched checks the files, and has the watcher look at all folders that they may be in.
func (c *check) watched(watcher *fsnotify.Watcher) error {
	var once sync.Once
	add := func(folder string) {
		if err := watcher.Add(folder); err != nil {
			once.Do(func() { c.complain(fmt.Sprintf("not all changes will be seen: cannot watch %s: %v", folder, err)) })
		}
	}
	for _, path := range c.paths {
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			add(filepath.Dir(path))
		}
	}
	c.searched = add
	return c.run()
}

// changed waits until a file that matters has changed, and then until nothing changes. It is false
// if ctx is done first.
func changed(ctx context.Context, watcher *fsnotify.Watcher) bool {
	var quiet <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return false
		case e, ok := <-watcher.Events:
			if !ok {
				return false
			}
			if e.Op != fsnotify.Chmod && matters(e) {
				quiet = time.After(calm)
			}
		case <-watcher.Errors:
			quiet = time.After(calm) // events may be lost
		case <-quiet:
			return true
		}
	}
}

// matters reports whether a check may end otherwise after an event: that of a Python file, of
// settings, or of a folder, which may have such files.
func matters(e fsnotify.Event) bool {
	name := filepath.Base(e.Name)
	if discover.IsPython(name) || settings.IsSettings(e.Name) || name == ".gitignore" {
		return true
	}
	info, err := os.Stat(e.Name)
	return err == nil && info.IsDir()
}
