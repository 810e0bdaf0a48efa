# The lines of a string stay where they are, and a loop of one line is left alone.
import tensorflow as tf

for batch in batches:
    @tf.function  # want "This tf\.function is created, and therefore retraced, in every loop iteration\. The loop is on line 4\. A new function has no trace, so fine is traced each time instead of once\. Create it before the loop\.$"
    def fine(x):
        return """one
two"""

    fine(batch)
for batch in batches: twice = tf.function(print); twice(batch)  # want "This tf\.function is created, and therefore retraced, in every loop iteration\. The loop is on line 11\. A new function has no trace, so print is traced each time instead of once\. Create it before the loop\.$"
