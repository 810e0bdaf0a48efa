# The process's environment, by all that sets it.
import os
from os import environ, putenv

os.environ["A"] = "1"
environ["B"] = value
os.environ.setdefault("C", "3")
os.environ.update({"D": "4", "E": str(5)}, F="6")
os.environ.update(dict(G="7"))
putenv("H", "8")
os.environ["I"] += "9"
os.environ["J"] = os.environ["K"] = "10"
os.environ[name] = "11"
os.environ["L"]: str = "12"
os.environ["M"], x = "13", 14
os.environ["N"] = "a\tb"
other["O"] = "15"
if os.environ["P"] == "16":
    os.environ["Q"] = ""
print(os.environ["R"])
get_ipython().run_line_magic("env", " S=17")
get_ipython().run_line_magic("set_env", "T 1 8")
get_ipython().run_line_magic("env", "U=$x")
get_ipython().run_line_magic("env", "V")
get_ipython().run_line_magic("load_ext", "W=19")
