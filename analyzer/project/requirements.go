package project

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/launch"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A format is a kind of file that declares the versions that a project needs.
type format struct {
	is   func(name string) bool
	read func(s *statement, text string)
}

// formats are the files that name requirements, the most specific first: files that list
// everything installed, then files that people write.
var formats = []format{
	{called("uv.lock", "poetry.lock", "pdm.lock", "pylock.toml"), (*statement).lock},
	{called("Pipfile.lock"), (*statement).pipfileLock},
	{isRequirements, (*statement).requirements},
	{isEnvironment, (*statement).environment},
	{called("pyproject.toml"), (*statement).pyproject},
	{called("Pipfile"), (*statement).pipfile},
	{called("setup.cfg"), (*statement).setupCfg},
	{called("setup.py"), (*statement).setupPy},
	{launch.IsDockerfile, (*statement).dockerfile},
}

// VersionFiles are patterns of the files, beside setup.py and pyproject.toml, in which a change
// may change the versions of a project, those that it mentions, its Keras backend, or what it starts.
var VersionFiles = append([]string{
	"**/{uv.lock,poetry.lock,pdm.lock,pylock.toml,Pipfile.lock,Pipfile,setup.cfg}",
	"**/{requirement,constraints}*.txt", "**/*{requirement,requirements}.txt", "**/requirements/*.txt",
	"**/*{env,conda}*.{yml,yaml}",
	"**/{.env,Dockerfile,Dockerfile.*,*.Dockerfile}",
	"**/{README,README.*,readme,readme.*,Readme.*}", "**/{conda,environment,package,spec,install,dependenc}*.txt",
}, launch.Files...)

// StatesVersions reports whether a change of a file may change the versions of a project, those that
// it mentions, its Keras backend, or what it starts.
func StatesVersions(path string) bool {
	folder, name := filepath.Split(path)
	return filepath.Base(folder) == requirementsFolder || isConstraints(name) || statesEnvironment(name) || isMention(name) || launch.Is(name) || slices.ContainsFunc(formats, func(f format) bool { return f.is(name) })
}

func called(names ...string) func(string) bool {
	return func(name string) bool { return slices.Contains(names, name) }
}

func isRequirements(name string) bool {
	base, text := strings.CutSuffix(name, ".txt")
	return text && (strings.HasPrefix(base, "requirement") || strings.HasSuffix(base, "requirements") || strings.HasSuffix(base, "requirement"))
}

func isConstraints(name string) bool {
	return filepath.Ext(name) == ".txt" && strings.HasPrefix(name, "constraints")
}

// isEnvironment reports whether conda reads a file.
func isEnvironment(name string) bool {
	ext := filepath.Ext(name)
	return (ext == ".yml" || ext == ".yaml") && (strings.Contains(name, "env") || strings.Contains(name, "conda"))
}

// statements reads what folders declare about versions.
type statements struct {
	workspace *Workspace
	from      string          // a file of the project
	read      map[string]bool // the files that were read
}

// Listed reports whether a name in a folder counts where a workspace lists the folder: whatever else
// is there, nobody asks for it.
func Listed(folder, name string) bool {
	return StatesVersions(filepath.Join(folder, name)) || name == requirementsFolder || slices.Contains(launch.Folders, name) || filepath.Base(folder) == environmentLib || strings.HasSuffix(name, installedSuffix)
}

// listed returns the names in a folder that keep accepts, of those that are [Listed]. It reports an
// incomplete list.
func (r *statements) listed(folder string, keep func(name string) bool) []string {
	names, err := r.workspace.fs.List(folder, func(name string) bool { return Listed(folder, name) && keep(name) })
	if err != nil {
		r.workspace.refuse(folder, err)
	}
	return names
}

// requirementsFolder is where people keep requirements that are in several files.
const requirementsFolder = "requirements"

// In a virtual environment, environmentLib has a folder of packages for each Python, in which the name
// of what is installed ends in installedSuffix.
const (
	environmentLib  = "lib"
	installedSuffix = ".dist-info"
)

// A statement is what files of one kind, in one folder, declare.
type statement struct {
	*statements
	path string // of the file that is read
	// said is what is required; limits are the constraints on it.
	said, limits effects.Versions
	limiting     bool // constraints are read
	seen         map[string]bool
}

