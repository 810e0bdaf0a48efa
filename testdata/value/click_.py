# no python: click may not be there
import click
import fire

seen = []


@click.command()
@click.option("--batch-size", "-b", default=32, show_default=True, help="Size.")
@click.option("--name", "run_name", type=str, default="run")
@click.option("--fast/--slow", default=True)
@click.option("--verbose", is_flag=True)
@click.option("--seed", type=int)
@click.argument("path")
def main(batch_size, run_name, fast, verbose, seed, path):
    seen.append((batch_size, run_name, fast, verbose, seed))
    seen.append(path)


def other(size=5, *, depth):
    seen.append(size)
    seen.append(depth)


if __name__ == "__main__":
    main()
    fire.Fire(other)

a = seen[0]  # value: (32, 'run', True, False, None)
b = seen[0][0]  # lit: 32 # soft
c = seen[1]  # unknown: the argument path
d = seen[2]  # value: 5 # soft
e = seen[3]  # unknown: depth is a parameter of other
