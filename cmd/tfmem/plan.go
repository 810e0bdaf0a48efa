package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/saved"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/discover"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/planreport"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/gpu"
	"github.com/tfmem/tfmem/rules/estimate"
	"github.com/tfmem/tfmem/rules/plan"
)

// A planning is one run of the plan command.
type planning struct {
	gpu, format, prices, html, colour, stdinFilename, observed string
	apply, diff                                                int
	batch                                                      int64

	settings  *configurator
	read      func(path string) (string, error)
	in        io.Reader
	out, errs io.Writer
}

func newPlan() *cobra.Command {
	var c planning
	formats := []string{"text", "json"}
	cmd := &cobra.Command{
		Use:   "plan PATH",
		Short: "Find the cheapest changes by which a training fits the GPU",
		Long: `Find which changes make a training fit the GPU: each alone and together with
others, the cheapest first, with what it would need then and what it costs. The
changed text is priced as "tfmem estimate" prices any text; nothing is run.

It also says which changes do not help, and why. Where the training fits as it
is, it says how much larger a batch may be, and which smaller GPU would do.

PATH is a Python file or a notebook, or a folder, whose worst program is taken.
"-" reads standard input. A saved model (.keras, .json) is trained on batches of
--batch-size; its plans are for the program that loads it.

A price list for --prices has a line "NAME,PRICE" for each GPU.

Exit code: 0 if it fits or a plan makes it fit; 1 if none does; 2 for a mistake
in usage or settings, or if nothing is priced.`,
		Example: `  tfmem plan train.py --gpu "RTX 3060"
  tfmem plan train.py --diff 1          what plan 1 changes
  tfmem plan train.py --apply 1         change it`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("name one file, notebook or folder, such as: tfmem plan train.py")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			c.in, c.out, c.errs = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
			return c.run(cmd, args[0], formats)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&c.gpu, "gpu", "", "the `GPU` to fit: a name, a size such as 24GiB, or auto [environment: "+gpu.Variable+"]")
	f.IntVar(&c.diff, "diff", 0, "show the edits of plan `N` and write nothing")
	f.IntVar(&c.apply, "apply", 0, "make the edits of plan `N`")
	f.Int64Var(&c.batch, "batch-size", assumedBatch, "train a saved model on batches of `N`")
	f.StringVar(&c.format, "output-format", formats[0], "text or json")
	f.StringVar(&c.html, "html", "", "also write one page with the plans, and the estimate, to this `file`")
	f.StringVar(&c.observed, "observed", "", "a `file` that tfmem probe wrote: what a run told of values that the text leaves open")
	f.StringVar(&c.stdinFilename, "stdin-filename", "", "read standard input, given as PATH -, as if it were this `file`")
	f.StringVar(&c.prices, "prices", "", "also list the GPUs of this `file` on which it fits as it is, by what an hour costs")
	f.StringVar(&c.colour, "color", colours[0], "`when` to colour the report: "+strings.Join(colours, ", "))
	completeWith(cmd, "output-format", formats...)
	completeWith(cmd, "color", colours...)
	completeGPU(cmd)
	return cmd
}

