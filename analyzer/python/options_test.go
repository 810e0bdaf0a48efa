package python

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/interp"
)

// optionPrograms are programs with one option, x, one per reader: DECLARED is replaced
// by its declaration, and LINE by the command line that the program itself passes.
var optionPrograms = map[string]string{
	"argparse": `
import argparse
parser = argparse.ArgumentParser()
DECLARED
args = parser.parse_args(LINE)
got = args.x
`,
	"absl": `
import enum
import sys
from absl import flags
FLAGS = flags.FLAGS
class Mode(enum.Enum):
    train = 1
DECLARED
FLAGS(sys.argv)
got = FLAGS.x
`,
	"absl passed": `
from absl import app, flags
DECLARED
def main(_):
    global got
    got = flags.FLAGS.x
app.run(main, LINE)
`,
	"click": `
import click
@click.command()
DECLARED
def main(x):
    global got
    got = x
main(LINE, standalone_mode=False)
`,
	"click group": `
import click
@click.group()
def group():
    pass
@group.command()
DECLARED
def main(x):
    global got
    got = x
group(["main"], standalone_mode=False)
`,
	"typer": `
import typer
def main(DECLARED):
    global got
    got = x
typer.run(main)
`,
	"fire": `
import fire
def main(DECLARED):
    global got
    got = x
fire.Fire(main)
`,
	"hydra": `
import hydra
from hydra.core.config_store import ConfigStore
ConfigStore.instance().store(name="settings", node={DECLARED})
@hydra.main(version_base=None, config_name="settings")
def main(cfg):
    global got
    got = cfg.x
main()
`,
}

