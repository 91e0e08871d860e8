//go:generate go test . -run TestOpenAPI|TestAsyncAPI -update

package mykey

import (
	"context"
	"net/http"

	"example.org/mykey/modules/mykey/mykeyapi"
	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// routes registers the operations. The one with "GET /" is GET /mykey, or GET /staff/mykey for staff.
func (s *service) routes() {
	// {setting}
	module.ShowSettings[Settings](s.API)
	// {/setting}
	module.Declare(s.Router, module.Customer, "GET /", "listNotes", "List the notes of the customer", "For customers. Newest first.", s.list)
	module.Declare(s.Router, module.Customer, "PUT /{id}", "addNote", "Add a note",
		"For customers. Repeating a call with the same id changes nothing. Problem: 400 for a field that is invalid.", s.add)
	// {staff}
	module.Declare(s.Router, module.APIKey, "GET /", "listAllNotes", "List the latest notes of all customers",
		"For staff and API keys. Newest first, at most 50.", s.listAll)
	// {/staff}
	// {change}
	module.Declare(s.Router, module.Customer, "GET /removal", "getRemoval", "Get whether a removal is requested", "For customers.", s.removal)
	module.Declare(s.Router, module.Customer, "POST /removal", "requestRemoval", "Request the removal of all notes",
		"For customers. The back office decides. Problem: 409 change_pending.", s.requestRemoval)
	module.Decisions(s.API, manifest.Key, s.host.DB, s.decided)
	// {/change}
}

type listOutput struct {
	Body struct {
		Items []SavedNote `json:"items" nullable:"false" doc:"Newest first"`
	}
}

func (s *service) list(ctx context.Context, _ *struct{}) (*listOutput, error) {
	mine, err := module.Mine(ctx) // the rows of the customer
	if err != nil {
		return nil, err
	}
	out := new(listOutput)
	out.Body.Items, err = latest(ctx, s.host.DB, mine)
	return out, err
}

type addInput struct {
	ID   string `path:"id" maxLength:"64" doc:"Id from the caller"`
	Body Note
}

func (s *service) add(ctx context.Context, in *addInput) (*struct{}, error) {
	mine, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	// {setting}
	settings, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	// {/setting}
	// {mail}
	account, err := coreapi.New(s.host.Client).MyAccount(ctx) // before the transaction, in which calls are refused
	if err != nil {
		return nil, err
	}
	// {/mail}
	n := noteRow{Label: mine.Key(), Relation: mine.Relation(), ID: in.ID, Day: module.Today(ctx, s.host.Now()), Note: in.Body}
	return nil, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		isNew, err := insert(ctx, tx, mine, &n)
		if err != nil || !isNew { // a repeated call
			return err
		}
		// {setting}
		count, err := mine.Select(tx, (*noteRow)(nil)).Count(ctx)
		if err != nil {
			return err
		}
		if count > settings.MaxNotes {
			return problem.Fail(http.StatusConflict, codeFull)
		}
		// {/setting}
		// {mail}
		if err := tx.Mail(ctx, addedMail(module.ScopeOf(ctx).Locale, account.Email, n.Note)); err != nil {
			return err
		}
		// {/mail}
		// {event}
		if err := module.Publish(ctx, tx, mykeyapi.EventAdded, n.ID, mykeyapi.Added{Relation: n.Relation}); err != nil {
			return err
		}
		// {/event}
		// An email or event of a new note is part of this transaction: it is sent if the row is stored.
		return nil
	})
}
