package notebook

import (
	"regexp"
	"strings"
)

// runsBody are the cell magics that run their body as Python in the notebook's own process and
// namespace. Bodies of other magics (%%bash, %%html, %%writefile, %%cython, %%javascript, unknown
// ones) are not analysed.
var runsBody = map[string]bool{
	"time": true, "timeit": true, "capture": true, "prun": true, "debug": true, "memit": true, "mprun": true, "lprun": true,
	"snakeviz": true, "scalene": true, "wandb": true, "backend": true, "heat": true, "tfmem": true,
}

// runsRest are the line magics that run what follows them, with their options that take a value.
var runsRest = map[string]string{
	"time": "", "timeit": "nrp", "prun": "lsTD", "memit": "rti", "lprun": "fmDTu", "mprun": "fTc",
}

// word returns the name at the start of a text.
func word(s string) string {
	i := 0
	for i < len(s) && (s[i] == '_' || '0' <= s[i] && s[i] <= '9' || 'a' <= s[i]|0x20 && s[i]|0x20 <= 'z') {
		i++
	}
	return s[:i]
}

// pythonOf returns the start of the Python that a line magic, without its %, runs; 0 if it runs
// none.
func pythonOf(magic string) int {
	name := word(magic)
	valued, ok := runsRest[name]
	if !ok {
		return 0
	}
	at := len(name)
	skip := func() bool { // required white space
		before := at
		for at < len(magic) && (magic[at] == ' ' || magic[at] == '\t') {
			at++
		}
		return at > before
	}
	if !skip() {
		return 0
	}
	for at+1 < len(magic) && magic[at] == '-' && word(magic[at+1:]) != "" {
		option := word(magic[at+1:])
		at += 1 + len(option)
		if len(option) == 1 && strings.Contains(valued, option) {
			skip()
			for at < len(magic) && magic[at] != ' ' && magic[at] != '\t' {
				at++
			}
		}
		if !skip() {
			return 0
		}
	}
	rest := magic[at:]
	if rest == "" || strings.IndexByte("%!?#\\", rest[0]) >= 0 || rest[len(rest)-1] == '\\' {
		return 0
	}
	// A magic is one line: an open bracket in it is never closed.
	m := masker{raw: rest}
	m.code(len(rest))
	if m.depth > 0 || m.quote != "" {
		return 0
	}
	return at
}

// environment translates %env to Python as IPython does, which JupyterLab sends in its place.
func environment(arguments string) string {
	if !strings.ContainsAny(arguments, "= \t") {
		return nothing // it shows a variable, or all
	}
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(strings.ToValidUTF8(arguments, "?"))
	return `get_ipython().run_line_magic("env", "` + quoted + `")`
}

var help = regexp.MustCompile(`^(?:\?.*|[%\w][\w.\[\]()'"*\- ]*\?{1,2}\s*;?\s*(?:#.*)?)$`)

// isHelp reports whether a line asks for help: ?obj, obj?, obj??.
func isHelp(line string) bool {
	return strings.Contains(line, "?") && help.MatchString(strings.TrimRight(line, " \t"))
}

// automagic are commands that people type without % or !: those that IPython accepts so, and
// those that people believe it does.
var automagic = map[string]bool{
	"apt": true, "autoreload": true, "bash": true, "bazel": true, "cat": true, "cd": true, "chmod": true, "conda": true, "cp": true, "curl": true,
	"env": true, "export": true, "gcloud": true, "git": true, "gsutil": true, "kaggle": true, "less": true, "load_ext": true, "ls": true, "mamba": true,
	"matplotlib": true, "mkdir": true, "more": true, "mv": true, "pip": true, "pip3": true, "pwd": true, "python": true, "python3": true,
	"reload_ext": true, "reset": true, "rm": true, "rmdir": true, "run": true, "set_env": true, "sudo": true, "tar": true, "tensorboard": true,
	"time": true, "timeit": true, "unzip": true, "wget": true, "who": true, "whos": true,
}

// isAutomagic reports whether a line is a command and not Python: "ls x" is a command; "ls = x",
// "ls in x" and "ls (x)" are Python. "ls - x" is both, and does nothing either way.
func isAutomagic(line string) bool {
	name := word(line)
	if !automagic[name] {
		return false
	}
	rest := strings.TrimLeft(line[len(name):], " \t")
	if rest == "" || len(rest) == len(line)-len(name) {
		return false
	}
	switch word(rest) {
	case "in", "is", "if", "and", "or", "not", "for":
		return false
	}
	if strings.IndexByte("=:,([)", rest[0]) >= 0 {
		return false
	}
	operator := strings.TrimLeft(rest, "+-*/%<>&|^@")
	return len(operator) == len(rest) || !strings.HasPrefix(operator, "=")
}
