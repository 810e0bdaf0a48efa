"""What compile and fit of another library do is not known."""
import tensorflow as tf
from lab.agents import make_agent

agent = make_agent(tf.__version__)
agent.compile("adam", metrics=["mae"])
agent.fit(environment, steps=1000)
