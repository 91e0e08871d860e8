package whole_test

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// A blank query value means the same in every operation of every module: a blank string counts as absent, and a blank number, date, boolean
// or list item is refused.
func TestBlankValuesInQueries(t *testing.T) {
	t.Parallel()
	s := everything(t)
	type schema struct {
		Type   any
		Format string
		Enum   []string
		Items  *schema
	}
	var doc struct {
		Paths map[string]map[string]struct {
			Access     string `json:"x-access"`
			ID         string `json:"operationId"`
			Parameters []struct {
				Name, In string
				Required bool
				Schema   schema
			}
		}
	}
	s.Do(apptest.Call{Path: "/openapi.json"}).JSON(t, &doc)
	customer, staff := s.Customer("alpha", "r1"), s.Staff("alpha")
	t.Run("9-api-blank-query", func(t *testing.T) {
		texts, others := 0, 0
		for path, item := range doc.Paths {
			for method, op := range item {
				bearer := map[string]string{string(module.Customer): customer, string(module.Staff): staff, string(module.APIKey): staff}[op.Access]
				ask := func(query string) apptest.Answer {
					c := apptest.Call{Method: http.MethodGet, Path: parameter.ReplaceAllString(path, "x") + query, Bearer: bearer}
					if method != "get" {
						c.Method, c.Body = http.MethodPost, "{}"
					}
					return s.Do(c)
				}
				for _, p := range op.Parameters {
					if p.In != "query" {
						continue
					}
					kind := p.Schema
					if kind.Items != nil {
						kind = *kind.Items
					}
					isText := kind.Type == "string" && kind.Format == "" && len(kind.Enum) == 0
					for _, blank := range []string{"", " ", "\t "} {
						a := ask("?" + url.Values{p.Name: {blank}}.Encode())
						about := op.ID + " " + p.Name + ": " + string(a.Body)
						switch {
						case isText && !p.Required:
							texts++
							require.Equal(t, ask("").Status, a.Status, about)
						case slices.Contains(kind.Enum, ""):
							require.NotEqual(t, 400, a.Status, about)
						default:
							others++
							var refused problem.Problem
							a.JSON(t, &refused)
							require.Equal(t, 400, a.Status, about)
							require.Equal(t, "application/problem+json", a.Header.Get("Content-Type"), about)
							require.True(t, slices.ContainsFunc(refused.Errors, func(e problem.FieldError) bool {
								return e.Field == p.Name && slices.Contains([]string{problem.CodeInvalid, problem.CodeRequired}, e.Code)
							}), about)
						}
					}
				}
			}
		}
		require.Greater(t, texts, 60)
		require.Greater(t, others, 90)
	})
	t.Run("9-api-blank-query", func(t *testing.T) {
		require.Equal(t, 400, s.Do(apptest.Call{Path: "/account/access-log?limit", Bearer: customer}).Status, "a name without a value")
		require.Equal(t, 400, s.Do(apptest.Call{Path: "/account/access-log?limit=5&limit=", Bearer: customer}).Status, "a second value")
		require.Equal(t, 200, s.Do(apptest.Call{Path: "/account/access-log?limit=5&after=", Bearer: customer}).Status)
	})
}
