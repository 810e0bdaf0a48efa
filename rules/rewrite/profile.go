package rewrite

// ProfileLoop runs the profiler around training.
var ProfileLoop = &Rewrite{
	Name:  "profile-loop",
	Title: "Profile this with tf.profiler.experimental.Profile",
	What: `
Puts the loop that trains, or the call of fit, evaluate or predict, into "with
tf.profiler.experimental.Profile". "tensorboard --logdir logs" then shows the
memory profile under Profile: what was allocated when, and by which operation.`,
	Changes: `
The results stay the same. The profiler keeps its events in host memory until the
end, and slows training down: profile a few hundred steps, not a whole training.
It needs TensorFlow 2.2 or newer.`,
	Before: `
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(x, y, steps_per_epoch=20)` + Here,
	After: `
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
with tf.profiler.experimental.Profile("logs"):
    model.fit(x, y, steps_per_epoch=20)`,
	Triggers: []string{"fit", "evaluate", "predict", "train_on_batch", "apply"},
	Check:    checkProfile,
}

func checkProfile(p *Place) (Change, error) {
	s, err := p.work()
	if err != nil {
		return Change{}, err
	}
	tf, edits, err := p.tensorflow(s)
	if err != nil {
		return Change{}, err
	}
	moved, err := p.indented(s, s)
	if err != nil {
		return Change{}, err
	}
	q := p.Quote()
	edits = append(edits, p.insertBefore(s, "with "+tf+".profiler.experimental.Profile("+q+"logs"+q+"):"))
	return Change{Edits: append(edits, moved...)}, nil
}
