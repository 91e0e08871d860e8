package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/wattle-portal/wattle/core/problem"
)

// Entry is a file in the list of the store.
type Entry struct {
	Name     string    `json:"name"` // label/name
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
}

// List calls each for every file of all labels, ordered by name. It stops at the first error that each returns, and returns that error.
func (s *Store) List(ctx context.Context, each func(Entry) error) error {
	if err := s.list(ctx, each); err != nil {
		return fmt.Errorf("files: %w", err)
	}
	return nil
}

func (f *folder) list(ctx context.Context, each func(Entry) error) error {
	return fs.WalkDir(f.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.Type().IsRegular() || strings.HasPrefix(d.Name(), ".") { // a file that is being written begins with a dot
			return ctx.Err()
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) { // removed in the meantime
			return nil
		}
		if err != nil {
			return err
		}
		return each(Entry{name, info.Size(), info.ModTime().UTC()})
	})
}

func (b *bucket) list(ctx context.Context, each func(Entry) error) error {
	in := &s3.ListObjectsV2Input{Bucket: &b.name}
	if b.prefix != "" {
		in.Prefix = aws.String(b.prefix + "/")
	}
	for pages := s3.NewListObjectsV2Paginator(b.client, in); pages.HasMorePages(); {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("%w: bucket %s: %w", problem.ErrUnavailable, b.name, err)
		}
		for _, o := range page.Contents {
			e := Entry{Name: strings.TrimPrefix(aws.ToString(o.Key), aws.ToString(in.Prefix)), Size: aws.ToInt64(o.Size),
				Modified: aws.ToTime(o.LastModified).UTC()}
			if err := each(e); err != nil {
				return err
			}
		}
	}
	return nil
}
