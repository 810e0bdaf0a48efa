# What the calls that run a session fetch; a question mark before what runs in a session that may be
# another object.
import tensorflow as tf

sess = tf.Session()
print(sess.run(loss))  # runs: loss
print(sess.run([loss, train_op]))  # runs: [loss, train_op]
print(sess.run(fetches=loss))  # runs: loss
print(loss.eval())  # runs: ?loss
print(loss.eval(session=sess))  # runs: ?loss
print(tf.keras.backend.eval(loss))  # runs:
print(app.run(loss))  # runs: ?loss
with tf.train.MonitoredTrainingSession() as trained:
    print(trained.run(loss))  # runs: loss


class Trainer:
    def __init__(self):
        self.session = tf.Session()

    def run(self, what):
        print(self.session.run(what))  # runs: what


print(Trainer().run(loss))  # runs:
