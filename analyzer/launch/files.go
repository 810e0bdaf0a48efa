package launch

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tfmem/tfmem/analyzer/source"
)

// procfile reads "web: COMMAND". What reads it sets the environment.
func procfile(text string) Starts {
	s := newShell()
	for line, text := range source.NumberedLines(text) {
		if name, command, ok := strings.Cut(text, ":"); ok && name != "" && !strings.ContainsAny(name, " \t#=") {
			own := newShell()
			own.run(command, line)
			s.found.add(own.found)
		}
	}
	return s.found
}

// commands reads a shell script. A function's body runs as if it stood alone.
func commands(text string) Starts {
	s := newShell()
	s.asks = sbatch(text)
	for line, text := range Lines(text) {
		s.run(text, line)
	}
	return s.found
}

// makeVariable is a use of a variable of make that is not one of the shell.
var makeVariable = regexp.MustCompile(`\$\(([A-Za-z_]\w*)\)`)

var makeAssignment = regexp.MustCompile(`^(?:export\s+)?([A-Za-z_]\w*)\s*[:?]?=\s*(.*)$`)

// makefile reads the recipes, each line of which a shell of its own runs.
func makefile(text string) (found Starts) {
	values, exported := map[string]string{}, map[string]string{}
	for line, text := range Lines(text) {
		recipe, ok := strings.CutPrefix(text, "\t")
		if !ok {
			if m := makeAssignment.FindStringSubmatch(text); m != nil {
				values[m[1]] = m[2]
				if strings.HasPrefix(text, "export") {
					exported[m[1]] = m[2]
				}
			}
			continue
		}
		s := newShell()
		for name, value := range exported {
			s.environment[name] = value
		}
		recipe = makeVariable.ReplaceAllStringFunc(strings.TrimLeft(recipe, "@-+ "), func(use string) string {
			if value, known := values[use[2:len(use)-1]]; known {
				return value
			}
			return "${" + use[2:len(use)-1] + "}"
		})
		s.run(strings.ReplaceAll(recipe, "$$", "$"), line)
		found.add(s.found)
	}
	return found
}

// unit reads a service of systemd. Its working directory is of the machine that runs it.
func unit(text string) Starts {
	s := newShell()
	var starts []func()
	for line, text := range Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(text), "=")
		switch key {
		case "Environment":
			for _, words := range split(value) {
				for _, word := range words {
					if name, value, ok := strings.Cut(word, "="); ok {
						s.environment[name] = value
					}
				}
			}
		case "ExecStart":
			starts = append(starts, func() { s.run(strings.TrimLeft(value, "-@:+!"), line) })
		}
	}
	for _, start := range starts {
		start()
	}
	return s.found
}

// uwsgiSettings reads the section of an ini file that is uwsgi's.
func uwsgiSettings(text string) (found Starts) {
	options, at := map[string]string{}, map[string]int{}
	environment := map[string]string{}
	inside := false
	for line, text := range source.NumberedLines(text) {
		text = strings.TrimSpace(text)
		if strings.HasPrefix(text, "[") {
			inside = text == "[uwsgi]"
			continue
		}
		key, value, ok := strings.Cut(text, "=")
		if key, value = strings.TrimSpace(key), strings.TrimSpace(value); !inside || !ok || strings.HasPrefix(key, "#") || strings.HasPrefix(key, ";") {
			continue
		}
		if name, set, ok := strings.Cut(value, "="); ok && key == "env" {
			environment[name] = set
			continue
		}
		options[key], at[key] = value, line
	}
	if len(options) == 0 {
		return found
	}
	s := Server{Program: "uwsgi", Environment: environment, Line: 1, WorkersLine: 1, PreloadLine: 1}
	s.uwsgi(options)
	for _, key := range []string{"file", "wsgi-file", "wsgi", "module"} {
		if at[key] > 0 {
			s.Line = at[key]
		}
	}
	s.PreloadLine = s.Line
	for _, key := range []string{"workers", "processes"} {
		if at[key] > 0 {
			s.WorkersLine = at[key]
		}
	}
	return Starts{Servers: []Server{s}}
}

// noCUDA are public images without CUDA, for which TensorFlow's plain package finds no GPU.
var noCUDA = strings.Fields("python ubuntu debian alpine slim conda miniconda3 amazonlinux centos fedora uvicorn-gunicorn-fastapi uvicorn-gunicorn meinheld-gunicorn-flask uwsgi-nginx-flask")

// hasNoCUDA reports whether an image surely has no CUDA: one of those, or TensorFlow's own for CPUs.
func hasNoCUDA(image string) bool {
	image, _, _ = strings.Cut(image, "@")
	folder, name := path.Split(image)
	name, tag, _ := strings.Cut(name, ":")
	switch {
	case strings.Contains(tag, "cuda") || strings.Contains(tag, "gpu"):
		return false
	case strings.HasSuffix("/"+folder, "/tensorflow/") && name == "tensorflow":
		return true
	}
	for _, plain := range noCUDA {
		if name == plain {
			return true
		}
	}
	return false
}

// words returns a command of a Dockerfile: a list in brackets, or what a shell reads.
func words(text string) (list []string, ok bool) {
	if text = strings.TrimSpace(text); !strings.HasPrefix(text, "[") {
		return nil, false
	}
	return list, json.Unmarshal([]byte(text), &list) == nil
}

