# A method's name may say enough where its object is not known, or of a class of
# which nothing is.
import types_of_project as types
from typing import Optional


def train(optimizer, typed: types.Optimizer, maybe: Optional[types.Optimizer] = None):
    optimizer.apply_gradients([])
    typed.apply_gradients([])
    maybe.apply_gradients([])
    types.apply_gradients([])


train(1, 2)