// optionQuestions ask the same of each reader. A want that begins with "?" is the
// reason for an unknown value. Verified with Python 3.11, absl-py 2.5.1, click 8.5.1,
// typer 0.29.2, fire 0.7.1 and hydra-core 1.3.8.
var optionQuestions = []struct{ question, reader, declared, line, want string }{
	{"a default", "argparse", `parser.add_argument("--x", default=3)`, "", "3 soft 3"},
	{"a default", "absl", `flags.DEFINE_integer("x", 3, "")`, "", "3 soft 3"},
	{"a default", "click", `@click.option("--x", default=3)`, "", "3 soft 3"},
	{"a default", "typer", `x: int = typer.Option(3)`, "", "3 soft 3"},
	{"a default", "fire", `x=3`, "", "3 soft 3"},
	{"a default", "hydra", `"x": 3`, "", "3 soft 3"},

	{"a default of another type", "argparse", `parser.add_argument("--x", type=int, default="10")`, "", `10 soft "10"`},
	{"a default of another type", "argparse", `parser.add_argument("--x", type=float, default=1)`, "", "1 soft 1"},
	{"a default of another type", "absl", `flags.DEFINE_integer("x", "10", "")`, "", `10 soft "10"`},
	{"a default of another type", "absl", `flags.DEFINE_float("x", 1, "")`, "", "1.0 soft 1"},
	{"a default of another type", "absl", `flags.DEFINE_bool("x", "false", "")`, "", `False soft "false"`},
	{"a default of another type", "absl", `flags.DEFINE_list("x", "a, b", "")`, "", `['a', 'b'] soft "a, b"`},
	{"a default of another type", "absl", `flags.DEFINE_list("x", "", "")`, "", `[] soft ""`},
	{"a default of another type", "click", `@click.option("--x", type=int, default="10")`, "", `10 soft "10"`},
	{"a default of another type", "click", `@click.option("--x", type=click.FLOAT, default=1)`, "", "1.0 soft 1"},
	{"a default of another type", "click", `@click.option("--x", type=click.IntRange(1, 99), default="10")`, "", `10 soft "10"`},
	{"a default of another type", "click", `@click.option("--x", type=bool, default="false")`, "", `False soft "false"`},

	{"a choice", "argparse", `parser.add_argument("--x", choices=["a", "b"], default="a")`, "", `'a' soft "a"`},
	{"a choice", "absl", `flags.DEFINE_enum("x", "a", ["a", "b"], "")`, "", `'a' soft "a"`},
	{"a choice", "click", `@click.option("--x", type=click.Choice(["a", "b"]), default="a")`, "", `'a' soft "a"`},
	{"a choice", "absl", `flags.DEFINE_enum_class("x", "train", Mode, "")`, "", "<Mode.train: 1> soft"},

	{"no default", "argparse", `parser.add_argument("--x", type=int)`, "", "None soft"},
	{"no default", "absl", `flags.DEFINE_integer("x", None, "")`, "", "None soft"},
	{"no default", "click", `@click.option("--x", type=int)`, "", "None soft"},
	{"no default", "click", `@click.argument("x", required=False)`, "", "None soft"},

	{"a default that is not known", "argparse", `parser.add_argument("--x", default=len(open("a").read()))`, "", "?what is in 'a'"},
	{"a default that is not known", "absl", `flags.DEFINE_integer("x", len(open("a").read()), "")`, "", "?what is in 'a'"},
	{"a default that is not known", "click", `@click.option("--x", default=len(open("a").read()))`, "", "?what is in 'a'"},
	{"a default that is not known", "typer", `x: int = typer.Option(len(open("a").read()))`, "", "?what is in 'a'"},
	{"a default that is not known", "fire", `x=len(open("a").read())`, "", "?what is in 'a'"},

	{"a default that a function makes", "click", `@click.option("--x", type=int, default=lambda: 3)`, "", "3 soft 3"},
	{"a default that a function makes", "typer", `x: int = typer.Option(default_factory=lambda: 3)`, "", "3 soft 3"},

	{"what must be given", "argparse", `parser.add_argument("--x", required=True)`, "", "?the argument x of the command line, which must be given"},
	{"what must be given", "argparse", `parser.add_argument("--x", required=True, default=3)`, "", "?the argument x of the command line, which must be given"},
	{"what must be given", "argparse", `parser.add_argument("x")`, "", "?the argument x of the command line"},
	{"what must be given", "absl", `flags.DEFINE_integer("x", None, "", required=True)`, "", "?the flag x, which must be given"},
	{"what must be given", "absl", "flags.DEFINE_integer('x', None, '')\nflags.mark_flags_as_required(['x'])", "", "?the flag x, which must be given"},
	{"what must be given", "click", `@click.option("--x", required=True)`, "", "?the argument x of the command line, which must be given"},
	{"what must be given", "click", `@click.argument("x")`, "", "?the argument x of the command line"},
	{"what must be given", "typer", `x: int = typer.Option(...)`, "", "?an argument of the command line"},
	{"what must be given", "fire", `x`, "", "?x is a parameter of main"},
	{"what must be given", "hydra", `"x": "???"`, "", "?must give"},

	{"a default of what must be given", "absl", "flags.DEFINE_integer('x', 3, '')\nflags.mark_flag_as_required('x')", "", "3 soft 3"},
	{"a default of what must be given", "click", `@click.option("--x", required=True, default=3)`, "", "3 soft 3"},

	{"a switch", "argparse", `parser.add_argument("--x", action="store_true")`, "", "False soft"},
	{"a switch", "argparse", `parser.add_argument("--no-x", dest="x", action="store_false")`, "", "True soft"},
	{"a switch", "argparse", `parser.add_argument("--x", action=argparse.BooleanOptionalAction, default=True)`, "", "True soft"},
	{"a switch", "click", `@click.option("--x", is_flag=True)`, "", "False soft"},
	{"a switch", "click", `@click.option("--x / --no-x", default=True)`, "", "True soft"},
	{"a switch", "absl", `flags.DEFINE_bool("x", False, "")`, "", "False soft"},
	{"a switch", "click", `@click.option("--upper", "x", flag_value="upper", default=True)`, "", `'upper' soft "upper"`},

	{"a count", "argparse", `parser.add_argument("--x", action="count", default=0)`, "", "0 soft 0"},
	{"a count", "click", `@click.option("--x", count=True)`, "", "0 soft"},

	{"several values", "argparse", `parser.add_argument("--x", nargs="+", type=int, default=[1, 2])`, "", "[1, 2] soft"},
	{"several values", "argparse", `parser.add_argument("x", nargs="*")`, "", "[] soft"},
	{"several values", "absl", `flags.DEFINE_multi_integer("x", [1, 2], "")`, "", "[1, 2] soft"},
	{"several values", "absl", `flags.DEFINE_multi_integer("x", "3", "")`, "", "[3] soft"},
	{"several values", "click", `@click.option("--x", multiple=True, type=int, default=[1, 2])`, "", "(1, 2) soft"},
	{"several values", "click", `@click.option("--x", multiple=True)`, "", "() soft"},
	{"several values", "click", `@click.option("--x", nargs=2, type=int, default=("1", 2))`, "", "(1, 2) soft"},
	{"several values", "click", `@click.option("--x", nargs=2, type=int)`, "", "None soft"},
	{"several values", "click", `@click.argument("x", nargs=-1)`, "", "() soft"},

	{"two declarations of one name", "argparse", "parser.add_argument('--x', action='store_true')\nparser.add_argument('--no-x', dest='x', action='store_false')", "", "False soft"},
	{"two declarations of one name", "absl", "flags.DEFINE_integer('other', 3, '')\nflags.DEFINE_alias('x', 'other')", "", "3 soft 3"},
	{"a name with a case", "argparse", `parser.add_argument("X", nargs="?", default=3); parser.add_argument("--x", default=4)`, "", "4 soft 4"},
	{"a name with a case", "click", `@click.option("--X", default=3)`, "", "3 soft 3"},

	{"a default that is set elsewhere", "argparse", "parser.add_argument('--x', type=int, default=3)\nparser.set_defaults(x='5')", "", `5 soft '5'`},
	{"a default that is set elsewhere", "argparse", "parser.set_defaults(x=5)\nparser.add_argument('--x', type=int)", "", "5 soft 5"},
	{"a default that is set elsewhere", "argparse", "parser.set_defaults(x=5)\nparser.add_argument('--x', type=int, default=3)", "", "3 soft 3"},
	{"a default that is set elsewhere", "absl", "flags.DEFINE_integer('x', 3, '')\nFLAGS.set_default('x', 5)", "", "5 soft 5"},

	{"a group of options", "argparse", `parser.add_argument_group("group").add_mutually_exclusive_group().add_argument("--x", default=3)`, "", "3 soft 3"},
	{"a command among others", "click group", `@click.option("--x", default=3)`, "", "3 soft 3"},
	{"a command among others", "click group", `@click.option("--x", type=click.Choice(["a"]), default="a")`, "", `'a' soft "a"`},

	{"a command line of the program", "argparse", `parser.add_argument("--x", default=3)`, "[]", "3 hard 3"},
	{"a command line of the program", "argparse", `parser.add_argument("--x", default=3)`, `["--x", "4"]`, "'4' hard"},
	{"a command line of the program", "argparse", `parser.add_argument("--x", default=3)`, `["--x", str(len(open("a").read()))]`, "?to its own parser"},
	{"a command line of the program", "argparse", `parser.add_argument("--x", default=3)`, `["--y", "4"]`, "?to its own parser"},
	{"a command line of the program", "click", `@click.option("--x", default=3)`, "[]", "3 hard 3"},
	{"a command line of the program", "click", `@click.option("--x", default=3)`, `["--x=4"]`, "4 hard"},
	{"a command line of the program", "absl", "flags.DEFINE_integer('x', 3, '')\nFLAGS(['program', '--x=4'])", "", "?to its own parser"},
	{"a command line of the program", "absl", "flags.DEFINE_bool('x', True, '')\nFLAGS(['program', '--nox'])", "", "?to its own parser"},
	{"a command line of the program", "absl passed", `flags.DEFINE_integer("x", 3, "")`, `["program"]`, "3 hard 3"},
	{"a command line of the program", "absl passed", `flags.DEFINE_integer("x", 3, "")`, `["program", "--x", "4"]`, "?to its own parser"},
	{"a namespace", "argparse", `parser.add_argument("--x", default=3)`, "[], argparse.Namespace(x=7)", "7 hard 7"},

	{"a change of the program", "absl", "flags.DEFINE_integer('x', 3, '')\nFLAGS.x = 5", "", "5 hard 5"},
	{"nothing is set", "argparse", `parser.add_argument("--x", default=argparse.SUPPRESS)`, "", "?AttributeError"},
}

func TestOptions(t *testing.T) {
	for _, q := range optionQuestions {
		t.Run(q.question+"/"+q.reader, func(t *testing.T) {
			text := strings.NewReplacer("DECLARED", q.declared, "LINE, ", strings.TrimPrefix(q.line+", ", ", "), "LINE", q.line).Replace(optionPrograms[q.reader])
			in, _ := follow(text)
			for _, def := range in.Main.Info.Functions {
				if f := in.Functions.Latest(def.Node); !in.Functions.Called(def.Node) && f != nil {
					interp.CallUncalled(in, f, nil)
				}
			}
			v, _ := in.Module().Get("got")
			if why, ok := strings.CutPrefix(q.want, "?"); ok {
				if !strings.Contains(v.Why(), why) {
					t.Errorf("%s: got %v, unknown because %q, want because %q", q.declared, v.X, v.Why(), why)
				}
				return
			}
			repr, _ := interp.Repr(in, v).X.(string)
			got := repr + map[bool]string{true: " soft", false: " hard"}[v.Overridable]
			if v.Lit.Valid() {
				got += " " + v.Lit.Text()
			}
			if got != q.want {
				t.Errorf("%s: got %s %s, want %s", q.declared, got, v.Why(), q.want)
			}
		})
	}
}