func (c *planning) run(cmd *cobra.Command, path string, formats []string) (err error) {
	switch {
	case c.diff != 0 && c.apply != 0:
		return usagef("--diff and --apply cannot be given together; --apply N makes what --diff N shows")
	case c.html != "" && c.diff+c.apply != 0:
		return usagef("--html shows all plans; leave out --diff and --apply")
	case c.stdinFilename != "" && path != "-":
		return usagef("--stdin-filename is the name of standard input; give - as the path")
	case saved.Is(cmp.Or(c.stdinFilename, path)) && path == "-":
		return usagef("a saved model is no text; name its file")
	case path == "-" && c.apply != 0:
		return usagef("standard input cannot be changed; --diff shows the edits")
	case saved.Is(path) && c.diff+c.apply != 0:
		return usagef("a saved model has no text to change; make the changes in the program that loads it")
	case cmd.Flags().Changed("batch-size") && (!saved.Is(path) || c.batch < 1 || c.batch > memory.MaxBatch):
		return usagef("--batch-size is the positive number of a saved model; a program names its own")
	case c.diff < 0 || c.apply < 0:
		return usagef("plans are counted from 1")
	}
	if err := oneOf("--output-format", c.format, formats); err != nil {
		return err
	}
	if err := oneOf("--color", c.colour, colours); err != nil {
		return err
	}
	var list []planreport.Price
	if c.prices != "" {
		if list, err = readPrices(c.prices); err != nil {
			return usagef("--prices: %v", err)
		}
	}
	if c.settings, err = newConfigurator(cmd.Context(), c.gpu, fromHere); err != nil {
		return err
	}
	c.settings.follow()
	c.settings.observing(c.observed)
	c.read = checker.ReadFile
	if path == "-" {
		path = cmp.Or(c.stdinFilename, path)
		text, err := checker.ReadFrom(path, c.in)
		if err != nil {
			return err
		}
		c.read = func(string) (string, error) { return text, nil }
	}
	find := c.worst
	if saved.Is(path) {
		find = c.ofSaved
	}
	program, others, err := find(cmd.Context(), path)
	if err != nil {
		return err
	}
	plans, err := program.Plans(cmd.Context())
	if err != nil {
		return err
	}
	if n := c.diff + c.apply; n > 0 {
		switch found := len(plans.Fitting); {
		case plans.Before.Fits():
			return usagef("there is no plan %d: it fits as it is", n)
		case found == 0:
			return usagef("there is no plan %d: nothing that tfmem can change makes it fit", n)
		case n > found:
			return usagef("there is no plan %d: %d make it fit", n, found)
		}
		return c.make(program.File, plans.Fitting[n-1])
	}
	r := planreport.Report{Plans: plans, Unwritten: saved.Is(path), Smallest: plans.Before.Smallest(knownGPUs()), Others: others}
	for _, p := range list {
		if plans.Before.Smallest([]memory.Device{p.Device}) != nil {
			r.Prices = append(r.Prices, p)
		}
	}
	if c.html != "" {
		if err := c.page(plans); err != nil {
			return fmt.Errorf("--html: cannot write the page: %w", err)
		}
	}
	if c.format == "json" {
		err = r.JSON(c.out)
	} else {
		err = r.Text(c.out, c.palette())
	}
	if err == nil && !plans.Before.Fits() && len(plans.Fitting) == 0 {
		return exitCode(exitFindings)
	}
	return err
}

// page writes the page with the plans, and the estimate of the model that they are for.
func (c *planning) page(plans *plan.Plans) error {
	p := estimate.Page([]estimate.Model{plans.Before.Worst}, plans.Before.Worst.Device, false, linkedFrom(filepath.Dir(c.html)))
	p.Plans = plans.Page()
	return writeTo(c.html, p.Write)
}

func (c *planning) palette() report.Palette {
	terminal, _ := c.out.(*os.File)
	return report.Palette{Colour: colourful(c.colour, terminal)}
}

// assumedBatch is what Keras trains on where a program names no batch size.
const assumedBatch = 32

