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
	"time"
)

// asOwner makes a command run as the owner of the data folder when this process is root, so that the owner keeps all files in the folder,
// and PostgreSQL recognizes the user.
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

// released is how long alone waits for a lock: a child of a killed upgrade keeps the file open until the child's program runs.
const released = 3 * time.Second

// alone takes a lock that ends when release is called or this process ends.
func alone(file string) (release func(), err error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(released); ; time.Sleep(50 * time.Millisecond) {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) || time.Now().After(end) {
			break
		}
	}
	if err != nil {
		_ = f.Close() // nothing was written
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = errors.New("another `wattle upgrade` of this program is running: wait for it")
		}
		return nil, fmt.Errorf("upgrade: %w", err)
	}
	return func() {
		_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) // closing is not enough: a child keeps the file open until its program runs
		_ = f.Close()
	}, nil
}

func terminate(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
