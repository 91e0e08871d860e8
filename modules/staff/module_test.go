package staff_test

import (
	"context"
	"slices"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/staff"
)

type none struct{}

type body[T any] struct{ Body T }

type login struct {
	Relation string `json:"relation"`
	Username string `json:"username"`
}

func op(method, path, id string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id}
}

// fakeCore implements accounts and the audit log, which accepts only actions of module staff.
func fakeCore(a huma.API) {
	type request struct {
		Body struct {
			Email     string   `json:"email,omitempty"`
			Relations []string `json:"relations,omitempty"`
		}
	}
	accounts := func(_ context.Context, in *request) (*body[[]login], error) {
		out := []login{}
		for _, r := range in.Body.Relations {
			if r == "r1" {
				out = append(out, login{r, "fenna"})
			}
		}
		return &body[[]login]{out}, nil
	}
	module.Route(a, op("POST", "/accounts/search", "search"), module.Sibling, module.Read, accounts)
	module.Route(a, op("POST", "/accounts/of-relations", "ofRelations"), module.Sibling, module.Read, accounts)
	type note struct {
		Body struct {
			Action   string `json:"action" pattern:"^staff[.]"`
			Relation string `json:"relation,omitempty"`
			Kind     string `json:"kind,omitempty"`
		}
	}
	module.Route(a, op("POST", "/audit", "audit"), module.Sibling, module.Write,
		func(context.Context, *note) (*none, error) { return nil, nil })
	type viewed struct {
		Body struct {
			Action string `json:"action" pattern:"^staff[.]"`
			Limit  int    `json:"limit" maximum:"100"`
		}
	}
	module.Route(a, op("POST", "/audit/viewed", "viewed"), module.Sibling, module.Read,
		func(context.Context, *viewed) (*body[map[string][]string], error) {
			return &body[map[string][]string]{map[string][]string{"relations": {"r2", "r1"}}}, nil
		})
}

// fakeAccount implements account with one customer in one label.
func fakeAccount(a huma.API) {
	type found struct {
		Kind  string           `json:"kind"`
		Items []map[string]any `json:"items" nullable:"false"`
	}
	type search struct {
		Body struct {
			Q         string   `json:"q"`
			Relations []string `json:"relations,omitempty"`
			After     string   `json:"after,omitempty"`
			Limit     int      `json:"limit" minimum:"1" maximum:"100"`
		}
	}
	here := func(ctx context.Context) bool { return module.ScopeOf(ctx).Label == moduletest.LabelOne }
	module.Route(a, op("POST", "/relations/search", "search"), module.Sibling,
		module.Read, func(ctx context.Context, _ *search) (*body[found], error) {
			out := &body[found]{found{Kind: "name", Items: []map[string]any{}}}
			if here(ctx) {
				out.Body.Items = append(out.Body.Items, map[string]any{"relation": "r1", "debtor_number": "1", "name": "F. de Boer"})
			}
			return out, nil
		})
	type lookup struct {
		Body struct {
			Relations []string `json:"relations"`
		}
	}
	module.Route(a, op("POST", "/relations/lookup", "lookUp"), module.Sibling,
		module.Read, func(ctx context.Context, in *lookup) (*body[[]map[string]any], error) {
			out := &body[[]map[string]any]{[]map[string]any{}}
			if here(ctx) && slices.Contains(in.Body.Relations, "r1") {
				out.Body = append(out.Body, map[string]any{"relation": "r1", "debtor_number": "1"})
			}
			return out, nil
		})
	type byID struct {
		Relation string `path:"relation"`
	}
	module.Route(a, op("GET", "/relations/{relation}/record", "record"), module.Sibling,
		module.Read, func(ctx context.Context, in *byID) (*body[map[string]any], error) {
			if !here(ctx) || in.Relation != "r1" {
				return nil, problem.ErrNotFound
			}
			return &body[map[string]any]{map[string]any{"debtor_number": "1", "last_name": "Boer", "addresses": []any{}}}, nil
		})
}

func TestConformance(t *testing.T) {
	who := module.Scope{Role: module.RoleStaff, Subject: "sam", Actor: "sam"}
	moduletest.Run(t, staff.Module, moduletest.Options{
		Main:     "./plugin",
		Settings: staff.Settings{PageSize: 20},
		Siblings: []module.Module{moduletest.Fake("core", fakeCore), moduletest.Fake("account", fakeAccount)},
		State: []moduletest.Call{{Path: "/staff/customers/r1", As: who}, {Path: "/staff/customers/r2", As: who},
			{Method: "POST", Path: "/staff/customers/search", Body: `{"q":"boer","after":"x"}`, As: who},
			{Method: "POST", Path: "/staff/customers/search", Body: `{"q":"boer"}`, As: who},
			{Path: "/staff/customer-numbers?relations=r1&relations=r2", As: who},
			{Path: "/staff/recent-customers", As: who}},
	})
}
