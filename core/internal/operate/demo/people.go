package demo

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"

	"github.com/wattle-portal/wattle/core/demodata"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
)

// Password is the password of every demo account. It satisfies the password policy of the identity service. account.ndjson of each label
// contains the same password.
const Password = "Wattle2026"

// login is a line of account.ndjson in the format that identity imports.
type login struct {
	Username  string `json:"username"`
	Email     string `json:"email"`
	Name      string `json:"name"`
	Preferred string `json:"preferred_name"`
	Debtor    string `json:"debtor_number"`
	Role      string `json:"role"`
	Password  string `json:"password"`
	Temporary string `json:"temporary_password"`
}

// person is the entry of a login in people.json: name, role and calls.
type person struct {
	Note  string `json:"note"`
	Shows string `json:"shows"`
	Calls []Call `json:"calls"`
}

// Call is a call that a customer has made.
type Call = demodata.Call

const maxAnswer = 1 << 20 // maximum bytes of a response that are read

// errNotKept is returned if an earlier call had a different response than the demo expects, or was made in an earlier run.
var errNotKept = errors.New("nothing was kept")

// keptValues contains the values that were kept from one person's calls.
type keptValues map[string]any

// in adds the placeholder {{kept "order"}}.
func (k keptValues) in(texts demodata.Texts) demodata.Texts {
	return texts.WithFuncs(template.FuncMap{"kept": func(name string) (any, error) {
		v, ok := k[name]
		if !ok {
			return nil, fmt.Errorf("%w as %s", errNotKept, name)
		}
		return v, nil
	}})
}

// keep stores the response values that the call names.
func (k keptValues) keep(c Call, answer []byte) error {
	if len(c.Keep) == 0 {
		return nil
	}
	var all any
	if err := json.Unmarshal(answer, &all); err != nil {
		return fmt.Errorf("%w: the answer of %s: %w", errNotKept, c.Path, err)
	}
	for name, path := range c.Keep {
		v := all
		for part := range strings.SplitSeq(path, ".") {
			switch in := v.(type) {
			case map[string]any:
				v = in[part]
			case []any:
				n, err := strconv.Atoi(part)
				if err != nil || n < 0 || n >= len(in) {
					return fmt.Errorf("%w: the answer of %s has no %s", errNotKept, c.Path, path)
				}
				v = in[n]
			default:
				v = nil
			}
		}
		if v == nil {
			return fmt.Errorf("%w: the answer of %s has no %s", errNotKept, c.Path, path)
		}
		k[name] = v
	}
	return nil
}

const (
	accounts   = "account"     // record kind of accounts
	peopleFile = "people.json" // names, roles and calls of the logins
	fileFolder = "files"       // contains files for the file store
)

// peopleOf returns the content of a label's people.json and account.ndjson. logins is nil if there is no account.ndjson.
func peopleOf(l *label.Label) (logins []login, people map[string]person, err error) {
	data, err := os.ReadFile(filepath.Join(l.Dir, "demo", accounts+".ndjson"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	logins = []login{}
	for d := json.NewDecoder(bytes.NewReader(data)); d.More(); {
		in := login{}
		if err := d.Decode(&in); err != nil {
			return nil, nil, fmt.Errorf("%s.ndjson: %w", accounts, err)
		}
		logins = append(logins, in)
	}
	if data, err = os.ReadFile(filepath.Join(l.Dir, "demo", peopleFile)); err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal(data, &people); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", peopleFile, err)
	}
	return logins, people, nil
}

// Login is one line of `wattle demo accounts`.
type Login struct {
	Label    string `json:"label"`
	Host     string `json:"host"`
	Username string `json:"username"`
	Password string `json:"password"`
	Role     string `json:"role" enum:"customer,member,staff,impersonator,operator"`
	Name     string `json:"name"`
	Note     string `json:"note" doc:"Content of the account, in Dutch"`
	Shows    string `json:"shows" enum:"everyday,solar,shares,company,shared,new,ended,staff" doc:"What the account demonstrates best: an ordinary household, solar panels, shares and the market, a company, a contract or address of two people, a temporary password, an ended contract, the work of staff"`
	// Temporary means that the first sign-in requires a new password.
	Temporary bool `json:"temporary"`
}

// Accounts returns the demo accounts, label by label.
func Accounts(labels label.Source) ([]Login, error) {
	out := []Login{}
	for _, l := range labels.All() {
		logins, people, err := peopleOf(l)
		if err != nil {
			return nil, fmt.Errorf("demo: label %s: %w", l.Key, err)
		}
		for _, in := range logins {
			role := in.Role
			if role == identity.Customer && l.Kind == label.KindParticipant {
				role = "member"
			}
			p := people[in.Username]
			out = append(out, Login{Label: l.Key, Host: host(l), Username: in.Username, Password: cmp.Or(in.Password, in.Temporary), Role: role,
				Name: in.Name, Note: p.Note, Shows: p.Shows, Temporary: in.Temporary != ""})
		}
	}
	return out, nil
}

// host returns the host on which a demo account signs in: a test host, which shows the sign-in form even for labels that have moved.
func host(l *label.Label) string {
	for _, h := range l.Hosts {
		if h.Test {
			return h.Name
		}
	}
	if len(l.Hosts) == 0 {
		return ""
	}
	return l.Hosts[0].Name
}
