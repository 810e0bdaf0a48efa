package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/gpu"
	"github.com/tfmem/tfmem/rules/estimate"
	"github.com/tfmem/tfmem/rules/explain"
	"github.com/tfmem/tfmem/rules/plan"
	"github.com/tfmem/tfmem/rules/rule"
)

// whatItHad names, as a GPU, the memory that TensorFlow had according to the log.
const whatItHad = "the GPU of that run"

// An explanation is one run of the explain command.
type explanation struct {
	had     memory.Device // the GPU of the run; zero if what TensorFlow had is not known
	check   checkFlags
	sources []string
}

func newExplain() *cobra.Command {
	var e explanation
	cmd := &cobra.Command{
		Use:   "explain [LOG|NOTEBOOK|-]",
		Short: "Explain why a run of TensorFlow ran out of memory",
		Long: `Explain what TensorFlow printed when it failed: a log, a terminal's text, or the
outputs stored in a notebook; by default, or as "-", standard input.

The first line is the cause in one sentence, to be passed on. Then it says on which
lines of the log that rests, and what to do: too little left by another program, memory
that TensorFlow had taken before cuDNN came, a step that is too large, data that were
copied to the GPU whole, an earlier model, fragments, a leak, the machine's own memory.
Where nothing shows the cause, it says which command does. Where the program is at hand,
from the traceback, from --source, in the notebook or as a script of this folder, the
rules that see this cause run on it, the likeliest first, and its models are priced
against the memory that TensorFlow had.

--output-format json prints an object that cmd/tfmem/explain.schema.json describes.

Exit code: 0 if a failure is explained or there is none; 1 if the text shows no failure
that it knows; 2 for a mistake in usage, or if the text cannot be read.`,
		Example: `  tfmem explain train.log
  python train.py 2>&1 | tee train.log | tfmem explain
  tfmem explain --source train.py --fix train.log`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("--output-format", e.check.format, []string{"text", "json"}); err != nil {
				return err
			}
			path := "-"
			if len(args) > 0 {
				path = args[0]
			}
			return e.run(cmd, path)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringSliceVar(&e.sources, "source", nil, "the program that failed: `files` and folders to look for the cause in; \"none\" for none")
	f.BoolVar(&e.check.fix, "fix", false, "apply the safe fixes of what is found in the program")
	f.BoolVar(&e.check.unsafe, "unsafe-fixes", false, "with --fix: also fixes that may change what the program computes")
	f.StringVar(&e.check.format, "output-format", "text", "text or json")
	f.StringVar(&e.check.colour, "color", colours[0], "`when` to colour the report: "+strings.Join(colours, ", "))
	completeWith(cmd, "output-format", "text", "json")
	completeWith(cmd, "color", colours...)
	return cmd
}

func (e *explanation) run(cmd *cobra.Command, path string) error {
	log, err := e.read(cmd.InOrStdin(), path)
	if err != nil {
		return err
	}
	found := explain.Explain(log, namedGPU)
	of := e.programs(path, log, found)
	var tensors []string
	if len(found) > 0 && found[0].Limit > 0 && onGPU[found[0].Cause] {
		e.had = whatTensorFlowHad(&found[0], log)
		tensors = e.price(cmd.Context(), of.files, &found[0])
	}
	if e.check.format == "json" {
		if err := report.WriteJSON(cmd.OutOrStdout(), toJSON(path, found, tensors, of)); err != nil {
			return err
		}
	} else {
		io.WriteString(cmd.OutOrStdout(), source.PrintableLines(explained(path, log, found, tensors)))
		if err := e.rules(cmd, of, found); err != nil {
			return err
		}
	}
	if len(found) == 0 {
		return exitCode(exitFindings)
	}
	return nil
}

// onGPU are the causes that are weighed against the memory that TensorFlow had in the run.
var onGPU = map[explain.Cause]bool{explain.StepTooLarge: true, explain.DataOnGPU: true, explain.EarlierModel: true}

// read reads the log: a file of any length, the outputs of a notebook, or standard input.
func (e *explanation) read(in io.Reader, path string) (*explain.Log, error) {
	if path == "-" {
		return explain.Read(in)
	}
	if notebook.Is(path) {
		text, err := checker.ReadFile(path)
		if err != nil {
			return nil, err
		}
		outputs, err := notebook.Outputs(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		var all []string
		for _, o := range outputs {
			all = append(all, o.Text())
		}
		return explain.Read(strings.NewReader(strings.Join(all, "\n")))
	}
	f, err := project.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return explain.Read(f)
}

// namedGPU returns the GPU with a name as TensorFlow logs it.
func namedGPU(name string) (memory.Device, bool) {
	tries := []string{name, strings.ReplaceAll(name, "_", " ")}
	if strings.HasPrefix(name, "MIG ") {
		// An instance of a card that is not named: those of one profile have about the same memory.
		tries = []string{"A100 " + name, "A30 " + name, "H100 " + name, "H200 " + name}
	}
	for _, name := range tries {
		r, err := gpu.Parse(name, func(string, int64) ([]byte, error) { return nil, os.ErrNotExist })
		if err == nil && len(r.Devices) > 0 && r.Source == gpu.Catalogue {
			return memoryDevice(r.Devices[0]), true
		}
	}
	return memory.Device{}, false
}

// whatTensorFlowHad returns the GPU of a run, of which TensorFlow's pool had a limit.
func whatTensorFlowHad(x *explain.Explanation, log *explain.Log) memory.Device {
	had := memory.WithPool(whatItHad, x.Limit)
	had.Source = "the log"
	for _, p := range log.Pools {
		_, _ = fmt.Sscanf(p.Capability, "%d.%d", &had.Major, &had.Minor) // zero where the log does not say it
	}
	return had
}

// price prices the models of the programs against the memory that TensorFlow had, and says which
// layer's output could not be allocated, and which changes fit.
func (e *explanation) price(ctx context.Context, sources []string, x *explain.Explanation) (said []string) {
	c, err := newConfigurator(ctx, "none", fromHere)
	if err != nil {
		return nil
	}
	c.follow()
	for _, path := range sources {
		how, err := c.of(path)
		text, err2 := checker.ReadFile(path)
		if err != nil || err2 != nil {
			continue
		}
		how.Devices = func() []memory.Device { return []memory.Device{e.had} }
		files, err := how.toPrice(path, text, true)
		if err != nil {
			continue
		}
		for _, file := range files {
			models, _ := estimate.Of(file, estimate.Options{})
			exceeds := false
			for _, m := range models {
				if text := tensorOf(m, x.Message); text != "" && !slices.Contains(said, text) {
					said = append(said, text)
				}
				if m.Training == nil || m.Verdict != memory.Exceeds && m.Verdict != memory.Tight {
					continue
				}
				fits := "even a batch of 1 may not fit"
				if m.Largest > 0 {
					fits = "the largest batch that fits is " + memory.Count(m.Largest)
				}
				exceeds = true
				said = append(said, fmt.Sprintf("%s takes about %s for batches of %s; of %s, %s.",
					m.Name, memory.Bytes(m.Training.Peak), memory.Count(m.Batch), memory.Bytes(x.Limit), fits))
			}
			if exceeds {
				said = append(said, ways(ctx, file)...)
			}
		}
	}
	return said
}

// ways says which plans make a program fit what TensorFlow had, the cheapest ones.
func ways(ctx context.Context, file *analyzer.File) (said []string) {
	const most = 3
	plans, err := plan.Find(ctx, file)
	if err != nil || len(plans.Fitting) == 0 {
		return nil
	}
	for _, p := range plans.Fitting[:min(most, len(plans.Fitting))] {
		said = append(said, fmt.Sprintf("%s (%s; %s)", p.Title(), memory.Bytes(p.After.Need.Peak), p.Costs()))
	}
	return []string{"What fits it, the cheapest first: " + strings.Join(said, ", or ") + "."}
}

// tensorOf says which layer of a model a tensor is the output of, by its shape and the operation's
// name; "" if none is.
func tensorOf(m estimate.Model, message *explain.Message) string {
	if len(message.Shape) == 0 {
		return ""
	}
	var found []string
	var visit func([]memory.LayerCost)
	visit = func(layers []memory.LayerCost) {
		for i := range layers {
			l := &layers[i]
			visit(l.Inner)
			shape := estimate.Output(*l)
			if len(shape) != len(message.Shape) {
				continue
			}
			same := true
			for d := 1; d < len(shape); d++ {
				// Convolutions of TensorFlow on a GPU may have the channels first.
				same = same && int64(shape[d]) == message.Shape[d]
			}
			if !same {
				same = len(shape) == 4 && int64(shape[3]) == message.Shape[1] && int64(shape[1]) == message.Shape[2] && int64(shape[2]) == message.Shape[3]
			}
			if same {
				name := l.Layer.Name + " (" + l.Layer.Class + ")"
				if strings.Contains(message.Node, l.Layer.Name) {
					found = []string{name}
					return
				}
				found = append(found, name)
			}
		}
	}
	visit(m.Layers)
	switch {
	case len(found) == 0:
		return ""
	case len(found) == 1:
		return fmt.Sprintf("The tensor has the shape of the output of %s in %s, for %d examples.", found[0], m.Name, message.Shape[0])
	}
	return fmt.Sprintf("The tensor has the shape of the outputs of %d layers of %s, such as %s, for %d examples.", len(found), m.Name, found[0], message.Shape[0])
}

// explained says in words what was found.
func explained(path string, log *explain.Log, found []explain.Explanation, tensors []string) string {
	var b strings.Builder
	if path == "-" {
		path = "standard input"
	}
	if len(found) == 0 {
		what := "no failure that tfmem knows"
		if !log.TensorFlow {
			what = "nothing of TensorFlow"
		}
		fmt.Fprintf(&b, "%s has %s in its %d lines.\n", path, what, log.Lines)
		return b.String()
	}
	for i, x := range found {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s\n", x.Sentence())
		for _, s := range x.Evidence {
			fmt.Fprintf(&b, "  %s:%d: %s\n", path, s.Line, s.Text)
		}
		if i == 0 {
			for _, t := range tensors {
				fmt.Fprintf(&b, "  %s\n", t)
			}
		}
		for _, a := range x.Advice {
			fmt.Fprintf(&b, "  - %s\n", a)
		}
	}
	return b.String()
}

// rules runs on the programs the rules that see the causes, and tells of programs that are not here.
// What the likeliest cause is comes first.
func (e *explanation) rules(cmd *cobra.Command, of ranPrograms, found []explain.Explanation) error {
	var codes []string
	for _, x := range found {
		for _, code := range x.Rules {
			if !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	if len(codes) == 0 {
		return nil
	}
	if len(of.missing) > 0 {
		fmt.Fprintf(cmd.OutOrStdout(), "\n%s, which ran, is not here: name it by --source, and tfmem looks for the cause in it.\n", source.Printable(strings.Join(of.missing, ", ")))
	}
	if len(of.files) == 0 {
		return nil
	}
	head := "In"
	if of.guessed {
		head = "The log names no program. In this folder's"
	}
	fmt.Fprintf(cmd.OutOrStdout(), "\n%s %s:\n", head, source.Printable(strings.Join(of.files, ", ")))
	flags := e.check
	flags.format, flags.selected, flags.exitZero, flags.failOn = "full", codes, true, rule.Warning.String()
	c, err := flags.check(cmd, of.files)
	if err != nil {
		return err
	}
	c.first = codes
	if x := found[0]; onGPU[x.Cause] && x.Limit > 0 {
		c.settings.gpus = func() []memory.Device { return []memory.Device{e.had} }
	}
	return c.run()
}
