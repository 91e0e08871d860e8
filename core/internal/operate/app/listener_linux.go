package app

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// dropNew makes the kernel drop segments that request a new connection to a listening socket (SYN without ACK, in byte 13 of the TCP
// header). Pending handshakes complete.
func dropNew(c syscall.RawConn) error {
	const syn, synAck = 0x02, 0x12
	program := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: 13},
		{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: synAck},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: syn},
		{Code: unix.BPF_RET | unix.BPF_K, K: 0},
		{Code: unix.BPF_RET | unix.BPF_K, K: 0xffffffff},
	}
	var err error
	if outer := c.Control(func(fd uintptr) {
		err = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER,
			&unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]})
	}); outer != nil {
		return outer
	}
	return err
}

// hasWaiting reports whether there are connections in the accept queue of a listening socket.
func hasWaiting(c syscall.RawConn) (some bool) {
	_ = c.Control(func(fd uintptr) {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
		some = err == nil && n > 0
	})
	return some
}
