# no python: typer may not be there
from typing import Annotated

import typer

app = typer.Typer()
seen = []


def train(path: str = typer.Argument(...), batch_size: int = typer.Option(64, help="Size."), width: int = typer.Option(default=8), depth: Annotated[int, typer.Option()] = 3):
    seen.append((batch_size, width, depth))
    seen.append(path)


if __name__ == "__main__":
    typer.run(train)

a = seen[0]  # value: (64, 8, 3)
b = seen[0][0]  # lit: 64 # soft
c = seen[1]  # unknown: an argument of the command line
