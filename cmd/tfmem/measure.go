package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/measure"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/program"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/write"
	"github.com/tfmem/tfmem/gpu"
)

func newMeasure() *cobra.Command {
	var interval time.Duration
	var output, html string
	var peak, quiet bool
	cmd := &cobra.Command{
		Use:   "measure [flags] -- PROGRAM [ARGUMENT]...",
		Short: "Run a program and measure the GPU memory that it uses",
		Long: `Run a program unchanged and measure the GPU memory that it and its children use,
as the NVIDIA driver counts it. On a terminal the last line shows it while the program
runs; at its end a line on standard error says the peak. Without a GPU the program runs
all the same.

TensorFlow reserves nearly all of a GPU unless memory growth is on, so what the driver
counts may be far more than the program needs. --peak asks TensorFlow itself, when the
program ends: Python then starts with a module that does so (PYTHONPATH), and neither the
program nor its output changes.

--html draws one page: memory over time, beside the estimate of the script that ran. That
is the first Python file or notebook that the command names, or the module after -m.

The editor shows the last measurement of a script or notebook beside its estimate, until
its code changes.

Exit code: the program's; 2 if it could not be started.`,
		Example: `  tfmem measure -- python train.py
  tfmem measure --peak -o train.json -- python train.py --epochs 1
  tfmem measure --html run.html -- python -m package.train
  tfmem measure -- papermill train.ipynb out.ipynb`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name the program to run: tfmem measure -- python train.py")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if interval < shortestInterval {
				return usagef("--interval: at least %v", shortestInterval)
			}
			if html != "" && html == output {
				return usagef("--html and --output-file both name %s; name two files", html)
			}
			for _, path := range []string{output, html} {
				if err := write.Check(path); path != "" && err != nil {
					return usagef("%s cannot be written: %v", path, err)
				}
			}
			o := measure.Options{Interval: interval, AskPeak: peak, Watch: gpu.Watch}
			var line *measure.Line
			if !quiet {
				line = measure.NewLine(os.Stderr)
			}
			if line != nil {
				o.Live = line.Show
			}
			m, ended, err := measure.Run(args, o)
			if line != nil {
				line.Close()
			}
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], errors.Unwrap(err))
			}
			if !quiet {
				io.WriteString(cmd.ErrOrStderr(), source.PrintableLines(measured(m, peak)))
			}
			if err := m.Keep(); err != nil && !quiet {
				fmt.Fprintf(cmd.ErrOrStderr(), "tfmem: the measurement is not kept for the editor: %v\n", err)
			}
			for _, file := range []struct {
				path  string
				write func(io.Writer) error
			}{
				{output, func(w io.Writer) error { return report.WriteJSON(w, m) }},
				{html, func(w io.Writer) error { return measuredPage(m, peak).Write(w) }},
			} {
				if file.path == "" {
					continue
				}
				if err := writeTo(file.path, file.write); err != nil {
					fmt.Fprintf(cmd.ErrOrStderr(), "tfmem: %v\n", err)
				}
			}
			program.EndLike(ended)
			if m.ExitCode != 0 {
				return exitCode(m.ExitCode)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.SetInterspersed(false) // what follows the program is the program's
	f.BoolVar(&peak, "peak", false, "ask TensorFlow for its own peak, when the program ends")
	f.DurationVar(&interval, "interval", 500*time.Millisecond, "the `time` between two samples")
	f.StringVarP(&output, "output-file", "o", "", "write the measurement with all samples to this `file`, as JSON")
	f.StringVar(&html, "html", "", "write one page with memory over time and the script's estimate to this `file`")
	f.BoolVarP(&quiet, "quiet", "q", false, "show nothing beside what the program shows")
	return cmd
}

const shortestInterval = 50 * time.Millisecond

// measured says in a few lines what was measured.
func measured(m *measure.Measurement, asked bool) string {
	var b strings.Builder
	took := time.Duration(m.Seconds * float64(time.Second)).Round(100 * time.Millisecond)
	for _, d := range m.Devices {
		if len(d.Samples) == 0 {
			continue
		}
		fmt.Fprintf(&b, "tfmem: at most %s of GPU %d (%s, %s) in %v", memory.Bytes(d.PeakBytes), d.Index, d.Name, memory.Bytes(d.TotalBytes), took)
		if d.By == measure.ByDevice {
			b.WriteString("; that is what the whole GPU used more than before, as the driver does not tell the program's part")
		}
		b.WriteString(".\n")
	}
	switch {
	case b.Len() > 0 && m.Why != "":
		fmt.Fprintf(&b, "tfmem: not all was measured: %s.\n", m.Why)
	case b.Len() == 0:
		fmt.Fprintf(&b, "tfmem: no GPU memory was measured: %s.\n", whyNotSampled(m))
	}
	for _, sentence := range toldByTensorFlow(m, asked) {
		fmt.Fprintf(&b, "tfmem: %s\n", sentence)
	}
	return b.String()
}

// whyNotSampled says why a measurement has no samples.
func whyNotSampled(m *measure.Measurement) string {
	return cmp.Or(m.Why, "the program ended before the first sample")
}

// toldByTensorFlow says in sentences what TensorFlow itself used, or why only --peak can tell.
func toldByTensorFlow(m *measure.Measurement, asked bool) (all []string) {
	for _, p := range m.TensorFlow {
		if !strings.HasPrefix(p.Device, "GPU:") {
			continue // its figure is 0: only GPUs' allocators count
		}
		all = append(all, fmt.Sprintf("TensorFlow's peak on %s was %s (process %d).", p.Device, memory.Bytes(p.PeakBytes), p.PID))
	}
	switch most := m.Used(); {
	case asked && len(m.TensorFlow) > 0 && len(all) == 0:
		all = append(all, "TensorFlow saw no GPU.")
	case asked && len(m.TensorFlow) == 0:
		all = append(all, "TensorFlow told no peak: no Python process that used it came to its end.")
	case !asked && most != nil && reservedWhole(most):
		all = append(all, "That is nearly all that TensorFlow can have: without memory growth it reserves it, and needs less. --peak asks TensorFlow how much.")
	}
	return all
}

// reservedWhole reports whether a program took so much of a device as TensorFlow reserves without
// memory growth. Other programs may have had the rest.
func reservedWhole(d *measure.Device) bool {
	share := memory.Split(memory.Device{Total: d.TotalBytes}, memory.Process{})
	return float64(d.PeakBytes) > 0.9*float64(share.Pool+share.Context)
}
