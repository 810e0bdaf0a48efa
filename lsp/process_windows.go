package lsp

import "syscall"

// processExists reports whether a process with the id exists. A process that may not be opened
// exists.
func processExists(pid int) bool {
	const synchronize = 0x00100000 // the right to wait for it
	h, err := syscall.OpenProcess(synchronize, false, uint32(pid))
	if err != nil {
		return err == syscall.ERROR_ACCESS_DENIED
	}
	defer syscall.CloseHandle(h)
	event, err := syscall.WaitForSingleObject(h, 0)
	return err != nil || event == syscall.WAIT_TIMEOUT
}
