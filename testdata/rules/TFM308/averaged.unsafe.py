import numpy
import tensorflow as tf
model = tf.keras.models.load_model('m.h5')

def future(data, n, steps=3):
    inp = data[-3:]
    results = []
    for num in range(n):
        result_results = []
        for i in range(10):
            x_input = numpy.array(inp).reshape((1, steps, 1))
            y_hat = model.predict_on_batch(x_input)  # want "single example in every loop iteration"
            result_results.append(y_hat[0][0])
        avg_result = sum(result_results) / len(result_results)
        inp.append(avg_result)
        inp = inp[1:]
        results.append(avg_result)
    return results
