package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tfmem/tfmem/gpu"
)

// These types are the schemas of the tools. What stands in objects is what the same command prints as JSON.
type (
	on struct {
		Paths []string `json:"paths,omitempty" jsonschema:"files, notebooks and folders; by default the project"`
		GPU   string   `json:"gpu,omitempty" jsonschema:"the GPU that trains: a name such as RTX 3090, a size such as 24GiB, auto for this machine's, or none; by default what the project's settings say"`
	}
	which struct {
		Select []string `json:"select,omitempty" jsonschema:"the rules to run: codes, beginnings of codes such as TFM3, or ALL"`
		Ignore []string `json:"ignore,omitempty" jsonschema:"the rules not to run"`
	}

	checkIn struct {
		on
		which
		Limit int `json:"limit,omitempty" jsonschema:"how many findings to list at most; by default 100"`
	}
	checkOut struct {
		Findings []map[string]any `json:"findings" jsonschema:"what is wrong: code, name, severity, message, filename, cell, location, fixes and related places"`
		LeftOut  int              `json:"left_out" jsonschema:"how many more findings there are"`
		Notes    []string         `json:"notes" jsonschema:"what was not read, and which trainings have no price"`
	}

	fixIn struct {
		on
		which
		Unsafe bool `json:"unsafe,omitempty" jsonschema:"also fixes that may change what the program computes"`
		Apply  bool `json:"apply,omitempty" jsonschema:"write the files; else the fixes are only shown"`
	}
	fixOut struct {
		Diff    string   `json:"diff" jsonschema:"what the fixes change, as a unified diff; empty if there is nothing to fix"`
		Applied bool     `json:"applied" jsonschema:"whether the files were written"`
		Notes   []string `json:"notes" jsonschema:"what was left out"`
	}

	estimateIn struct {
		on
		Batch  int64 `json:"batch_size,omitempty" jsonschema:"price batches of this size instead of the program's"`
		Layers bool  `json:"layers,omitempty" jsonschema:"also list the layers of each model"`
	}
	estimateOut struct {
		GPU        any              `json:"gpu" jsonschema:"the GPU that models are compared with, or null"`
		Models     []map[string]any `json:"models" jsonschema:"each with its verdict (fits, tight, exceeds, unknown), batch_size, largest_batch, parameters, training, inference and phases; sizes are bytes; pool_peak_bytes is the expected peak"`
		Unresolved []map[string]any `json:"unresolved" jsonschema:"trainings without a price, and why"`
		Remedies   []map[string]any `json:"remedies" jsonschema:"what to write in the program so that they get one"`
		Notes      []string         `json:"notes" jsonschema:"what else is to be known"`
	}

	planIn struct {
		Path string `json:"path" jsonschema:"a file, a notebook, or a folder whose worst program is taken"`
		GPU  string `json:"gpu,omitempty" jsonschema:"the GPU to fit: a name such as RTX 3060, or a size such as 12GiB"`
	}
	planOut struct {
		GPU     map[string]any   `json:"gpu" jsonschema:"the GPU to fit"`
		Before  map[string]any   `json:"before" jsonschema:"what the training needs now"`
		Plans   []map[string]any `json:"plans" jsonschema:"what makes it fit, the cheapest first: changes, what it needs after them, and the edits"`
		Refused []map[string]any `json:"refused" jsonschema:"changes that do not help, and why"`
		Notes   []string         `json:"notes" jsonschema:"what else is to be known"`
	}

	explainIn struct {
		Log     string   `json:"log,omitempty" jsonschema:"what the run printed: a log, a traceback, a terminal's text"`
		Path    string   `json:"path,omitempty" jsonschema:"the same as a file or a notebook, instead of log"`
		Sources []string `json:"sources,omitempty" jsonschema:"the programs that failed; by default those that the log names"`
	}
	explainOut struct {
		Explanations []map[string]any `json:"explanations" jsonschema:"why it failed: cause, sentence, evidence and advice; empty if nothing that is known failed"`
		Models       []string         `json:"models" jsonschema:"what its models need"`
		Sources      []string         `json:"sources" jsonschema:"the programs that were looked at"`
		Missing      []string         `json:"missing" jsonschema:"programs that ran and are not here"`
	}

	ruleIn struct {
		Code string `json:"code,omitempty" jsonschema:"a rule's code or name, such as TFM101; by default all are listed, briefly"`
	}
	ruleOut struct {
		Rules []map[string]any `json:"rules" jsonschema:"each with code, name, severity and summary; of one also what it checks, why, examples and the safety of its fix"`
	}

	gpuIn struct {
		Name string `json:"name,omitempty" jsonschema:"a GPU's name or a size; by default this machine's GPUs"`
	}
	gpuOut struct {
		Devices []map[string]any `json:"devices" jsonschema:"each with its memory, what TensorFlow can have of it (share), and who uses it"`
		Source  string           `json:"source" jsonschema:"who says so"`
		Driver  map[string]any   `json:"driver" jsonschema:"the driver's version"`
		Why     string           `json:"why" jsonschema:"why there is no GPU"`
	}
)

