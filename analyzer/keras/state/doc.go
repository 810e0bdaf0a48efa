// Package state holds what the evaluation of a program shares: the settings of Keras, the dtype
// policy, the counters of names, the strategies in scope, the training step that is being recorded,
// and the program that results.
//
// It also names the functions that answer for a library (Owner, Function), so that each package of
// keras can list its own. It answers for no name itself but settings and policies, and knows
// graph, arrays and library.
package state