// of returns what a folder declares, by the first format that declares something.
func (r *statements) of(folder string) effects.Versions {
	names := r.listed(folder, func(name string) bool {
		return name == requirementsFolder || isConstraints(name) || slices.ContainsFunc(formats, func(f format) bool { return f.is(name) })
	})
	slices.Sort(names)
	for _, f := range formats {
		s := &statement{statements: r, seen: map[string]bool{}}
		for _, name := range names {
			if f.is(name) {
				s.file(filepath.Join(folder, name), f.read)
			}
		}
		if f.is("requirements.txt") {
			s.others(folder, names)
		}
		s.constrain()
		if s.said != (effects.Versions{}) {
			return s.said
		}
	}
	return effects.Versions{}
}

// others reads the requirements in a folder of their own, and then the constraints.
func (s *statement) others(folder string, names []string) {
	below := filepath.Join(folder, requirementsFolder)
	if slices.Contains(names, requirementsFolder) {
		inside := s.listed(below, func(name string) bool { return filepath.Ext(name) == ".txt" })
		slices.Sort(inside)
		for _, name := range inside {
			s.file(filepath.Join(below, name), (*statement).requirements)
		}
	}
	s.limiting = true
	for _, name := range names {
		if isConstraints(name) {
			s.file(filepath.Join(folder, name), (*statement).requirements)
		}
	}
}

// constrain applies the constraints to the requirements.
func (s *statement) constrain() {
	for _, name := range []string{"tensorflow", "keras", "tf-keras"} {
		said, limits := of(&s.said, name), of(&s.limits, name)
		switch both, ok := said.And(limits.Range); {
		case said.Source == "":
			*said = *limits
		case ok && both != said.Range:
			*said = effects.Stated{Range: both, Source: said.Source + ", " + limits.Source}
		}
	}
}

func (s *statement) file(path string, read func(*statement, string)) {
	if s.seen[path] || len(s.seen) >= 32 {
		return
	}
	s.seen[path], s.statements.read[path] = true, true
	if err := s.workspace.inside(s.from, path); err != nil {
		s.workspace.refuse(path, err)
		return
	}
	if s.workspace.Imported != nil {
		s.workspace.Imported("", path, nil)
	}
	text, err := s.workspace.read(path)
	if err != nil {
		return
	}
	outer := s.path
	s.path = path
	read(s, strings.TrimPrefix(text, "\ufeff"))
	s.path = outer
}

// of returns where a package's version is stored, or nil for a package of no interest.
func of(v *effects.Versions, name string) *effects.Stated {
	name = strings.NewReplacer("_", "-", ".", "-").Replace(strings.ToLower(name))
	switch name {
	case "tensorflow", "tensorflow-gpu", "tensorflow-cpu", "tensorflow-macos", "tensorflow-intel", "tensorflow-rocm",
		"tensorflow-cpu-aws", "tf-nightly", "tf-nightly-gpu", "tf-nightly-cpu", "tensorflow-directml",
		"tensorflow-base", "tensorflow-mkl", "tensorflow-eigen": // conda's
		return &v.TensorFlow
	case "keras", "keras-nightly", "keras-gpu", "keras-base":
		return &v.Keras
	case "tf-keras", "tf-keras-nightly":
		return &v.Legacy
	}
	return nil
}

// add records that a line requires a package. A package without a version declares nothing,
// except tf-keras, whose presence matters.
func (s *statement) add(name, versions string, line int) {
	asked := &s.said
	if s.limiting {
		asked = &s.limits
	}
	to := of(asked, name)
	if to == nil {
		return
	}
	if r, err := effects.ParseRange(versions); err == nil && (r != effects.Range{} || to == &s.said.Legacy) {
		*to = to.Or(effects.Stated{Range: r, Source: s.place(line)})
	}
}

// mentioned is a cheap test before any parsing.
func mentioned(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "tensorflow") || strings.Contains(text, "keras") || strings.Contains(text, "tf-nightly")
}

// requirement adds one requirement as pip reads it.
func (s *statement) requirement(text string, line int) {
	name, versions := required(text)
	s.add(name, versions, line)
}

// required parses one requirement as pip does: "name[extra] >=1,<2 ; marker  # comment".
func required(text string) (name, versions string) {
	text, _, _ = strings.Cut(text, ";")
	text, _, _ = strings.Cut(text, " --")
	text, _, _ = strings.Cut(text, "#")
	text = strings.TrimSpace(text)
	end := strings.IndexFunc(text, func(c rune) bool { return !strings.ContainsRune(nameLetters, c) })
	name = text
	if end >= 0 {
		name, versions = text[:end], strings.TrimSpace(text[end:])
	}
	if strings.HasPrefix(versions, "[") {
		_, versions, _ = strings.Cut(versions, "]")
	}
	versions = strings.Trim(strings.TrimSpace(versions), "()")
	if versions != "" && !strings.ContainsAny(versions[:1], "=<>!~") {
		versions = "" // an address
	}
	return name, versions
}

