package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// inCI runs a script of a CI system in a folder with two files, of which one has a finding, and
// this tfmem as the program. It returns what the script prints, and its exit code.
func inCI(t *testing.T, folder, script string, env ...string) (string, int) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no bash")
	}
	bin := t.TempDir()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		filepath.Join(folder, "src", "train.py"):   "import tensorflow as tf\n\nx = tf.zeros((2, 2))\nfor gpu in tf.config.list_physical_devices('GPU'):\n    tf.config.experimental.set_memory_growth(gpu, True)\n",
		filepath.Join(folder, "clean", "clean.py"): "import tensorflow\n",
		filepath.Join(bin, "pip"):                  "#!/bin/sh\necho pip \"$@\"\n",
		filepath.Join(bin, "python"):               "#!/bin/sh\nexec python3 \"$@\"\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(program, filepath.Join(bin, "tfmem")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", script)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), cacheVariable+"="+filepath.Join(bin, "cache"))
	cmd.Env = append(cmd.Env, env...)
	said, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(said), cmd.ProcessState.ExitCode()
}

// An action is action.yml, as far as the tests play it.
type action struct {
	Inputs map[string]struct{ Description, Default string }
	Runs   struct {
		Using string
		Steps []struct {
			ID, Shell, Run, Uses, If string
			Env, With                map[string]string
		}
	}
}

// readAction reads the action for GitHub.
func readAction(t *testing.T) (text string, a action) {
	t.Helper()
	read, err := os.ReadFile("../../editors/github/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(read, &a); err != nil {
		t.Fatal(err)
	}
	return string(read), a
}

// environment returns the variables of a step that come from inputs.
func (a action) environment(step map[string]string, inputs map[string]string) (env []string) {
	for key, value := range step {
		for input, about := range a.Inputs {
			given, ok := inputs[input]
			if !ok {
				given = about.Default
			}
			if value == "${{ inputs."+input+" }}" {
				env = append(env, key+"="+given)
			}
		}
	}
	return env
}

// TestAction runs what the action for GitHub runs, with the variables that it sets.
func TestAction(t *testing.T) {
	text, action := readAction(t)
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`inputs\.([\w-]+)`).FindAllStringSubmatch(text, -1) {
		if used[m[1]] = true; action.Inputs[m[1]].Description == "" {
			t.Errorf("there is no input %s", m[1])
		}
	}
	if len(used) != len(action.Inputs) {
		t.Errorf("of the inputs %v only %v are used", action.Inputs, used)
	}
	check := action.Runs.Steps[0]
	for name, c := range map[string]struct {
		inputs map[string]string
		exit   int
		says   string
	}{
		"finding":  {nil, 1, "::error title=tfmem (TFM102),file=src/train.py,line=5"},
		"fail-on":  {map[string]string{"fail-on": "hint", "args": "--ignore TFM102"}, 0, ""},
		"clean":    {map[string]string{"paths": "clean"}, 0, ""},
		"two":      {map[string]string{"paths": "clean src"}, 1, "TFM102"},
		"gpu":      {map[string]string{"gpu": "RTX 3090", "paths": "clean"}, 0, ""},
		"mistake":  {map[string]string{"gpu": "T44"}, 2, `error: --gpu:`},
		"argument": {map[string]string{"args": "--nonsense"}, 2, "unknown flag: --nonsense"},
	} {
		folder, temp := t.TempDir(), t.TempDir()
		env := []string{"RUNNER_TEMP=" + temp, "GITHUB_OUTPUT=" + filepath.Join(temp, "output"), "GITHUB_WORKSPACE=" + folder}
		env = append(env, action.environment(check.Env, c.inputs)...)
		path, err := filepath.Abs("../../editors/github/check.sh")
		if err != nil {
			t.Fatal(err)
		}
		said, exit := inCI(t, folder, check.Run, append(env, "TFMEM_PACKAGE=installed", "TFMEM_CHECK="+path)...)
		if exit != c.exit || !strings.Contains(said, c.says) {
			t.Errorf("%s: the exit code is %d, and it says\n%s", name, exit, said)
		}
		output, _ := os.ReadFile(filepath.Join(temp, "output"))
		report, ok := strings.CutPrefix(strings.TrimSpace(string(output)), "sarif=")
		if ok != (c.exit < 2) {
			t.Errorf("%s: the output is %q", name, output)
		}
		if sarif, err := os.ReadFile(report); ok && (err != nil || strings.Contains(string(sarif), "src/train.py") != (exit == 1)) {
			t.Errorf("%s: the report is\n%s\n%v", name, sarif, err)
		}
	}
}

// A gitlabJob is one of tfmem.yml, as far as the tests play it.
type gitlabJob struct {
	Script    []string
	Variables map[string]string
	Artifacts struct {
		Reports struct{ Codequality string }
		Paths   []string
	}
}

// gitlabJobs reads the jobs for GitLab, with the inputs that are given.
func gitlabJobs(t *testing.T, inputs map[string]string) (jobs map[string]gitlabJob) {
	t.Helper()
	text, err := os.ReadFile("../../editors/gitlab/tfmem.yml")
	if err != nil {
		t.Fatal(err)
	}
	header, job, _ := strings.Cut(string(text), "\n---\n")
	var spec struct {
		Spec struct {
			Inputs map[string]struct{ Default string }
		}
	}
	if err := yaml.Unmarshal([]byte(header), &spec); err != nil {
		t.Fatal(err)
	}
	filled := regexp.MustCompile(`\$\[\[ inputs\.([\w-]+) \]\]`).ReplaceAllStringFunc(job, func(m string) string {
		input := strings.TrimSuffix(strings.TrimPrefix(m, "$[[ inputs."), " ]]")
		about, ok := spec.Spec.Inputs[input]
		if !ok {
			t.Errorf("there is no input %s", input)
		}
		if given, ok := inputs[input]; ok {
			return given
		}
		return about.Default
	})
	if err := yaml.Unmarshal([]byte(filled), &jobs); err != nil {
		t.Fatal(err)
	}
	return jobs
}

// TestGitLab runs the script of the job for GitLab.
func TestGitLab(t *testing.T) {
	for name, c := range map[string]struct {
		inputs map[string]string
		exit   int
		says   string
	}{
		"finding": {nil, 1, "src/train.py:5:5: TFM102"},
		"clean":   {map[string]string{"paths": "clean"}, 0, "All checks passed!"},
		"gpu":     {map[string]string{"gpu": "RTX 3090", "paths": "clean"}, 0, "All checks passed!"},
		"fail-on": {map[string]string{"fail-on": "hint", "paths": "clean"}, 0, ""},
		"package": {map[string]string{"package": "ci/tfmem.whl"}, 1, "pip install --quiet ci/tfmem.whl\n"},
		"mistake": {map[string]string{"gpu": "T44"}, 2, `error: --gpu:`},
	} {
		job := gitlabJobs(t, c.inputs)["tfmem"]
		folder := t.TempDir()
		said, exit := inCI(t, folder, strings.Join(job.Script, "\n"), "CI_PROJECT_DIR="+folder)
		if exit != c.exit || !strings.Contains(said, c.says) {
			t.Errorf("%s: the exit code is %d, and it says\n%s", name, exit, said)
		}
		report, err := os.ReadFile(filepath.Join(folder, job.Artifacts.Reports.Codequality))
		if c.exit < 2 && (err != nil || strings.Contains(string(report), `"path": "src/train.py"`) != (exit == 1)) {
			t.Errorf("%s: the report is\n%s\n%v", name, report, err)
		}
	}
}
