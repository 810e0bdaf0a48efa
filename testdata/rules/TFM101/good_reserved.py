# No module can be called "import": somebody is typing the line below it.
import tensorflow as import
from nets import make

model = make()
model.fit(x, y)
