package launch

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Script is a run of a program of Python that a line of a file starts, by the interpreter or by itself.
type Script struct {
	// Module is the program's name with dots, or File its path; one of them is "".
	Module, File string
	// Folder is where it runs, relative to that of the file or to one above it.
	Folder string
	// Words are the arguments that it gets; [Unknown] stands in them for what only the shell would tell.
	Words []string
	// Line is where it is started, from 1.
	Line int
	// Asks is what the file asks of the machine for it.
	Asks Request
}

// Starts are what a file starts.
type Starts struct {
	Servers []Server
	Scripts []Script
}

func (s *Starts) add(more Starts) {
	s.Servers, s.Scripts = append(s.Servers, more.Servers...), append(s.Scripts, more.Scripts...)
}

// runners run the command that follows them and their options, in one process.
var runners = strings.Fields(`exec nohup sudo env time nice ionice stdbuf timeout xvfb-run numactl taskset unbuffer tini dumb-init
	poetry pipenv uv pdm rye hatch pixi conda mamba micromamba srun singularity apptainer docker podman nvidia-docker
	then do else if while until ! command eval`)

// manyProcesses start a program as one process of many, which has its share of the work, or elsewhere.
var manyProcesses = strings.Fields("mpirun mpiexec horovodrun torchrun accelerate deepspeed ray ssh xargs parallel")

var interpreter = regexp.MustCompile(`^(?:python|pythonw|pypy)[0-9.]*$`)

// script returns the program that a command runs, and the words before it.
func script(words []string) (found Script, before []string, ok bool) {
	words = withoutRedirections(words)
	if label := slices.IndexFunc(words, func(w string) bool { return strings.HasSuffix(w, ")") && !strings.Contains(w, "(") }); label >= 0 && label < 4 {
		words = words[label+1:] // of a case
	}
	for len(words) > 0 && assignment.MatchString(words[0]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return found, nil, false
	}
	at := slices.IndexFunc(words, func(w string) bool { return interpreter.MatchString(path.Base(w)) })
	switch {
	case strings.ContainsRune(words[0], '/') && path.Ext(words[0]) == ".py": // ./train.py
		at = -1
	case at < 0, at > 0 && !slices.Contains(runners, path.Base(words[0])):
		return found, nil, false
	}
	if at >= 0 && slices.ContainsFunc(words[:at], func(w string) bool { return slices.Contains(manyProcesses, path.Base(w)) }) {
		return found, nil, false
	}
	for i := at + 1; i < len(words); i++ {
		switch word := words[i]; {
		case word == "-W" || word == "-X" || word == "--check-hash-based-pycs":
			i++
		case !strings.HasPrefix(word, "-"):
			if path.Ext(word) != ".py" || Unresolved(word) {
				return found, nil, false
			}
			found.File = word
		case strings.HasPrefix(word, "--"), strings.Contains(word, "c"), word == "-":
			return found, nil, false
		case strings.HasSuffix(word, "m"):
			if i++; i == len(words) || moduleOf(words[i]) != words[i] {
				return found, nil, false
			}
			found.Module = words[i]
		}
		if found.File+found.Module != "" {
			for _, word := range words[i+1:] {
				found.Words = append(found.Words, variable.ReplaceAllString(word, Unknown))
			}
			for i, word := range found.Words {
				if Unresolved(word) {
					flag, _, set := strings.Cut(word, "=")
					if found.Words[i] = Unknown; set && !Unresolved(flag) {
						found.Words[i] = flag + "=" + Unknown
					}
				}
			}
			return found, words[:max(at, 0)], true
		}
	}
	return found, nil, false
}

var redirection = regexp.MustCompile(`^[0-9]*(?:<|<<|<<<|>|>>)(.*)$`)

// withoutRedirections returns the words of a command without those that say where it reads and writes.
func withoutRedirections(words []string) (kept []string) {
	for i := 0; i < len(words); i++ {
		if m := redirection.FindStringSubmatch(words[i]); m == nil {
			kept = append(kept, words[i])
		} else if strings.Trim(m[1], "<>") == "" {
			i++
		}
	}
	return kept
}

// isShell reports whether a file is one of commands for a shell: a script, or the job of a cluster.
func isShell(name string) bool {
	return slices.Contains(shells, strings.TrimPrefix(filepath.Ext(name), "."))
}

// shells are the extensions of such files.
var shells = strings.Fields("sh bash zsh slurm sbatch pbs sge lsf qsub job")

