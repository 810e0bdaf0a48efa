from tensorflow import GradientTape

for step in range(10):
    with GradientTape(True) as t:  # want "persistent tape t keeps"
        loss = forward(step)
    for v in variables:
        v.assign_sub(t.gradient(loss, v))
    evaluate(step)