// ofSaved returns the program that trains the saved model at a path, with the Keras that saved it.
func (c *planning) ofSaved(ctx context.Context, path string) (*plan.State, int, error) {
	how, err := c.settings.of(path)
	if err != nil {
		return nil, 0, err
	}
	if how.Devices == nil {
		how.Devices = c.settings.machine
	}
	f, size, err := project.OpenAt(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	model, err := saved.Read(f, size, "")
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	if r, err := effects.ParseRange(model.Version); err == nil && model.Version != "" {
		how.Config.Versions.Keras = effects.Stated{Range: r, Source: "named by the saved model"}
	}
	// The batches of a dataset of files take no memory of the device, but for the one that is trained on.
	text := "import tensorflow as tf\n" + model.Python + fmt.Sprintf("model.fit(tf.data.Dataset.load(\"data\").batch(%d))\n", c.batch)
	worst, err := plan.Price(ctx, analyzer.Analyze(source.New(path, text), how.Config))
	return worst, 0, whyNot(path, err)
}

// whyNot says of which file an error is that plan.Price returns.
func whyNot(path string, err error) error {
	switch {
	case errors.Is(err, plan.ErrNoGPU):
		return usagef("no GPU is known; name one with --gpu or in tfmem.toml")
	case err != nil:
		return fmt.Errorf("%s: %w; tfmem estimate says why", path, err)
	}
	return nil
}

// worst returns the program at a path that fits the least, and how many of its trainings have no price.
func (c *planning) worst(ctx context.Context, path string) (worst *plan.State, others int, err error) {
	paths := []string{path}
	if isFolder(path) && c.stdinFilename == "" {
		var errs []error
		paths, errs = discover.Files(ctx, paths, discover.Options{Exclude: c.settings.excludes, Warn: c.settings.unread.add})
		if len(errs) > 0 {
			return nil, 0, errors.Join(errs...)
		}
	}
	var unpriced error // why the first program is not priced
	for _, path := range paths {
		how, err := c.settings.of(path)
		if err != nil {
			return nil, 0, err
		}
		if how.Devices == nil {
			how.Devices = c.settings.machine
		}
		text, err := c.read(path)
		if err != nil {
			return nil, 0, err
		}
		files, err := how.toPrice(path, text, len(paths) == 1)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", path, err)
		}
		for _, file := range files {
			now, err := plan.Price(ctx, file)
			if err == nil && (worst == nil || now.Worse(worst)) {
				worst = now
			}
			unpriced = cmp.Or(unpriced, whyNot(file.Source.Path, err))
		}
	}
	switch {
	case worst == nil && unpriced != nil:
		return nil, 0, unpriced
	case worst == nil:
		return nil, 0, fmt.Errorf("%s: there is no program", path)
	}
	for _, t := range estimate.Trainings(worst.File) {
		if t.Why != nil {
			others++
		}
	}
	return worst, others, nil
}

// make shows or writes the edits of a plan.
func (c *planning) make(program *analyzer.File, p plan.Plan) error {
	path := program.Source.Path
	run := checker.Checker{Config: program.Config, Write: c.apply > 0, Read: c.read}
	results := run.Edit(path, func(file *analyzer.File) ([]source.Edit, error) {
		if file.Source.Text() != program.Source.Text() {
			return nil, nil // another program of the notebook
		}
		return p.Edits, nil
	})
	failed := func(r checker.Result) bool { return r.Err != nil }
	for _, e := range p.Elsewhere {
		if !slices.ContainsFunc(results, failed) {
			results = append(results, run.EditOther(e.Source, e.Edits()))
		}
	}
	if i := slices.IndexFunc(results, failed); i >= 0 {
		return results[i].Err
	}
	if c.apply > 0 {
		files := []string{path}
		for _, e := range p.Elsewhere {
			files = append(files, e.Source.Path)
		}
		fmt.Fprintf(c.errs, "%s: %s. It needs about %s now.\n", source.Printable(strings.Join(files, ", ")), p.Title(), memory.Bytes(p.After.Need.Peak))
		return nil
	}
	b := bufio.NewWriter(c.out)
	palette := c.palette()
	if err := writeDiff(b, results, palette, isShown(c.out, palette)); err != nil {
		return err
	}
	return b.Flush()
}

// knownGPUs returns the whole GPUs of the catalogue.
func knownGPUs() (all []memory.Device) {
	for _, k := range gpu.Known() {
		if k.TotalBytes > 0 && k.MIG == "" {
			all = append(all, memoryDevice(gpu.Device{Name: k.Name, TotalBytes: k.TotalBytes, ComputeCapability: k.ComputeCapability}))
		}
	}
	return all
}

// readPrices reads a price list, the cheapest first.
func readPrices(path string) (all []planreport.Price, err error) {
	text, err := project.ReadFile(path, longestSettings)
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(strings.NewReader(string(text)))
	r.Comment, r.TrimLeadingSpace, r.FieldsPerRecord = '#', true, 2
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		line, _ := r.FieldPos(0)
		hour, err := strconv.ParseFloat(strings.TrimSpace(row[1]), 64)
		if err != nil || hour < 0 || math.IsNaN(hour) || math.IsInf(hour, 0) {
			return nil, fmt.Errorf("%s:%d: %q is no price", path, line, row[1])
		}
		found, err := gpu.Parse(strings.TrimSpace(row[0]), project.ReadFile)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		for _, d := range devices(found, path) {
			all = append(all, planreport.Price{Device: d, Hour: hour})
		}
	}
	slices.SortStableFunc(all, func(a, b planreport.Price) int { return cmp.Compare(a.Hour, b.Hour) })
	return all, nil
}
