// Package fields reads fields that several kinds of records share. The rules for input from members do not apply to them.
package fields

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
)

// Bools lists the values of a boolean field in a record.
var Bools = []string{"true", "false"}

// Identifier matches identifiers that may appear in paths and file names.
var Identifier = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// Reading reads the fields of a record and collects what is wrong with them.
type Reading struct{ record.Reading }

// Read starts reading a record into a struct of record.Loose fields; ok is false when the record does not fit the struct.
func Read(row record.Row, in any) (c Reading, ok bool) {
	r, ok := record.Read(row, in)
	return Reading{r}, ok
}

// ID reads an identifier.
func (c Reading) ID(field string, v record.Loose) string {
	s := c.Required(field, v)
	if s != "" && !Identifier.MatchString(s) {
		c.Refuse(field, problem.CodeInvalid)
	}
	return s
}

// Link reads a URL that the browser is allowed to open.
func (c Reading) Link(field string, v record.Loose) string {
	s := v.Text()
	if s != "" && !strings.HasPrefix(s, "https://") && !strings.HasPrefix(s, "/") {
		c.Refuse(field, problem.CodeInvalid)
	}
	return s
}

// Cents reads a non-negative amount of money.
func (c Reading) Cents(field string, v record.Loose) value.Cents {
	if c.Required(field, v) == "" {
		return 0
	}
	amount, err := value.ParseCents(v.Text())
	if err != nil || amount < 0 {
		c.Refuse(field, problem.CodeInvalid)
	}
	return amount
}

// Count reads a whole number of at most nine digits.
func (c Reading) Count(field string, v record.Loose) int64 {
	s := c.Required(field, v)
	if s == "" {
		return 0
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || len(s) > 9 {
		c.Refuse(field, problem.CodeInvalid)
	}
	return n
}

// Bool reads a boolean; false when it is absent.
func (c Reading) Bool(field string, v record.Loose) bool {
	if v.Text() == "" {
		return false
	}
	b, err := strconv.ParseBool(v.Text())
	if err != nil {
		c.Refuse(field, problem.CodeInvalid)
	}
	return b
}
