# no python: it wants python-dotenv (held against python-dotenv 1.2.4)
import os

from dotenv import dotenv_values, load_dotenv

HERE = os.path.dirname(__file__)
os.environ["TAG"] = "own"
all = dotenv_values(os.path.join(HERE, "data/train.env"))
before = os.environ.get("UNITS", "8")  # value: '8' # soft
some = load_dotenv(os.path.join(HERE, "data/train.env"))  # value: True
batch = int(os.getenv("BATCH_SIZE", "32"))  # value: 512 # soft
rate = float(os.environ["RATE"])  # value: 0.001 # soft
units = os.environ["UNITS"]  # value: '128'
name = os.environ["NAME"]  # value: 'é'
tag = os.environ["TAG"]  # value: 'own'
of_file = all["TAG"]  # value: 'a#b'
empty = os.environ["EMPTY"]  # value: ''
words = os.environ["WORDS"]  # value: 'a b c'
both = os.environ["T"]  # value: '1=2'
root = os.environ["ROOT"]  # unknown: of other variables
single = os.environ["SINGLE"]  # unknown: of other variables
load_dotenv(os.path.join(HERE, "data/train.env"), override=True)
tag_now = os.environ["TAG"]  # value: 'a#b'
lines = dotenv_values(os.path.join(HERE, "data/lines.env"))  # unknown: what is in a .env
