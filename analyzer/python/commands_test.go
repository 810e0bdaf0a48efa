package python

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// readers are programs that print or bind what they read from the command line as got: DECLARED stands for
// what they declare.
var readers = map[string]string{
	"argparse": `
import argparse
parser = argparse.ArgumentParser()
DECLARED
got = dict(sorted(vars(parser.parse_args()).items()))
`,
	"known": `
import argparse
parser = argparse.ArgumentParser()
DECLARED
got = dict(sorted(vars(parser.parse_known_args()[0]).items()))
`,
	"absl": `
from absl import app, flags
FLAGS = flags.FLAGS
DECLARED
def main(_):
    global got
    got = FLAGS.x
app.run(main)
`,
	"click": `
import click
@click.command()
DECLARED
def main(**given):
    global got
    got = dict(sorted(given.items()))
main(standalone_mode=False)
`,
	"group": `
import click
@click.group()
def cli():
    pass
@cli.command()
DECLARED
def train_all(**given):
    global got
    got = dict(sorted(given.items()))
cli(standalone_mode=False)
`,
	"hydra": `
import hydra
from omegaconf import OmegaConf
@hydra.main(version_base=None, config_path="data/hydra", config_name="config")
def main(cfg):
    global got
    got = DECLARED
main()
`,
}

const several = "parser.add_argument('--batch-size', '-b', type=int, default=32)\n" +
	"parser.add_argument('--lr', type=float, default=0.1)\n" +
	"parser.add_argument('--fast', action='store_true')\n" +
	"parser.add_argument('--layers', type=int, nargs='+', default=[1])\n" +
	"parser.add_argument('path', nargs='?', default='data')"

const commands = "sub = parser.add_subparsers(dest='command')\n" +
	"train = sub.add_parser('train')\ntrain.add_argument('--size', type=int, default=3)\n" +
	"test = sub.add_parser('test')\ntest.add_argument('--size', type=int, default=4)"

const clicked = "@click.option('--size', '-s', default=32)\n@click.option('--fast/--slow', default=False)\n@click.option('-v', count=True)\n" +
	"@click.option('--layer', multiple=True, type=int)\n@click.option('--pair', nargs=2, type=int)\n@click.argument('path', required=False)"

