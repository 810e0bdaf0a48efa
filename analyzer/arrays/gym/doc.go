// Package gym models the environments of Gymnasium: the spaces of their observations and actions.
// It knows numpy.
package gym
