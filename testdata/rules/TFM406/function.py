"""In a function the tape is freed on return: no del is needed."""
from tensorflow import GradientTape


def gradients(x):
    with GradientTape(watch_accessed_variables=False) as t:
        t.watch(x)
        y = model(x)
    return t.gradient(y, x), t.jacobian(y, x)  # want "A second gradient request to the tape t fails\. It is not persistent and was consumed on line 9, so this call raises RuntimeError: A non-persistent GradientTape can only be used to compute one set of gradients \(or jacobians\)\.$"


def positional(x):
    with GradientTape(False) as t:
        y = model(x)
    dy = t.batch_jacobian(y, x)
    return dy, t.batch_jacobian(y, x)  # want "can only be used tocompute one set"


def keyword(x):
    with GradientTape(persistent=False) as t:
        y = model(x)
        dy = t.gradient(y, x)
        dz = t.gradient(dy, x)  # want "was consumed on line 22"
    return dz
