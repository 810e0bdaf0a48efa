package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/discover"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/measure"
	"github.com/tfmem/tfmem/gpu"
	"github.com/tfmem/tfmem/lsp"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/baseline"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/settings"
)

func newServer() *cobra.Command {
	var noFindings bool
	cmd := &cobra.Command{
		Use:   "server",
		Short: "Run the language server on standard input and output",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			// Writing to a client that is gone must fail, not kill the process. Programs that the
			// server starts do not inherit this, as they would if the signal were ignored.
			signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
			// The environment's settings hold for as long as the server runs.
			first, err := newConfigurator(cmd.Context(), "", nil)
			if err != nil {
				return err
			}
			first.own = ownMachine
			pages := newRulePages()
			options := lsp.Options{
				Version: release,
				Files:   project.Disk{},
				Devices: detect,
				Editor: func(object []byte, folder string, folders []string) (*settings.Editor, []error) {
					return first.withEditor(folders, nil).finder.Editor(object, first.absolute(folder))
				},
				// Settings are read again for every opened document.
				Configure: func(path string, folders []string, editor *settings.Editor) (lsp.Configuration, error) {
					c, err := first.withEditor(folders, func(string) *settings.Editor { return editor }).forServer(path, pages)
					if noFindings {
						c.Selection = rules.Selection{Ignore: []string{"ALL"}}
					}
					return c, err
				},
				CheckSettings: func(path, text string, folders []string) []settings.Mistake {
					c := first.withEditor(folders, nil)
					c.finder.GPU = c.parseGPU // a mistake counts even if TFMEM_GPU is set
					return c.finder.Check(path, []byte(text))
				},
				Measured: lastMeasured,
				GPUs:     gpu.Names(),
				Others:   commonGPUs(),
				Scope: func(ctx context.Context, folders []string, editor func(string) *settings.Editor, warn func(error)) lsp.Scope {
					settings := first.withEditor(folders, editor)
					// Here a folder that cannot be read does not matter to the user.
					files, _ := discover.Files(ctx, folders, discover.Options{Exclude: settings.excludes, Warn: warn})
					return lsp.Scope{Files: files, Configure: func(path string) (lsp.Configuration, error) { return settings.forServer(path, pages) }, Read: checker.ReadFile}
				},
			}
			if err := lsp.Serve(cmd.Context(), stdio{os.Stdin, os.Stdout}, options); err != nil {
				// LSP requires exit code 1 if exit came without shutdown.
				fmt.Fprintln(cmd.ErrOrStderr(), "error:", source.PrintableLines(err.Error()))
				return exitCode(1)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&noFindings, "no-findings", false, "report nothing in open files, for an editor that shows the findings of tfmem check")
	return cmd
}

// forServer says how a server checks a file. The server finds this machine's GPUs by itself.
func (c *configurator) forServer(path string, pages *rulePages) (lsp.Configuration, error) {
	how, err := c.of(path)
	if c.gpus != nil {
		how.Devices = nil
	}
	page := func(r *rule.Rule) string {
		if address := r.URL(how.docs); address != "" {
			return address
		}
		return pages.of(r)
	}
	out := lsp.Configuration{Config: how.Config, Selection: how.Selection, InlayHints: how.hints, Page: page}
	if out.ObservedAt = how.observed; out.ObservedAt == "" {
		out.ObservedAt, _ = observationsAt(c.rootOf(c.absolute(path)))
	}
	if how.baseline != "" && err == nil {
		if out.Baseline, err = c.baselineAt(how.baseline); err != nil {
			out.Baseline = baseline.New(how.baseline) // it may come
		}
	}
	return out, err
}

// detect finds the GPUs that TFMEM_GPU names, or else those of this machine.
func detect(ctx context.Context) lsp.Detection {
	found, err := chosenGPU(ctx, "")
	if err != nil {
		return lsp.Detection{Why: err.Error()} // a named file is no longer there
	}
	out := lsp.Detection{Source: found.Source, Why: found.Why, Holders: holders(found)}
	switch found.Source {
	case gpu.NVML:
		out.Source = "helper"
	case gpu.NvidiaSMI, "":
	default:
		out.Source = gpu.Variable
		out.Devices = devices(found, "named by "+gpu.Variable)
		return out
	}
	out.Devices = devices(found, "found by "+found.Source)
	return out
}

// holders names the programs that use the GPUs that can be seen from here.
func holders(r gpu.Result) (all []string) {
	for _, d := range r.Devices {
		for _, p := range d.Processes {
			program := filepath.Base(cmp.Or(p.Name, "a program"))
			if holder := source.Printable(fmt.Sprintf("%s (process %d)", program, p.PID)); !d.Hidden && !slices.Contains(all, holder) {
				all = append(all, holder)
			}
		}
	}
	return all
}

// lastMeasured returns the last measurement of a script with this code, or nil.
func lastMeasured(path, code string) *lsp.Measurement {
	m := measure.Last(path, code)
	if m == nil {
		return nil
	}
	if bytes, ok := m.Peak(); ok {
		return &lsp.Measurement{Day: m.Started, Bytes: bytes, Peak: true}
	}
	if d := m.Used(); d != nil && d.PeakBytes > 0 {
		return &lsp.Measurement{Day: m.Started, Bytes: d.PeakBytes}
	}
	return nil
}

// stdio is the connection with the parent process.
type stdio struct {
	io.ReadCloser
	out io.WriteCloser
}

func (s stdio) Write(b []byte) (int, error) { return s.out.Write(b) }

func (s stdio) Close() error {
	in, out := s.ReadCloser.Close(), s.out.Close()
	if in != nil {
		return in
	}
	return out
}