const (
	listed    = 100     // findings of one check
	mostPaths = 1000    // of one call
	mostWord  = 256     // bytes of an argument that is no path
	mostLog   = 8 << 20 // bytes
)

func (s *server) addTools(to *mcp.Server) {
	no := false
	reads := &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &no}
	writes := &mcp.ToolAnnotations{IdempotentHint: true, OpenWorldHint: &no}
	add(s, to, &mcp.Tool{Name: "check", Title: "Check TensorFlow programs", Annotations: reads, Description: "Find where TensorFlow and Keras code misconfigures or wastes GPU memory, or will run out of it. Reads the files; runs nothing."}, s.check)
	add(s, to, &mcp.Tool{Name: "fix", Title: "Fix TensorFlow programs", Annotations: writes, Description: "Show as a diff what the fixes of check change, and write them if apply is true."}, s.fix)
	add(s, to, &mcp.Tool{Name: "estimate", Title: "Estimate GPU memory", Annotations: reads, Description: "Price the Keras models of programs, notebooks and saved .keras models: the GPU memory that training needs at its peak, whether it fits the GPU, and the largest batch that does."}, s.estimate)
	add(s, to, &mcp.Tool{Name: "plan", Title: "Make a training fit", Annotations: reads, Description: "Find the cheapest changes by which a training fits a GPU, with what each costs and the edits that make it."}, s.plan)
	add(s, to, &mcp.Tool{Name: "explain", Title: "Explain a failed run", Annotations: reads, Description: "Say why a run of TensorFlow ran out of memory or died, from its log, and what mends it."}, s.explain)
	add(s, to, &mcp.Tool{Name: "rule", Title: "Explain a rule", Annotations: reads, Description: "Tell what a rule looks for, why, and how to mend it; or list all rules."}, s.rule)
	add(s, to, &mcp.Tool{Name: "gpu", Title: "Show GPUs", Annotations: reads, Description: "Tell what TensorFlow can have of this machine's GPUs, or of one by its name."}, s.gpu)
}

// add adds a tool whose calls get the folders that they may read and write in.
func add[In, Out any](s *server, to *mcp.Server, tool *mcp.Tool, call func(context.Context, roots, In) (Out, error)) {
	tool.InputSchema = plain[In]()
	mcp.AddTool(to, tool, func(ctx context.Context, req *mcp.CallToolRequest, in In) (result *mcp.CallToolResult, out Out, err error) {
		if asks := s.asksRoots(req); asks != nil {
			return asks, out, nil
		}
		folders, err := s.roots(req)
		if err == nil {
			out, err = call(ctx, folders, in)
		}
		return nil, out, err
	})
}

// plain returns the schema of a tool's arguments, in which a list is no null either: not all clients know
// values of two types.
func plain[In any]() *jsonschema.Schema {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(err)
	}
	for _, p := range schema.Properties {
		if slices.Contains(p.Types, "array") {
			p.Type, p.Types = "array", nil
		}
	}
	return schema
}

// A command is a command line of tfmem in the making.
type command struct {
	roots  roots
	folder string // where it runs
	args   []string
	err    error // the first
}

func (r roots) command(args ...string) *command {
	return &command{roots: r, folder: r[0], args: args}
}