func isReadme(name string) bool {
	base, _, _ := strings.Cut(strings.ToLower(name), ".")
	return base == "readme" && slices.Contains([]string{"", ".md", ".rst", ".txt"}, strings.ToLower(filepath.Ext(name)))
}

var (
	// fence begins and ends a block of code in Markdown, and names its language.
	fence = regexp.MustCompile("^ *(```+|~~~+)[ \t]*\\{?\\.?([A-Za-z-]*)")
	// prompt precedes what a person types in a console.
	prompt = regexp.MustCompile(`^(?:\([\w.-]+\) ?)?[$>%] +`)
	// blank is a part of a command that the reader fills in, or may leave out.
	blank = regexp.MustCompile(`<[^<>]*>|\{[^{}]*\}`)
)

// consoles are the languages of blocks that hold commands.
var consoles = strings.Fields("bash sh shell console zsh terminal shell-session shellsession commandline cmd bat powershell text")

// readme reads the commands that a README shows: in blocks of code for a shell, and in indented text.
func readme(text string) Starts {
	s := newShell()
	closes, console := "", false
	for line, text := range Lines(text) {
		if m := fence.FindStringSubmatch(text); m != nil && (closes == "" || strings.HasPrefix(m[1], closes) && m[2] == "") {
			if closes != "" {
				closes = ""
			} else {
				closes, console = m[1], m[2] == "" || slices.Contains(consoles, strings.ToLower(m[2]))
			}
			s.at = ""
			continue
		}
		indented := strings.HasPrefix(text, "    ") || strings.HasPrefix(text, "\t")
		command := strings.TrimSpace(text)
		prompted := prompt.MatchString(command)
		command = prompt.ReplaceAllString(command, "")
		if closes != "" && !console || closes == "" && !indented || !prompted && closes == "" && !strings.HasPrefix(command, "python") {
			continue
		}
		if strings.Contains(command, "...") || strings.Contains(command, "…") || strings.Contains(command, " [") {
			continue // a pattern of commands
		}
		s.run(blank.ReplaceAllString(command, "$$_"), line)
	}
	return Starts{Scripts: s.found.Scripts}
}

// debugging reads the launch configurations of VS Code.
func debugging(text string) (found Starts) {
	var file struct {
		Configurations []struct {
			Type    string  `yaml:"type"`
			Program located `yaml:"program"`
			Module  located `yaml:"module"`
			Folder  string  `yaml:"cwd"`
			Args    located `yaml:"args"`
		} `yaml:"configurations"`
	}
	if unmarshal(withoutComments(text), &file) != nil {
		return found
	}
	for _, c := range file.Configurations {
		if c.Type != "python" && c.Type != "debugpy" {
			continue
		}
		words := append([]string{"python"}, inWorkspace(c.Program.text))
		at := c.Program
		if c.Module.text != "" {
			words, at = []string{"python", "-m", c.Module.text}, c.Module
		}
		if c.Args.line > 0 {
			at = c.Args
		}
		for _, word := range c.Args.list {
			words = append(words, inWorkspace(word))
		}
		if one, _, ok := script(append(words, c.Args.words()...)); ok {
			one.Line, one.Folder = at.line, ""
			if c.Folder != "" {
				s := newShell()
				s.enter([]string{inWorkspace(c.Folder)})
				one.Folder = s.at
			}
			found.Scripts = append(found.Scripts, one)
		}
	}
	return found
}

// inWorkspace returns a text of a launch configuration, in which a path begins at the workspace.
func inWorkspace(text string) string {
	text = strings.NewReplacer("${workspaceFolder}", ".", "${workspaceRoot}", ".").Replace(text)
	if rest, ok := strings.CutPrefix(text, "./"); ok {
		return rest
	}
	return text
}

// withoutComments blanks the comments of JSON, and its tabs.
func withoutComments(text string) string {
	out := []byte(text)
	for i := 0; i < len(out); i++ {
		switch {
		case out[i] == '"':
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case out[i] == '\t':
			out[i] = ' '
		case out[i] == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			till := strings.IndexByte(text[i:], '\n')
			if out[i+1] == '*' {
				if till = strings.Index(text[i+2:], "*/"); till >= 0 {
					till += 4
				}
			}
			if till < 0 {
				till = len(out) - i
			}
			for end := i + till; i < end; i++ {
				if out[i] != '\n' {
					out[i] = ' '
				}
			}
			i--
		}
	}
	return string(out)
}
