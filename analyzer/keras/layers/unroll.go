package layers

import "github.com/tfmem/tfmem/analyzer/graph"

// perIteration is how many numbers a recurrent layer's loop keeps per iteration and example.
type perIteration struct {
	// stays lives until the gradient has run.
	stays int64
	// passes lives until the loop has run: it is in a list that no gradient reads.
	passes int64
	// compares lives until the gradient has computed masks from it, which needs no incoming
	// gradient.
	compares int64
	// makes is what the gradient also computes before an iteration's gradient arrives.
	makes int64
}

func (t perIteration) plus(o perIteration) perIteration {
	return perIteration{t.stays + o.stays, t.passes + o.passes, t.compares + o.compares, t.makes + o.makes}
}

func (t perIteration) times(n int64) perIteration {
	return perIteration{t.stays * n, t.passes * n, t.compares * n, t.makes * n}
}

// iterationsAhead is how many iterations of a loop run ahead of what they wait for:
// parallel_iterations of keras/src/backend/tensorflow/rnn.py and tf_keras/src/backend.py, rnn,
// which while_v2 also uses for the loop of the gradient.
const iterationsAhead = 32

// keepsIterations makes the operation a loop of so many iterations, each of which keeps so many bytes
// per example.
func keepsIterations(op *graph.Op, t perIteration, iterations, batch, size int64) {
	ahead := min(iterations, iterationsAhead)
	op.Extra = append(op.Extra, graph.Round256((t.stays*iterations+t.compares*(iterations-ahead))*batch*size))
	op.ForwardTemp += t.passes * iterations * batch * size
	op.SpillBytes = t.compares * ahead * batch * size
	op.SpillUntil = (t.compares + t.makes*size) * ahead * batch // a mask is a byte for each number
}

// gates returns what a step keeps of its recurrent activation beside its result, which the
// products with it keep. tanhs is how many gates are multiplied with the result of an activation;
// that activation's own gradient reads the result, too.
func (a act) gates(n, tanhs int64, keras2 bool) perIteration {
	switch {
	case a.name != "hard_sigmoid":
		return perIteration{}
	case keras2:
		// clip_by_value(0.2 x + 0.5) of tf_keras/src/backend.py. The gradients of Minimum and
		// Maximum compare their inputs. The gradient of the product also covers the 0.2
		// (tensorflow/python/ops/math_grad.py, _MaximumMinimumGrad and _MulGrad), until Grappler
		// drops it: x is in a list that nothing reads.
		return perIteration{passes: n, compares: 2 * n}
	}
	// relu6(x + 3) / 6 of keras/src/backend/tensorflow/nn.py. The gradient of relu6 reads its
	// result. Grappler pushes the 6 into the product with the gradient, and what that computes of
	// a gate's factor waits. It overwrites the factor if nothing else reads that.
	return perIteration{stays: n, makes: tanhs}
}
