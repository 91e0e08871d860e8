package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"aead.dev/minisign"
)

// signingKey signs a release with minisign (https://jedisct1.github.io/minisign/).
type signingKey struct{ private minisign.PrivateKey }

// readKey returns the key in RELEASE_KEY (its text) or RELEASE_KEY_FILE, decrypted with RELEASE_KEY_PASSWORD if necessary; nil without
// either.
func readKey(lookup func(string) (string, bool)) (*signingKey, error) {
	text, given := lookup("RELEASE_KEY")
	if file, named := lookup("RELEASE_KEY_FILE"); named && file != "" {
		if given && text != "" {
			return nil, errors.New("release: RELEASE_KEY and RELEASE_KEY_FILE are both set")
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("release: RELEASE_KEY_FILE: %w", err)
		}
		text = string(raw)
	}
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	k := &signingKey{}
	password, _ := lookup("RELEASE_KEY_PASSWORD")
	var err error
	if minisign.IsEncrypted([]byte(text)) {
		k.private, err = minisign.DecryptKey(password, []byte(text))
	} else {
		err = k.private.UnmarshalText([]byte(text))
	}
	if err != nil {
		return nil, fmt.Errorf("release: RELEASE_KEY is not a minisign key, or its password is wrong: %w", err)
	}
	return k, nil
}

func (k *signingKey) public() minisign.PublicKey {
	return k.private.Public().(minisign.PublicKey) // Public returns this type
}

// description describes how a release is signed.
func (k *signingKey) description() string {
	if k == nil {
		return "unsigned"
	}
	return fmt.Sprintf("signed with minisign key %016X", k.public().ID())
}

const sumsFile = "SHA256SUMS"

// signatureFiles are not in the list of checksums, because they contain or verify it.
var signatureFiles = []string{sumsFile, sumsFile + ".minisig", "wattle.pub"}

// checksums writes SHA256SUMS for all files in the folder, and signs it if there is a key.
func (r *release) checksums() error {
	var list bytes.Buffer
	err := filepath.WalkDir(r.out, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(r.out, file)
		if err != nil {
			return err
		}
		for _, own := range signatureFiles {
			if name == own {
				return os.Remove(file)
			}
		}
		sum, err := checksum(file)
		fmt.Fprintf(&list, "%s  %s\n", sum, filepath.ToSlash(name))
		return err
	})
	if err != nil {
		return err
	}
	if err := r.put(sumsFile, list.Bytes()); err != nil || r.key == nil {
		return err
	}
	public, err := r.key.public().MarshalText()
	if err != nil {
		return err
	}
	comment := fmt.Sprintf("wattle %s\tfile:%s", r.version, sumsFile)
	signature := minisign.SignWithComments(r.key.private, list.Bytes(), comment, "signature of "+sumsFile)
	return errors.Join(r.put(sumsFile+".minisig", signature), r.put("wattle.pub", append(public, '\n')))
}

// checksum returns the SHA-256 of a file in hexadecimal.
func checksum(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, bufio.NewReader(f)); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}