// named parses one package as pip or conda has it in a command. conda writes name=version=build.
func named(text string, conda bool) (name, versions string) {
	if _, rest, channel := strings.Cut(text, "::"); conda && channel {
		text = rest
	}
	if name, version, ok := strings.Cut(text, "="); conda && ok && strings.Trim(name, nameLetters) == "" && !strings.HasPrefix(version, "=") {
		version, _, _ = strings.Cut(version, "=")
		return name, "=" + version
	}
	return required(text)
}

const nameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

// requirements parses a file for pip's -r or -c.
func (s *statement) requirements(text string) {
	for number, line := range source.NumberedLines(text) {
		line = strings.TrimSuffix(strings.TrimSpace(line), `\`)
		if !strings.HasPrefix(line, "-") {
			s.requirement(line, number)
			continue
		}
		option, name, _ := strings.Cut(strings.ReplaceAll(line, "=", " "), " ")
		if len(option) > 2 && option[1] != '-' { // -rfile
			option, name = option[:2], option[2:]
		}
		limiting := s.limiting
		switch option {
		case "-c", "--constraint":
			s.limiting = true
			fallthrough
		case "-r", "--requirement":
			name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
			s.file(filepath.Join(filepath.Dir(s.path), filepath.FromSlash(name)), (*statement).requirements)
		}
		s.limiting = limiting
	}
}

// lock parses the packages of a lock file: tables with a name and a version, each on a line.
func (s *statement) lock(text string) {
	if !mentioned(text) {
		return
	}
	name, at := "", 0
	for number, line := range source.NumberedLines(text) {
		if strings.HasPrefix(line, "[") {
			name = ""
			continue
		}
		key, value, _ := strings.Cut(line, " = ")
		switch value = strings.Trim(value, `"`); key {
		case "name":
			name, at = value, number
		case "version":
			if name != "" {
				s.add(name, "=="+value, at)
			}
		}
	}
}

func (s *statement) pipfileLock(text string) {
	type locked map[string]struct {
		Version string `json:"version"`
	}
	var file struct {
		Default locked `json:"default"`
		Develop locked `json:"develop"`
	}
	if json.Unmarshal([]byte(text), &file) != nil {
		return
	}
	for _, group := range []locked{file.Default, file.Develop} {
		for _, name := range slices.Sorted(maps.Keys(group)) {
			s.add(name, group[name].Version, lineOf(text, `"`+name+`"`))
		}
	}
}

// lineOf returns the line of the first occurrence of a text.
func lineOf(text, written string) int {
	return 1 + strings.Count(text[:max(strings.Index(text, written), 0)], "\n")
}

// environment parses the packages of a conda environment, and pip's in it: the items of its
// lists. It does not understand YAML in unusual notations.
func (s *statement) environment(text string) {
	for number, line := range source.NumberedLines(text) {
		item, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !ok {
			continue
		}
		item, _, _ = strings.Cut(item, " #")
		item = strings.Trim(strings.TrimSpace(item), `"'`)
		if name, version, ok := strings.Cut(item, " "); ok && version != "" && version[0] >= '0' && version[0] <= '9' { // name version build
			version, _, _ = strings.Cut(version, " ")
			s.add(name, version, number)
		} else {
			name, versions := named(item, true)
			s.add(name, versions, number)
		}
	}
}

// pyproject parses the requirements of the project, of its extras and groups, and those of
// Poetry, PDM and uv.
func (s *statement) pyproject(text string) {
	if !mentioned(text) {
		return
	}
	var file struct {
		Project struct {
			Dependencies any            `toml:"dependencies"`
			Optional     map[string]any `toml:"optional-dependencies"`
		} `toml:"project"`
		Groups map[string]any `toml:"dependency-groups"`
		Tool   struct {
			Poetry struct {
				Dependencies map[string]any `toml:"dependencies"`
				Dev          map[string]any `toml:"dev-dependencies"`
				Group        map[string]struct {
					Dependencies map[string]any `toml:"dependencies"`
				} `toml:"group"`
			} `toml:"poetry"`
			PDM struct {
				Dev map[string]any `toml:"dev-dependencies"`
			} `toml:"pdm"`
			UV struct {
				Dev any `toml:"dev-dependencies"`
			} `toml:"uv"`
		} `toml:"tool"`
	}
	if toml.Unmarshal([]byte(text), &file) != nil {
		return
	}
	s.list(text, file.Project.Dependencies)
	s.list(text, file.Tool.UV.Dev)
	for _, groups := range []map[string]any{file.Project.Optional, file.Groups, file.Tool.PDM.Dev} {
		for _, name := range slices.Sorted(maps.Keys(groups)) {
			s.list(text, groups[name])
		}
	}
	s.table(text, file.Tool.Poetry.Dependencies)
	s.table(text, file.Tool.Poetry.Dev)
	for _, name := range slices.Sorted(maps.Keys(file.Tool.Poetry.Group)) {
		s.table(text, file.Tool.Poetry.Group[name].Dependencies)
	}
}

