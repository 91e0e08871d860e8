//go:build unix

package upgrade

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// asOwner makes a command run as the user of the data folder when this process is root, so that everything in the folder stays theirs,
// and PostgreSQL knows the user.
func asOwner(cmd *exec.Cmd, data string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := os.Stat(data)
	if err != nil {
		return err
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok || s.Uid == 0 {
		return nil
	}
	as := &syscall.Credential{Uid: s.Uid, Gid: s.Gid}
	if u, err := user.LookupId(strconv.Itoa(int(s.Uid))); err == nil {
		groups, err := u.GroupIds()
		if err != nil {
			return err
		}
		for _, g := range groups {
			if n, err := strconv.ParseUint(g, 10, 32); err == nil {
				as.Groups = append(as.Groups, uint32(n))
			}
		}
		if n, err := strconv.ParseUint(u.Gid, 10, 32); err == nil {
			as.Gid = uint32(n)
		}
		cmd.Env = append(cmd.Env, "HOME="+u.HomeDir, "USER="+u.Username, "LOGNAME="+u.Username)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	return nil
}

// alone takes a lock that ends with this process.
func alone(file string) (release func(), err error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close() // nothing was written
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = errors.New("another `wattle upgrade` of this program is running: wait for it")
		}
		return nil, fmt.Errorf("upgrade: %w", err)
	}
	return func() { _ = f.Close() }, nil
}

func terminate(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
