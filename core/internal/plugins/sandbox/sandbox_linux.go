package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// checkSupport returns an error of one sentence if this system cannot provide a sandbox.
func checkSupport(s Sandbox) error {
	if s.HasUser() && os.Geteuid() != 0 {
		return fmt.Errorf("%s gives it user %s, and only a portal that runs as root can start a process of another user", GrantsFile, s.User)
	}
	return nil
}

// Explain turns an error of starting a process into one sentence if the system does not provide what its sandbox needs. The kernel, a
// container and the distribution can each prevent that, so it is only known when the process is started.
func (s Sandbox) Explain(err error) error {
	for _, refused := range []error{syscall.EPERM, syscall.EACCES, syscall.ENOSPC, syscall.EINVAL, syscall.EUSERS} {
		if s.NoNetwork && errors.Is(err, refused) {
			return fmt.Errorf("%s gives it no network, and this system does not let the portal start a process without one: that needs user namespaces, or a portal that runs as root (%w)", GrantsFile, refused)
		}
	}
	return err
}

// attributes returns the attributes with which a plugin's process is started. If the portal is not root, it creates a network in a separate
// user namespace, in which its own user is the only one.
func attributes(s Sandbox) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{}
	if s.HasUser() {
		a.Credential = &syscall.Credential{Uid: uint32(s.uid), Gid: uint32(s.gid), Groups: []uint32{}}
	}
	if !s.NoNetwork {
		return a
	}
	a.Cloneflags = syscall.CLONE_NEWNET
	if os.Geteuid() != 0 {
		a.Cloneflags |= syscall.CLONE_NEWUSER
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
	}
	return a
}

// passes reports whether the user of the sandbox may pass through a folder.
func (s Sandbox) passes(folder fs.FileInfo) bool {
	f, ok := folder.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
		return true
	case int(f.Uid) == s.uid:
		return folder.Mode().Perm()&0o100 != 0
	case int(f.Gid) == s.gid:
		return folder.Mode().Perm()&0o010 != 0
	}
	return folder.Mode().Perm()&0o001 != 0
}

// isLinked reports whether a file has several hard links.
func isLinked(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().IsRegular() && s.Nlink > 1
}
