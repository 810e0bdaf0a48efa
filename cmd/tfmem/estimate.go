package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/discover"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/modelreport"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/progress"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/gpu"
	"github.com/tfmem/tfmem/rules/estimate"
)

// An estimation is one run of the estimate command.
type estimation struct {
	batch              int64
	gpu, format, html  string
	outputFile, colour string
	stdinFilename      string
	paths              []string
	exitZero, verbose  bool
	counts, streaming  bool
	coverage           modelreport.Coverage
	settings           *configurator
	options            estimate.Options
	device             *memory.Device
	models             []estimate.Model
	read, failed       int // files
	bug, wrong         bool

	in        io.Reader
	out, errs io.Writer
	// fail says why something could not be priced, and remark what else is to be known.
	fail, remark func(words string)
}

func newEstimate() *cobra.Command {
	var e estimation
	formats := []string{"text", "json", "html"}
	cmd := &cobra.Command{
		Use:   "estimate FILE...",
		Short: "Estimate the GPU memory that the Keras models of files need",
		Long: `Tell what the Keras models of Python files and notebooks need of a GPU, from
their source text alone: parameters, memory by kind and by layer at the peak of
one training step, memory over the batch size, and on which GPUs that fits.

Models are compared with the GPU of this machine, of the settings, of the
environment variable ` + gpu.Variable + ` or of --gpu, as "tfmem gpu" explains. What cannot be
known from the source is said to be unknown, with the reason. "-" reads standard
input.

With --coverage it counts instead, over all files of the given folders, how many
calls of fit and training steps there are, how many of them are priced, and what
is not known of the others.

With --stream it answers each line of standard input, an object {"path", "content"}
or {"files": {path: content}}, by a line: {"path", "gpu", "models", "warnings",
"errors"}. Files import only those of their own line.

Exit code: 0 if no model is known to exceed the GPU; 1 if one does, or if a file
could not be read while others could; 2 for a mistake in usage or settings, an
error in tfmem, or if no file could be read.`,
		Example: `  tfmem estimate train.py
  tfmem estimate --gpu "RTX 3090" --batch-size 64 train.py
  tfmem estimate --html page.html train.ipynb     the same as plots
  tfmem estimate --coverage src                   how many trainings of a folder are priced`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if err := e.prepare(cmd, formats, paths); err != nil {
				return err
			}
			if e.streaming {
				return e.stream()
			}
			return e.run()
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Int64Var(&e.batch, "batch-size", 0, "price batches of this `size` instead of the program's")
	f.StringVar(&e.gpu, "gpu", "", "the `GPU` to compare models with: a name, a size such as 24GiB, auto or none [environment: "+gpu.Variable+"]")
	f.StringVar(&e.format, "output-format", formats[0], "text, json or html")
	f.StringVar(&e.html, "html", "", "also write one page with plots to this `file`")
	f.StringVarP(&e.outputFile, "output-file", "o", "", "write the report to this `file`, not to standard output")
	f.StringVar(&e.stdinFilename, "stdin-filename", "", "read standard input, as if it were this `file`")
	f.BoolVar(&e.streaming, "stream", false, "read a JSON object a line from standard input, {\"path\", \"content\"} or {\"files\": {path: content}}, and answer each by a line")
	f.BoolVar(&e.counts, "coverage", false, "count how many trainings are priced, and why others are not; folders are searched")
	f.BoolVarP(&e.verbose, "verbose", "v", false, "also list models that are parts of others, in the text; with --coverage, the most frequent reasons of each kind")
	f.BoolVar(&e.exitZero, "exit-zero", false, "exit with 0 also if a model exceeds the GPU")
	f.StringVar(&e.colour, "color", colours[0], "`when` to colour the report: "+strings.Join(colours, ", "))
	completeWith(cmd, "output-format", formats...)
	completeWith(cmd, "color", colours...)
	completeGPU(cmd)
	return cmd
}

// prepare interprets the flags.
func (e *estimation) prepare(cmd *cobra.Command, formats, paths []string) (err error) {
	e.in, e.out, e.errs = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	e.fail = func(words string) {
		e.failed++
		fmt.Fprintf(e.errs, "error: %s\n", source.PrintableLines(words))
	}
	e.remark = func(words string) { fmt.Fprintf(e.errs, "warning: %s\n", source.Printable(words)) }
	if e.streaming && (len(paths) > 0 || e.stdinFilename != "" || e.counts || e.html != "" || e.format == "html" || e.outputFile != "") {
		return usagef("--stream answers lines of standard input by models as JSON; leave out paths, pages, --coverage, --stdin-filename and --output-file")
	}
	if e.stdinFilename != "" && len(paths) > 0 && !slices.Equal(paths, []string{"-"}) {
		return usagef("standard input and paths cannot be estimated in one run; leave out --stdin-filename, or the paths")
	}
	if e.stdinFilename != "" {
		paths = []string{e.stdinFilename}
	}
	if e.paths = paths; len(paths) == 0 && !e.streaming {
		return usagef("name the files whose models are to be estimated, such as: tfmem estimate train.py")
	}
	if err := oneOf("--output-format", e.format, formats); err != nil {
		return err
	}
	if err := oneOf("--color", e.colour, colours); err != nil {
		return err
	}
	if cmd.Flags().Changed("batch-size") && (e.batch < 1 || e.batch > memory.MaxBatch) {
		return usagef("--batch-size: %d is not a batch size; it must be between 1 and %d", e.batch, memory.MaxBatch)
	}
	for _, o := range []struct{ flag, file string }{{"--html", e.html}, {"--output-file", e.outputFile}} {
		for _, p := range paths {
			if o.file != "" && filepath.Clean(o.file) == filepath.Clean(p) {
				return usagef("%s: %s is a file to be estimated, and would be overwritten; name another", o.flag, o.file)
			}
		}
	}
	if e.counts && (e.html != "" || e.format == "html") {
		return usagef("--coverage has no page; leave out --html, or choose --output-format text or json")
	}
	if e.html != "" && e.html == e.outputFile {
		return usagef("--html and --output-file both name %s; name two files", e.html)
	}
	if e.settings, err = newConfigurator(cmd.Context(), e.gpu, fromHere); err != nil {
		return err
	}
	e.settings.follow()
	e.options = estimate.Options{Batch: e.batch, Others: commonGPUs()}
	return nil
}

// common are GPUs that people ask for, by their names in the catalogue.
var common = []string{
	"NVIDIA GeForce RTX 4060", "NVIDIA GeForce RTX 3060", "Tesla T4", "NVIDIA GeForce RTX 4090", "NVIDIA A100-SXM4-40GB", "NVIDIA L40S",
	"NVIDIA H100 80GB HBM3",
}

func commonGPUs() []memory.Device {
	var out []memory.Device
	for _, name := range common {
		if r, err := gpu.Parse(name, project.ReadFile); err == nil {
			out = append(out, devices(r, "catalogue")...)
		}
	}
	return out
}

func (e *estimation) run() error {
	if e.counts && e.stdinFilename == "" && !slices.Equal(e.paths, []string{"-"}) {
		files, errs := discover.Files(context.Background(), e.paths, discover.Options{Exclude: e.settings.excludes, Warn: e.settings.unread.add})
		for _, err := range errs {
			e.fail(err.Error())
		}
		e.paths = files
	}
	done := func() {}
	if f, ok := e.errs.(*os.File); ok && isTerminal(f) {
		done = progress.Files(f, "Estimating", len(e.paths))
	}
	for _, path := range e.paths {
		e.file(path)
		done()
	}
	for _, words := range e.settings.unread.messages() {
		e.remark(words)
	}
	if err := e.print(); err != nil {
		return err
	}
	switch {
	case e.bug, e.wrong, e.read == 0:
		return exitCode(exitFailure)
	case e.failed > 0, e.exceeds() && !e.exitZero:
		return exitCode(exitFindings)
	}
	return nil
}

// exceeds reports whether a model exceeds the GPU.
func (e *estimation) exceeds() bool {
	return slices.ContainsFunc(e.models, func(m estimate.Model) bool { return m.Verdict == memory.Exceeds && !m.Part })
}

// file prices the models of one file.
func (e *estimation) file(path string) {
	how, err := e.settings.of(path)
	if err != nil {
		e.wrong = true
		e.fail(err.Error())
		return
	}
	if how.Devices == nil {
		how.Devices = e.settings.machine
	}
	text, err := e.text(path)
	if err != nil {
		e.fail(err.Error())
		return
	}
	e.price(path, text, how)
}

// price prices the models of a text.
func (e *estimation) price(path, text string, how configuration) {
	defer func() {
		if p := recover(); p != nil {
			e.bug = true
			e.fail(fmt.Sprintf("%s: internal error: %v\nthis is a bug in tfmem; please report it at https://github.com/tfmem/tfmem/issues\n%s", path, p, debug.Stack()))
		}
	}()
	files, err := how.toPrice(path, text)
	var foreign *notebook.LanguageError
	switch {
	case errors.As(err, &foreign):
		e.read++
		e.remark(fmt.Sprintf("%s: not estimated: %v", path, err))
		return
	case err != nil:
		e.fail(fmt.Sprintf("%s: %v", path, err))
		return
	}
	e.read++
	found, why := 0, ""
	for _, file := range files {
		if file.Unread != "" {
			why = "not estimated: " + file.Unread
			continue
		}
		if file.Tree.HasErrors() && !e.counts {
			e.remark(path + ": not all of it is valid Python; only what can be parsed is priced")
		}
		if e.counts {
			e.coverage.Add(estimate.Trainings(file))
			continue
		}
		models, device := estimate.Of(file, e.options)
		if e.device == nil {
			e.device = device
		}
		found += len(models)
		e.models = append(e.models, models...)
		if why == "" {
			why = lost(file, len(models) > 0)
		}
	}
	switch {
	case e.counts:
	case why != "":
		e.remark(path + ": " + why)
	case found == 0:
		e.remark(path + ": no Keras model was found in it")
	}
}

// toPrice analyses the programs of a file, whose models are to be priced.
func (how configuration) toPrice(path, text string) (files []*analyzer.File, err error) {
	programs, workspace, err := analyzer.Open(path, text, how.Workspace)
	if err != nil {
		return nil, err
	}
	config := how.Config
	config.Workspace, config.Asked = workspace, true
	for _, program := range programs {
		files = append(files, analyzer.Analyze(program, config))
	}
	return files, nil
}

// lost says where the evaluation of a file was given up, or where it uses an unknown model and
// why that is unknown; "" if there is no such place. With surely, only code that surely runs
// counts.
func lost(file *analyzer.File, surely bool) (why string) {
	_ = file.Do(context.Background(), func() { why = lostIn(file, surely) }) // nothing interrupts it
	return why
}

// lostIn is lost within [analyzer.File.Do].
func lostIn(file *analyzer.File, surely bool) string {
	line := func(n syntax.Node) int { return 1 + strings.Count(file.Source.Text()[:n.Start()], "\n") }
	models := file.Models()
	if cut := models.Cut; cut != nil {
		return fmt.Sprintf("%s, at line %d: models created after it are not known", cut.Why, line(cut.Node))
	}
	for _, l := range models.Unresolved {
		if l.Node.Tree() == file.Tree && !(surely && l.Assumed) {
			return fmt.Sprintf("the model of %s on line %d is not known: %s", l.Method, line(l.Node), l.Why)
		}
	}
	return ""
}

func (e *estimation) text(path string) (string, error) {
	if path == "-" || e.stdinFilename != "" {
		return checker.ReadFrom(path, e.in)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return "", fmt.Errorf("%s: it is a folder; name the files in it whose models are to be estimated", path)
	} else if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: no such file", path)
	}
	return checker.ReadFile(path)
}