// flag adds a flag with a word of the call, unless that is empty.
func (c *command) flag(name, value string) *command {
	if value == "" {
		return c
	}
	if len(value) > mostWord || strings.ContainsAny(value, "\x00\n") {
		c.fail(fmt.Errorf("%s: %.60q is too long, or has control characters", strings.TrimPrefix(name, "--"), value))
	}
	c.args = append(c.args, name+"="+value)
	return c
}

// list adds a flag that takes several words.
func (c *command) list(name string, values []string) *command {
	for _, v := range values {
		c.flag(name, v)
	}
	return c
}

// device adds the GPU. A file that describes one must lie inside the roots, too.
func (c *command) device(name string) *command {
	if gpu.IsPath(name) {
		real, _, err := c.roots.inside(name)
		c.fail(err)
		c.args = append(c.args, "--gpu="+real)
		return c
	}
	return c.flag("--gpu", name)
}

func (c *command) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// inside returns paths as they are given to tfmem: relative to the root of the first, in which it runs,
// so that it names files as people know them.
func (c *command) inside(paths []string) (out []string) {
	if len(paths) > mostPaths {
		c.fail(fmt.Errorf("%d paths are too many; name folders", len(paths)))
		return nil
	}
	for i, path := range paths {
		real, root, err := c.roots.inside(path)
		if err != nil {
			c.fail(err)
			return nil
		}
		if i == 0 {
			c.folder = root
		}
		if rel, err := filepath.Rel(c.folder, real); err == nil && filepath.IsLocal(rel) {
			real = rel
		}
		out = append(out, real)
	}
	return out
}

// paths adds the paths of a call, by default all roots.
func (c *command) paths(paths []string) *command {
	if len(paths) == 0 {
		paths = c.roots
	}
	c.args = append(append(c.args, "--"), c.inside(paths)...)
	return c
}

// told leaves out what stands in files outside: a folder may have links to files of the same repository.
func (c *command) told(items []map[string]any, notes []string) ([]map[string]any, []string) {
	outside := 0
	kept := slices.DeleteFunc(items, func(item map[string]any) bool {
		path, _ := item["filename"].(string)
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.folder, path)
		}
		if _, _, err := c.roots.inside(path); err == nil {
			return false
		}
		outside++
		return true
	})
	if outside > 0 {
		notes = append(notes, fmt.Sprintf("%d places in files outside, to which links lead, are left out", outside))
	}
	return kept, notes
}

// run runs the command, and reads the JSON that it prints.
func (s *server) run(ctx context.Context, c *command, in []byte, out any) (notes []string, err error) {
	if c.err != nil {
		return nil, c.err
	}
	a, err := s.ask(ctx, c.folder, in, c.args...)
	if err == nil && out != nil {
		err = json.Unmarshal(a.out, out)
	}
	return append([]string{}, a.notes...), err
}

func (s *server) check(ctx context.Context, r roots, in checkIn) (out checkOut, err error) {
	c := r.command("check", "--output-format=json").list("--select", in.Select).list("--ignore", in.Ignore).device(in.GPU).paths(in.Paths)
	out.Notes, err = s.run(ctx, c, nil, &out.Findings)
	out.Findings, out.Notes = c.told(out.Findings, out.Notes)
	limit := in.Limit
	if limit <= 0 {
		limit = listed
	}
	if out.LeftOut = max(len(out.Findings)-limit, 0); out.LeftOut > 0 {
		out.Findings = out.Findings[:limit]
	}
	return out, err
}

func (s *server) fix(ctx context.Context, r roots, in fixIn) (out fixOut, err error) {
	files, left, err := s.files(ctx, r, in)
	if err != nil || len(files) == 0 {
		return fixOut{Notes: left}, err
	}
	c := func(how string) *command {
		c := r.command("check", how, "--exit-zero").list("--select", in.Select).list("--ignore", in.Ignore).device(in.GPU)
		if in.Unsafe {
			c.args = append(c.args, "--unsafe-fixes")
		}
		return c.paths(files)
	}
	show := c("--diff")
	if show.err != nil {
		return out, show.err
	}
	shown, err := s.ask(ctx, show.folder, nil, show.args...)
	out.Diff, out.Notes = string(shown.out), append(left, shown.notes...)
	if err != nil || !in.Apply || out.Diff == "" {
		return out, err
	}
	fixed, err := s.ask(ctx, show.folder, nil, c("--fix").args...)
	out.Applied = err == nil
	for _, n := range fixed.notes {
		if strings.HasPrefix(n, "error: ") {
			out.Notes = append(out.Notes, n)
		}
	}
	return out, err
}