func (s *statement) pipfile(text string) {
	var file struct {
		Packages map[string]any `toml:"packages"`
		Dev      map[string]any `toml:"dev-packages"`
	}
	if toml.Unmarshal([]byte(text), &file) == nil {
		s.table(text, file.Packages)
		s.table(text, file.Dev)
	}
}

// list parses a list of requirements, written as in the text.
func (s *statement) list(text string, items any) {
	all, _ := items.([]any)
	for _, item := range all {
		if r, ok := item.(string); ok {
			s.requirement(r, lineOf(text, r))
		}
	}
}

// table parses requirements by name. A version may be in a table of its own or in several.
func (s *statement) table(text string, packages map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		alternatives, ok := packages[name].([]any)
		if !ok {
			alternatives = []any{packages[name]}
		}
		for _, p := range alternatives {
			if t, ok := p.(map[string]any); ok {
				p = t["version"]
			}
			version, _ := p.(string)
			s.add(name, version, lineStarting(text, name))
		}
	}
}

// lineStarting returns the first line that sets a key.
func lineStarting(text, key string) int {
	for number, line := range source.NumberedLines(text) {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(line, ` "'`), key); ok && strings.HasPrefix(strings.TrimLeft(rest, ` "'`), "=") {
			return number
		}
	}
	return lineOf(text, key)
}

// setupCfg parses the requirements of a setup.cfg and of its extras: the lines of its lists, or
// the rest of a key's line.
func (s *statement) setupCfg(text string) {
	section := ""
	for number, line := range source.NumberedLines(text) {
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, "["):
			section = trimmed
		case section != "[options]" && section != "[options.extras_require]", strings.HasPrefix(trimmed, "#"):
		case strings.HasPrefix(line, " "), strings.HasPrefix(line, "\t"):
			s.requirement(trimmed, number)
		default:
			_, value, _ := strings.Cut(trimmed, "=")
			for r := range strings.SplitSeq(value, ";") {
				s.requirement(r, number)
			}
		}
	}
}

// setupPy parses the literal requirements of a setup.py. A list item that names one of the
// packages and a version is a requirement, whatever the list is called.
func (s *statement) setupPy(text string) {
	if !mentioned(text) {
		return
	}
	tree := syntax.Parse(text)
	for statement := range tree.Statements() {
		statement.Walk(func(n syntax.Node) bool {
			r, ok := names.StringValue(n)
			if ok && (n.Parent().Is(syntax.List, syntax.Tuple, syntax.Set) || n.Parent().Kind() == syntax.KeywordArgument && n.Parent().Child(syntax.FieldName).Text() == "install_requires") {
				s.requirement(r, 1+strings.Count(text[:n.Start()], "\n"))
			}
			return true
		})
	}
}

// environments are the folders in which people keep a project's virtual environment.
var environments = []string{".venv", "venv", "env", ".env"}

// installed returns the versions in a virtual environment in a folder.
func (r *statements) installed(folder string) (found effects.Versions) {
	for _, name := range environments {
		home := filepath.Join(folder, name)
		if r.workspace.Kind(filepath.Join(home, "pyvenv.cfg")) != File {
			continue
		}
		packages := []string{filepath.Join(home, "Lib", "site-packages")}
		for _, python := range r.listed(filepath.Join(home, environmentLib), func(string) bool { return true }) {
			packages = append(packages, filepath.Join(home, environmentLib, python, "site-packages"))
		}
		for _, in := range packages {
			for _, name := range r.listed(in, func(name string) bool { return strings.HasSuffix(name, installedSuffix) }) {
				distribution := strings.TrimSuffix(name, installedSuffix)
				name, version, _ := strings.Cut(distribution, "-")
				to := of(&found, name)
				if v, err := effects.ParseRange("==" + version); to != nil && err == nil {
					*to = to.Or(effects.Stated{Range: v, Source: r.workspace.shown(filepath.Join(in, distribution+installedSuffix))})
				}
			}
		}
		if found != (effects.Versions{}) {
			return found
		}
	}
	return found
}
