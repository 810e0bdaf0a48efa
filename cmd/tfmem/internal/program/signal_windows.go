package program

import "os"

// Ending are the signals that ask a program to end.
var Ending = []os.Signal{os.Interrupt}

// onTerminal says that the console sends the program the signals of its keys.
func onTerminal() bool { return true }

// EndLike does nothing: no signals end processes.
func EndLike(*os.ProcessState) {}

// ask ends processes: Windows has no signal that asks them to.
func ask(pids map[int]bool) { kill(pids) }
