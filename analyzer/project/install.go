package project

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/launch"
	"github.com/tfmem/tfmem/analyzer/source"
)

// InstalledBy returns the versions of TensorFlow and Keras that the cells of a notebook install, by
// commands for a shell. The last command for a package counts.
func InstalledBy(src *source.Source) (found effects.Versions) {
	for _, cell := range src.Segments() {
		if cell.Pieces == nil || !mentioned(cell.Raw) {
			continue
		}
		shell := ofShell.MatchString(cell.Raw)
		for number, line := range launch.Lines(cell.Raw) {
			line = strings.TrimSpace(line)
			place := fmt.Sprintf("%s:%d", src.Path, number)
			switch {
			case line == "%tensorflow_version 1.x": // of Colab
				found.TensorFlow = effects.Stated{Range: effects.TensorFlow1, Source: place}
			case shell, strings.HasPrefix(line, "!"), strings.HasPrefix(line, "%"):
				Install(&found, strings.TrimLeft(line, "!%"), place)
			}
		}
	}
	return found
}

var (
	// ofShell is the first line of a cell for a shell.
	ofShell = regexp.MustCompile(`^%%(?:bash|sh|shell|script\s+(?:bash|sh))\b`)
	// ofCommand separates the commands of a line.
	ofCommand = regexp.MustCompile(`&&|\|\||[;|]`)
	// installer is what installs packages: pip, as a module of Python or by itself, and conda.
	installer = regexp.MustCompile(`(?:^|[\s/"'(])(pip[0-9.]*|conda|mamba|micromamba)["']?\s+(?:-\S+\s+)*install\s+(.*)`)
)

// Install adds the versions that the commands of a line for a shell install.
func Install(found *effects.Versions, line, place string) {
	if line = strings.TrimSpace(line); strings.HasPrefix(line, "#") || !mentioned(line) {
		return
	}
	for _, command := range ofCommand.Split(line, -1) {
		m := installer.FindStringSubmatch(command)
		if m == nil {
			continue
		}
		for _, word := range strings.Fields(m[2]) {
			name, versions := named(strings.Trim(word, `"'()[]`), !strings.HasPrefix(m[1], "pip"))
			if to := of(found, name); to != nil {
				if r, err := effects.ParseRange(versions); err == nil && (r != effects.Range{} || to == &found.Legacy) {
					*to = effects.Stated{Range: r, Source: place}
				}
			}
		}
	}
}

// dockerfile reads which TensorFlow the last stage of a Dockerfile has: that of its image, unless a
// command installs another.
func (s *statement) dockerfile(text string) {
	arguments, stages := map[string]string{}, map[string]effects.Versions{}
	var stage effects.Versions
	name := ""
	for number, line := range launch.Lines(text) {
		place := s.place(number)
		instruction, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		words := strings.Fields(rest)
		switch strings.ToUpper(instruction) {
		case "ARG", "ENV":
			for _, word := range words {
				if key, value, set := strings.Cut(word, "="); set {
					arguments[key] = unquoted(value)
				}
			}
		case "FROM":
			for len(words) > 0 && strings.HasPrefix(words[0], "--") {
				words = words[1:]
			}
			if len(words) == 0 {
				continue
			}
			image := expanded(words[0], arguments)
			earlier, known := stages[image]
			if stage = earlier; !known {
				if r, ok := ofImage(image); ok {
					stage.TensorFlow = effects.Stated{Range: r, Source: place}
				}
			}
			if name = ""; len(words) == 3 && strings.EqualFold(words[1], "AS") {
				name = words[2]
			}
		case "RUN":
			Install(&stage, expanded(rest, arguments), place)
		}
		stages[name] = stage
	}
	for _, of := range []func(*effects.Versions) *effects.Stated{
		func(v *effects.Versions) *effects.Stated { return &v.TensorFlow },
		func(v *effects.Versions) *effects.Stated { return &v.Keras },
		func(v *effects.Versions) *effects.Stated { return &v.Legacy },
	} {
		if own := *of(&stage); own.Source != "" {
			*of(&s.said) = of(&s.said).Or(own)
		}
	}
}

// image returns what the Dockerfiles of a folder say.
func (r *statements) image(folder string) effects.Versions {
	s := &statement{statements: r, seen: map[string]bool{}}
	names := r.listed(folder, launch.IsDockerfile)
	slices.Sort(names)
	for _, name := range names {
		s.file(filepath.Join(folder, name), (*statement).dockerfile)
	}
	return s.said
}

func (s *statement) place(line int) string {
	return fmt.Sprintf("%s:%d", s.workspace.shown(s.path), line)
}

// variables are the uses of variables in a Dockerfile: $NAME, ${NAME}, ${NAME:-default}.
var variables = regexp.MustCompile(`\$(?:(\w+)|\{(\w+)(?::?-([^}]*))?\})`)

// expanded returns a text with the values of variables, as far as they are known.
func expanded(text string, values map[string]string) string {
	return variables.ReplaceAllStringFunc(text, func(use string) string {
		m := variables.FindStringSubmatch(use)
		if value, known := values[m[1]+m[2]]; known {
			return value
		}
		return m[3]
	})
}

var (
	release      = regexp.MustCompile(`^([12]\.\d+)`)
	deepLearning = regexp.MustCompile(`^tf2?-(?:cpu|gpu)\.(\d+)-(\d+)`)
)

// ofImage returns the TensorFlow of a public image that names it: TensorFlow's own, those that Amazon
// and Google make of it, and NVIDIA's of TensorFlow 1. Tags such as latest and nightly name none.
func ofImage(image string) (effects.Range, bool) {
	image, _, _ = strings.Cut(image, "@")
	folder, name := path.Split(image)
	name, tag, _ := strings.Cut(name, ":")
	version := ""
	switch {
	case strings.HasSuffix(folder, "nvidia/") && name == "tensorflow":
		if strings.Contains(tag, "-tf1-") {
			version = "==1.*"
		}
	case strings.HasSuffix("/"+folder, "/tensorflow/") && name == "tensorflow", name == "tensorflow-training", name == "tensorflow-inference":
		if m := release.FindStringSubmatch(tag); m != nil {
			version = "==" + m[1]
		}
	default:
		if m := deepLearning.FindStringSubmatch(name); m != nil {
			version = "==" + m[1] + "." + m[2]
		}
	}
	r, err := effects.ParseRange(version)
	return r, err == nil && version != ""
}