// lines are command lines, separated by "|", with what the program has then; "default" is what it has without
// any. "?" in a word is what only the shell would tell. A real Python says the same where it can.
var lines = []struct{ reader, declared, lines, want string }{
	{"argparse", several, "--batch-size 64", "{'batch_size': 64, 'fast': False, 'layers': [1], 'lr': 0.1, 'path': 'data'}"},
	{"argparse", several, "-b64 --fast --lr=1e-3 other", "{'batch_size': 64, 'fast': True, 'layers': [1], 'lr': 0.001, 'path': 'other'}"},
	{"argparse", several, "--batch 8 --layers 3 4 --lr -1", "{'batch_size': 8, 'fast': False, 'layers': [3, 4], 'lr': -1.0, 'path': 'data'}"},
	{"argparse", several, "-b 1 -b 2", "{'batch_size': 2, 'fast': False, 'layers': [1], 'lr': 0.1, 'path': 'data'}"},
	{"argparse", several, "--batch-size many", "default"},
	{"argparse", several, "--nothing 4 -b 8", "default"},
	{"argparse", several, "-b 8 one two", "default"},
	{"argparse", several, "-b ? --lr 1", "{'batch_size': 32, 'fast': False, 'layers': [1], 'lr': 1.0, 'path': 'data'}"},
	{"argparse", several, "-b 8 ?", "{'batch_size': 8, 'fast': False, 'layers': [1], 'lr': 0.1, 'path': 'data'}"},
	{"argparse", several, "-b 8 --lr 1|-b 8 --lr 2", "{'batch_size': 8, 'fast': False, 'layers': [1], 'lr': 0.1, 'path': 'data'}"},
	{"argparse", several, "-b 8|--fast -b 8|--no -b 9", "{'batch_size': 8, 'fast': False, 'layers': [1], 'lr': 0.1, 'path': 'data'}"},
	{"argparse", several, "-b 8|", "default"},
	{"known", several, "--other 5 -b 8 --more", "{'batch_size': 8, 'fast': False, 'layers': [1], 'lr': 0.1, 'path': '5'}"},
	{"argparse", commands, "train --size 8", "{'command': 'train', 'size': 8}"},
	{"argparse", commands, "test", "{'command': 'test', 'size': 4}"},
	{"argparse", "parser.add_argument('-v', action='count', default=0)\nparser.add_argument('--a', action='append')", "-vv --a 1 --a 2", "{'a': ['1', '2'], 'v': 2}"},
	{"argparse", "parser.add_argument('--x', action=argparse.BooleanOptionalAction, default=True)\nparser.add_argument('--no-y', dest='y', action='store_false')", "--no-x --no-y", "{'x': False, 'y': False}"},
	{"argparse", "parser.add_argument('--x', nargs='?', const=5, type=int, default=1)\nparser.add_argument('--y', action='store_const', const=7)", "--x --y", "{'x': 5, 'y': 7}"},
	{"argparse", "parser.add_argument('a', type=int)\nparser.add_argument('b', nargs='*')", "3 x y", "{'a': 3, 'b': ['x', 'y']}"},
	{"argparse", "parser.add_argument('--on', type=lambda s: s == 'yes', default=False)", "--on yes", "{'on': True}"},
	{"absl", `flags.DEFINE_integer("x", 3, "")`, "--x=8", "8"},
	{"absl", `flags.DEFINE_integer("x", 3, "")`, "--x 8", "8"},
	{"absl", `flags.DEFINE_integer("x", 3, ""); flags.DEFINE_bool("y", False, "")`, "--y --x 8", "8"},
	{"absl", `flags.DEFINE_bool("x", True, "")`, "--nox", "False"},
	{"absl", `flags.DEFINE_bool("x", False, "")`, "--x=true", "True"},
	{"absl", `flags.DEFINE_list("x", "", "")`, "--x=a,b", "['a', 'b']"},
	{"absl", `flags.DEFINE_multi_integer("x", [1], "")`, "--x=1 --x=2", "[1, 2]"},
	{"absl", `flags.DEFINE_integer("x", 3, ""); FLAGS.set_default("x", 5)`, "--x=8", "8"},
	{"click", clicked, "--size 8 --fast data", "{'fast': True, 'layer': (), 'pair': None, 'path': 'data', 'size': 8, 'v': 0}"},
	{"click", clicked, "-s8 -vv --layer 1 --layer 2 --pair 3 4 --slow", "{'fast': False, 'layer': (1, 2), 'pair': (3, 4), 'path': None, 'size': 8, 'v': 2}"},
	{"click", clicked, "--size many", "default"},
	{"click", clicked, "--other 8", "default"},
	{"group", `@click.option("--x", default=3)`, "train-all --x 8", "{'x': 8}"},
	{"group", `@click.option("--x", default=3)`, "--x 8", "default"},
	{"hydra", "(cfg.batch, cfg.units, cfg.train.schedule.steps)", "batch=8 train.schedule.steps=5", "(8, 32, 5)"},
	{"hydra", "cfg.batch", "batch=8|batch=8 epochs=2", "8"},
	{"hydra", "cfg.batch", "batch=8|batch=9", "default"},
	{"hydra", "cfg.batch", "-m batch=8,9", "default"},
	{"hydra", "cfg.layers", "+layers=[1,2]", "[1, 2]"},
}

func TestCommands(t *testing.T) {
	python, _ := exec.LookPath("python3")
	compared := 0
	for _, c := range lines {
		t.Run(c.reader+"/"+c.lines, func(t *testing.T) {
			text := strings.ReplaceAll(readers[c.reader], "DECLARED", c.declared)
			program := func(lines string) (string, bool) {
				info := names.Resolve(syntax.Parse(text), effects.Library{}, nil)
				info.Path = "../../testdata/value/program.py"
				in := value.New(info, &tiny{}, Library())
				in.Commands.Ask(func() (all []value.Command) {
					for line := range strings.SplitSeq(lines, "|") {
						all = append(all, value.Command{Words: strings.Fields(strings.ReplaceAll(line, "?", value.Hidden)), Place: "run.sh:1"})
					}
					return all
				})
				interp.Run(in)
				for _, def := range info.Functions {
					if f := in.Functions.Latest(def.Node); !in.Functions.Called(def.Node) && f != nil {
						interp.CallUncalled(in, f, nil)
					}
				}
				v, _ := in.Module().Get("got")
				s, _ := interp.Repr(in, v).X.(string)
				return s + v.Why(), !v.Known() || v.Overridable
			}
			want := c.want
			if want == "default" {
				want, _ = program("")
			}
			got, _ := program(c.lines)
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if c.want == "default" || strings.ContainsAny(c.lines, "|?") || c.reader == "hydra" {
				return
			}
			arguments := append([]string{"-B", "-c", text[:strings.LastIndex(text[:len(text)-1], "\n")+1] + "try:\n    " + text[strings.LastIndex(text[:len(text)-1], "\n")+1:] + "finally:\n    print(got)"}, strings.Fields(c.lines)...)
			out, err := exec.Command(python, arguments...).Output()
			var failed *exec.ExitError
			if errors.As(err, &failed) && strings.Contains(string(failed.Stderr), "ModuleNotFoundError") || python == "" {
				return
			}
			if compared++; strings.TrimSpace(string(out)) != c.want {
				t.Errorf("Python says %s, the case %s", out, c.want)
			}
		})
	}
	t.Logf("%d compared with %s", compared, python)
}
