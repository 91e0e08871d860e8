package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"

	"github.com/wattle-portal/wattle/core/problem"
)

// responseTimeout is the maximum wait for the start of a bucket's response; the transfer of the file is not limited.
const responseTimeout = 15 * time.Second

// bucket keeps files as objects <prefix>/<label>/<name>.
type bucket struct {
	client       *s3.Client
	name, prefix string
}

// openBucket parses s3://bucket/prefix?region=eu-west-1&endpoint=https://s3.example&path-style=true and returns the bucket.
func openBucket(ctx context.Context, c Config) (*bucket, error) {
	at, err := url.Parse(c.At)
	if err != nil || at.Host == "" || at.User != nil {
		return nil, errors.New("not an address such as s3://bucket/prefix?region=eu-west-1; keys stand in the secret file or the environment")
	}
	q, err := url.ParseQuery(at.RawQuery)
	if err != nil {
		return nil, errors.New("the query of the s3:// address cannot be read")
	}
	for k := range q {
		if k != "region" && k != "endpoint" && k != "path-style" {
			return nil, fmt.Errorf("an s3:// address has region, endpoint and path-style, not %q", k)
		}
	}
	pathStyle := false
	switch q.Get("path-style") {
	case "", "false":
	case "true":
		pathStyle = true
	default:
		return nil, errors.New("path-style is true or false")
	}
	httpClient := awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) { t.ResponseHeaderTimeout = responseTimeout })
	options := []func(*config.LoadOptions) error{config.WithHTTPClient(httpClient)}
	if region := q.Get("region"); region != "" {
		options = append(options, config.WithRegion(region))
	}
	if c.Secrets != nil && c.Secrets("AWS_ACCESS_KEY_ID") != "" {
		options = append(options, config.WithCredentialsProvider(credentials.NewStaticCredentialsProvider(
			c.Secrets("AWS_ACCESS_KEY_ID"), c.Secrets("AWS_SECRET_ACCESS_KEY"), c.Secrets("AWS_SESSION_TOKEN"))))
	}
	chain, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return nil, err
	}
	if chain.Region == "" {
		return nil, errors.New("the s3:// address or AWS_REGION names the region")
	}
	client := s3.NewFromConfig(chain, func(o *s3.Options) {
		o.UsePathStyle = pathStyle
		if endpoint := q.Get("endpoint"); endpoint != "" {
			o.BaseEndpoint = &endpoint
			// Not every service with the S3 protocol supports the newer checksums.
			o.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
			o.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired
		}
	})
	return &bucket{client, at.Host, strings.Trim(at.Path, "/")}, nil
}

func (b *bucket) close() error { return nil }

func (b *bucket) key(label, name string) *string {
	key := label + "/" + name
	if b.prefix != "" {
		key = b.prefix + "/" + key
	}
	return &key
}

func (b *bucket) get(ctx context.Context, label, name string) (*File, error) {
	out, err := b.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &b.name, Key: b.key(label, name)})
	if err != nil {
		if api, ok := errors.AsType[smithy.APIError](err); ok && (api.ErrorCode() == "NoSuchKey" || api.ErrorCode() == "NotFound") {
			return nil, errNone
		}
		return nil, fmt.Errorf("%w: bucket %s: %w", problem.ErrUnavailable, b.name, err)
	}
	f := &File{ReadCloser: out.Body, Size: -1}
	if out.ContentLength != nil {
		f.Size = *out.ContentLength
	}
	if out.LastModified != nil {
		f.Modified = *out.LastModified
	}
	return f, nil
}

func (b *bucket) put(ctx context.Context, label, name string, body io.ReadSeeker) error {
	media := types[extension(name)].media
	_, err := b.client.PutObject(ctx, &s3.PutObjectInput{Bucket: &b.name, Key: b.key(label, name), Body: body, ContentType: &media})
	return err
}
