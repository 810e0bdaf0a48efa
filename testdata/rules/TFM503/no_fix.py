# A string that goes over several lines, and a loop of one line, are left alone.
import tensorflow as tf

for batch in batches:
    @tf.function  # want "loop on line 4"
    def fine(x):
        return """one
two"""

    fine(batch)
for batch in batches: twice = tf.function(print); twice(batch)  # want "loop on line 11"
