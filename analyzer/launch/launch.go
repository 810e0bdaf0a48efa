// Package launch reads what the files of a project start: a Procfile, a Dockerfile, a compose file, a
// Makefile, a unit of systemd, a shell script, the job of a cluster. Of servers it knows the command
// lines of gunicorn, uvicorn, hypercorn, celery and uwsgi, and their own configuration; of programs of
// Python the arguments that they get, also where a README shows them and where VS Code starts them, and
// what a job of Slurm, Kubernetes, Vertex AI or SageMaker asks for them.
//
// It reads texts only: which file is meant by a module's name is the project's question. What it does
// not understand starts nothing. testdata/workers/record_libraries.py records what the servers do.
package launch

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Server is one that a line of a file starts, or configures.
type Server struct {
	Program string // "gunicorn"
	// Module is what it imports, with dots, or File, by its path; both are "" where a configuration
	// leaves that to the command line.
	Module, File string
	// Folder is where it runs, relative to that of the file; ok only while Elsewhere is false.
	Folder string
	// Elsewhere is set if it runs in a folder that is not known.
	Elsewhere bool
	// Config is the file of its configuration that the command names, or "".
	Config string
	// Workers is how many processes it has, and PreloadedBy what makes it import the module before
	// it forks them, as the file writes it; "" if each worker imports it.
	Workers     Count
	PreloadedBy string
	// Environment is what the file sets for it: an unknown value is Unknown.
	Environment map[string]string
	// WithoutGPU is set if the file starts it where there is no GPU: in a container that is given none,
	// or with an image that has no CUDA.
	WithoutGPU bool
	// Line is where it is started, from 1, WorkersLine where the workers are counted, and PreloadLine
	// where PreloadedBy stands; 0 where that is Line.
	Line, WorkersLine, PreloadLine int
}

// A Count is a number of processes. The zero Count is that of a file which says nothing, and of one
// that is not understood.
type Count struct {
	Number  int  // 0 if it is not known
	Several bool // more than one
	Said    bool
}

// Unknown is the value of a variable that the file gives one which only a run would tell.
const Unknown = value.Hidden

func count(n int) Count { return Count{Number: n, Several: n > 1, Said: true} }

// A format is a kind of file that starts or configures servers.
type format struct {
	is   func(name string) bool
	read func(text string) Starts
}

var formats = []format{
	{func(name string) bool { return name == "Procfile" }, procfile},
	{isCompose, compose},
	{IsDockerfile, dockerfile},
	{func(name string) bool { return filepath.Ext(name) == ".service" }, unit},
	{func(name string) bool { return slices.Contains([]string{"Makefile", "makefile", "GNUmakefile"}, name) }, makefile},
	{isShell, commands},
	{isUWSGI, uwsgiSettings},
	{IsGunicorn, func(text string) Starts { return Starts{Servers: GunicornSettings(text)} }},
	{isReadme, readme},
	{isManifest, manifest},
	{func(name string) bool { return name == "launch.json" }, debugging},
}

// Files are patterns of the files that start something, but for Python's, YAML, JSON, READMEs and Dockerfiles,
// in which a project also says other things.
var Files = []string{"**/{Procfile,Makefile,makefile,GNUmakefile}", "**/*.service", "**/*uwsgi*.ini", "**/*.{" + strings.Join(shells, ",") + "}"}

// Folders are those in which projects keep such files for what is beside the folder.
var Folders = strings.Fields("scripts script jobs job slurm sbatch bin run runs experiments cluster hpc k8s kubernetes deploy manifests .vscode")

// Is reports whether a file may start a program, or configure a server, by its name.
func Is(name string) bool {
	return slices.ContainsFunc(formats, func(f format) bool { return f.is(name) })
}

// IsDockerfile reports whether a file is read by docker build.
func IsDockerfile(name string) bool {
	return name == "Dockerfile" || strings.HasPrefix(name, "Dockerfile.") || filepath.Ext(name) == ".Dockerfile"
}

func isCompose(name string) bool {
	ext := filepath.Ext(name)
	return (ext == ".yml" || ext == ".yaml") && strings.Contains(name, "compose")
}

// IsGunicorn reports whether a file configures gunicorn, by its name: the one that it reads by itself,
// and what people call others.
func IsGunicorn(name string) bool {
	return filepath.Ext(name) == ".py" && strings.HasPrefix(name, "gunicorn")
}

func isUWSGI(name string) bool {
	return filepath.Ext(name) == ".ini" && strings.Contains(name, "uwsgi")
}

// MaxText is the length in bytes beyond which a file is not one of settings or commands.
const MaxText = 64 << 10

// Read returns what a file starts.
func Read(name, text string) (found Starts) {
	if len(text) > MaxText {
		return found
	}
	for _, f := range formats {
		if f.is(name) {
			return f.read(strings.TrimPrefix(text, "\ufeff"))
		}
	}
	return found
}

// Configured returns the server with what its configuration says, which its command overrides. The lines
// are then those of the configuration where it decides.
func (s Server) Configured(by Server) Server {
	if !s.Workers.Said {
		s.Workers, s.WorkersLine = by.Workers, by.WorkersLine
	}
	if s.PreloadedBy == "" {
		s.PreloadedBy, s.PreloadLine = by.PreloadedBy, by.PreloadLine
	}
	if s.Module == "" && s.File == "" {
		s.Module = by.Module
	}
	environment := maps.Clone(by.Environment)
	if environment == nil {
		environment = map[string]string{}
	}
	maps.Copy(environment, s.Environment)
	s.Environment = environment
	return s
}

// Lines numbers the lines of a text for a shell, each with those that continue it.
func Lines(text string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		first, whole := 0, ""
		for number, line := range source.NumberedLines(text) {
			if first == 0 {
				first = number
			}
			if part, on := strings.CutSuffix(line, `\`); on {
				whole += part + " "
				continue
			}
			if !yield(first, whole+line) {
				return
			}
			first, whole = 0, ""
		}
		if whole != "" {
			yield(first, whole)
		}
	}
}