// print writes the report, and the page.
func (e *estimation) print() error {
	page := func(w io.Writer) error {
		where := func(s *source.Source, at source.Span) string { return report.Where(s, at, report.Palette{}) }
		return estimate.Page(e.models, e.device, where).Write(w)
	}
	if e.html != "" && e.read > 0 {
		if err := writeTo(e.html, page); err != nil {
			return fmt.Errorf("--html: cannot write the page: %w", err)
		}
	}
	write := func(w io.Writer) error {
		switch {
		case e.counts && e.format == "json":
			return e.coverage.JSON(w)
		case e.counts:
			return e.coverage.Text(w, e.verbose)
		}
		switch e.format {
		case "json":
			return modelreport.JSON(w, e.models, e.device)
		case "html":
			return page(w)
		}
		f, _ := w.(*os.File)
		return modelreport.Text(w, e.models, report.Palette{Colour: colourful(e.colour, f)}, e.verbose)
	}
	var err error
	if e.outputFile != "" {
		err = writeTo(e.outputFile, write)
	} else {
		err = write(e.out)
	}
	if err != nil {
		return fmt.Errorf("cannot write the report: %w", err)
	}
	return nil
}

// writeTo creates a file with the output of write.
func writeTo(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(f)
	err = write(b)
	return errors.Join(err, b.Flush(), f.Close())
}