// files returns the files that a call names or that lie in its folders, and what is left out: a link in a
// folder may lead to a file outside, which no fix may write.
func (s *server) files(ctx context.Context, r roots, in fixIn) (files, left []string, err error) {
	c := r.command("check", "--show-files").paths(in.Paths)
	if c.err != nil {
		return nil, nil, c.err
	}
	a, err := s.ask(ctx, c.folder, nil, c.args...)
	if err != nil {
		return nil, nil, err
	}
	left = append([]string{}, a.notes...)
	for line := range strings.Lines(string(a.out)) {
		path := strings.TrimSuffix(line, "\n")
		full := path
		if !filepath.IsAbs(path) {
			full = filepath.Join(c.folder, path)
		}
		if _, _, err := r.inside(full); err != nil {
			left = append(left, path+" is left out: it lies outside, or its name cannot be used")
			continue
		}
		files = append(files, full)
	}
	if len(files) > mostPaths {
		return nil, nil, fmt.Errorf("these are %d files; name fewer", len(files))
	}
	return files, left, nil
}

func (s *server) estimate(ctx context.Context, r roots, in estimateIn) (out estimateOut, err error) {
	c := r.command("estimate", "--output-format=json").device(in.GPU)
	if in.Batch != 0 {
		c.args = append(c.args, "--batch-size="+strconv.FormatInt(in.Batch, 10))
	}
	out.Notes, err = s.run(ctx, c.paths(in.Paths), nil, &out)
	out.Models, out.Notes = c.told(out.Models, out.Notes)
	out.Unresolved, out.Notes = c.told(out.Unresolved, out.Notes)
	if !in.Layers {
		for _, m := range out.Models {
			delete(m, "layers")
		}
	}
	return out, err
}

func (s *server) plan(ctx context.Context, r roots, in planIn) (out planOut, err error) {
	out.Notes, err = s.run(ctx, r.command("plan", "--output-format=json").device(in.GPU).paths([]string{in.Path}), nil, &out)
	return out, err
}

func (s *server) explain(ctx context.Context, r roots, in explainIn) (out explainOut, err error) {
	c := r.command("explain", "--output-format=json")
	for _, path := range c.inside(in.Sources) {
		c.args = append(c.args, "--source="+quoted(path))
	}
	switch {
	case (in.Log == "") == (in.Path == ""):
		return out, errors.New("give the log, or the path of a file that has it")
	case len(in.Log) > mostLog:
		return out, fmt.Errorf("the log has more than %d MiB; give its end, from the first error on, or the path of the file", mostLog>>20)
	case in.Log != "":
		c.args = append(c.args, "-")
	case len(in.Sources) == 0:
		c.paths([]string{in.Path})
	default: // the folder is that of the sources
		real, _, err := r.inside(in.Path)
		c.fail(err)
		c.args = append(c.args, "--", real)
	}
	_, err = s.run(ctx, c, []byte(in.Log), &out)
	return out, err
}

// quoted is a value of a flag that takes several, with commas between them.
func quoted(value string) string {
	if strings.ContainsAny(value, `,"`) {
		return `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
	}
	return value
}

func (s *server) rule(ctx context.Context, r roots, in ruleIn) (out ruleOut, err error) {
	c := r.command("rule", "--output-format=json")
	if in.Code == "" {
		_, err = s.run(ctx, c, nil, &out.Rules)
		for _, rule := range out.Rules {
			for _, long := range []string{"what", "why", "bad", "good", "fix_safety"} {
				delete(rule, long)
			}
		}
		return out, err
	}
	if len(in.Code) > mostWord {
		return out, fmt.Errorf("%.60q is no rule", in.Code)
	}
	c.args = append(c.args, "--", in.Code)
	var one map[string]any
	_, err = s.run(ctx, c, nil, &one)
	out.Rules = []map[string]any{one}
	return out, err
}

func (s *server) gpu(ctx context.Context, r roots, in gpuIn) (out gpuOut, err error) {
	_, err = s.run(ctx, r.command("gpu", "--output-format=json").device(in.Name), nil, &out)
	return out, err
}
