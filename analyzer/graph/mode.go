package graph

// A Mode is how a layer or a model is called: to train or to predict. Prediction leaves out
// dropout and normalizes by recorded statistics. A layer without an explicit mode is called in
// the mode of its caller (keras/src/layers/layer.py, CallContext). At the outermost level, fit
// tells its model that it trains (keras/src/backend/tensorflow/trainer.py, train_step), and a
// step that calls model(x) predicts.
type Mode uint8

const (
	UnsaidMode Mode = iota
	TrainingMode
	PredictionMode
)

// in makes a graph add operations in the mode of a call.
func (m Mode) in(g *Graph, n *Node) (leave func()) {
	outer := g.Mode
	if n.IsOperation() {
		g.Mode = TrainingMode // TensorFlow's functions do what their arguments say
	} else if m != UnsaidMode {
		g.Mode = m
	}
	return func() { g.Mode = outer }
}