// dockerfile reads what the last stage of a Dockerfile starts.
func dockerfile(text string) Starts {
	type command struct {
		text string
		list []string
		line int
	}
	var entry, args command
	s := newShell()
	image, installsCUDA := "", false
	images := map[string]string{}
	for line, text := range Lines(text) {
		instruction, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
		switch strings.ToUpper(instruction) {
		case "FROM":
			entry, args = command{}, command{}
			s.folder, s.elsewhere = "", false
			for _, word := range strings.Fields(rest) {
				if !strings.HasPrefix(word, "--") {
					image = word
					break
				}
			}
			if of, ok := images[image]; ok {
				image = of
			}
			if fields := strings.Fields(rest); len(fields) > 2 && strings.EqualFold(fields[len(fields)-2], "AS") {
				images[fields[len(fields)-1]] = image
			}
		case "ENV":
			for _, words := range split(rest) {
				if len(words) == 2 && !strings.Contains(words[0], "=") {
					s.environment[words[0]] = words[1]
					continue
				}
				for _, word := range words {
					if name, value, ok := strings.Cut(word, "="); ok {
						s.environment[name] = expand(value, s.environment)
					}
				}
			}
		case "RUN":
			installsCUDA = installsCUDA || strings.Contains(rest, "and-cuda") || strings.Contains(rest, "cudnn") || strings.Contains(rest, "tensorflow-gpu")
		case "ENTRYPOINT", "CMD":
			c := command{text: rest, line: line}
			c.list, _ = words(rest)
			if strings.EqualFold(instruction, "CMD") {
				args = c
			} else {
				entry, args = c, command{}
			}
		}
	}
	start := entry
	switch {
	case entry.line == 0:
		start = args
	case entry.list != nil && args.list != nil:
		start.list = append(entry.list, args.list...)
		start.line = args.line
	}
	switch {
	case start.list != nil:
		s.command(start.list, start.line)
	case start.line > 0:
		s.run(start.text, start.line)
	}
	for i := range s.found.Servers {
		s.found.Servers[i].WithoutGPU = hasNoCUDA(image) && !installsCUDA
	}
	return s.found
}

// compose reads the services of a compose file. A container has no GPU unless the file gives it one.
func compose(text string) (found Starts) {
	var file struct {
		Services map[string]struct {
			Command     yaml.Node `yaml:"command"`
			Entrypoint  yaml.Node `yaml:"entrypoint"`
			Environment yaml.Node `yaml:"environment"`
			Runtime     string    `yaml:"runtime"`
			GPUs        yaml.Node `yaml:"gpus"`
			Deploy      struct {
				Resources struct {
					Reservations struct {
						Devices []yaml.Node `yaml:"devices"`
					} `yaml:"reservations"`
				} `yaml:"resources"`
			} `yaml:"deploy"`
		} `yaml:"services"`
	}
	if unmarshal(text, &file) != nil {
		return found
	}
	names := make([]string, 0, len(file.Services))
	for name := range file.Services {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		service := file.Services[name]
		s := newShell()
		switch e := service.Environment; e.Kind {
		case yaml.MappingNode:
			for i := 0; i+1 < len(e.Content); i += 2 {
				s.environment[e.Content[i].Value] = e.Content[i+1].Value
			}
		case yaml.SequenceNode:
			for _, item := range e.Content {
				if name, value, ok := strings.Cut(item.Value, "="); ok {
					s.environment[name] = value
				}
			}
		}
		command := service.Command
		if command.Kind == 0 || service.Entrypoint.Kind != 0 && command.Kind != yaml.SequenceNode {
			command = service.Entrypoint
		}
		switch command.Kind {
		case yaml.ScalarNode:
			s.run(strings.ReplaceAll(command.Value, "$$", "$"), command.Line)
		case yaml.SequenceNode:
			var list []string
			if e := service.Entrypoint; e.Kind == yaml.SequenceNode && command.Line != e.Line {
				for _, item := range e.Content {
					list = append(list, item.Value)
				}
			}
			for _, item := range command.Content {
				list = append(list, item.Value)
			}
			s.command(list, command.Line)
		}
		for i := range s.found.Servers {
			s.found.Servers[i].WithoutGPU = service.Runtime != "nvidia" && service.GPUs.Kind == 0 && len(service.Deploy.Resources.Reservations.Devices) == 0
		}
		found.add(s.found)
	}
	return found
}

// unmarshal reads YAML, of which JSON is a part.
func unmarshal(text string, into any) error { return yaml.Unmarshal([]byte(text), into) }

// A located is a text or a list of texts in a file of YAML, with its line.
type located struct {
	text string
	list []string
	line int
}

// UnmarshalYAML takes what is neither for nothing.
func (l *located) UnmarshalYAML(n *yaml.Node) error {
	l.line = n.Line
	switch n.Kind {
	case yaml.ScalarNode:
		l.text = n.Value
	case yaml.SequenceNode:
		for _, item := range n.Content {
			l.list = append(l.list, item.Value)
		}
	}
	return nil
}

// words are those of a text.
func (l *located) words() (words []string) {
	for _, command := range split(l.text) {
		words = append(words, command...)
	}
	return words
}
