package files

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
)

// folder stores files as <folder>/<label>/<name>. It uses os.Root, so that neither a name nor a symbolic link can lead out of the label's
// folder.
type folder struct{ root *os.Root }

func openFolder(dir string) (*folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	return &folder{root}, err
}

func (f *folder) close() error { return f.root.Close() }

func (f *folder) get(_ context.Context, label, name string) (*File, error) {
	own, err := f.root.OpenRoot(label)
	if err != nil {
		return nil, missing(err)
	}
	defer func() { _ = own.Close() }() // open only for reading
	// Opening a pipe would block until another process writes to it.
	info, err := own.Stat(name)
	if err != nil {
		return nil, missing(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errNone
	}
	file, err := own.Open(name)
	if err != nil {
		return nil, missing(err)
	}
	if info, err = file.Stat(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &File{ReadCloser: file, Size: info.Size(), Modified: info.ModTime()}, nil
}

func (f *folder) put(_ context.Context, label, name string, body io.ReadSeeker) (err error) {
	if err := f.root.MkdirAll(label, 0o700); err != nil {
		return err
	}
	own, err := f.root.OpenRoot(label)
	if err != nil {
		return err
	}
	defer func() { _ = own.Close() }()
	if dir := path.Dir(name); dir != "." {
		if err := own.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	// No valid name begins with a dot, so an unfinished file cannot be requested.
	part := path.Join(path.Dir(name), ".part-"+rand.Text())
	file, err := own.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = own.Remove(part)
		}
	}()
	_, err = io.Copy(file, body)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return own.Rename(part, name)
}

// missing returns errNone for a file that does not exist, or for a path that is not a file.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return errNone
	}
	return err
}
