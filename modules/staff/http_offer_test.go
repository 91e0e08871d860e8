package staff_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/marketplace"
	"github.com/wattle-portal/wattle/modules/staff"
	"github.com/wattle-portal/wattle/test/fixture"
)

// offersOf returns the offers in a state, as staff see them.
func (o *office) offersOf(t *testing.T, state string) (out []fixture.Object) {
	t.Helper()
	for _, i := range o.get(t, "/sustainable/staff/offers?status="+state)["content"].([]any) {
		out = append(out, i.(fixture.Object))
	}
	return out
}

func TestStaffJudgeOffers(t *testing.T) {
	t.Parallel()
	modules := []module.Module{account.Module, billing.Module, marketplace.Module, staff.Module}
	portaltest.Each(t, portaltest.Options{Modules: modules, CUE: fixture.SandboxPayments,
		Labels: []portaltest.Label{{Key: "alpha", Kind: portaltest.Participants}, {Key: "beta"}}}, func(t *testing.T, s *portaltest.Portal) {
		all := &fixture.Members{Customers: &fixture.Customers{Portal: s, T: t}}
		all.Project()
		o := &office{all.Customers, s.Staff("alpha").Bearer}
		seller, other := all.With(t, 50), all.With(t, 5)
		offer := func() (id, reference string) {
			made := fixture.Body[struct{ Reference string }](t, seller.Post("/sustainable/offers",
				fixture.Object{"participation_identifier": seller.Participation, "date": all.On(0),
					"number_of_shares": 5, "price": 40}), 201)
			change := o.pendingOffer(t, made.Reference)
			return change["id"].(string), made.Reference
		}
		state := func(reference string) string {
			for _, of := range []string{"CREATED", "APPROVED", "ACTIVE", "REJECTED"} {
				if slices.ContainsFunc(o.offersOf(t, of), func(x fixture.Object) bool { return x["reference"] == reference }) {
					return of
				}
			}
			return ""
		}

		t.Run("6-staff-approve-right,1-audiences", func(t *testing.T) {
			id, reference := offer()
			key := s.APIKey("beta", "elsewhere").Bearer
			for who, c := range map[string]struct {
				bearer string
				want   int
			}{
				"the seller": {seller.Bearer, 403}, "another member": {other.Bearer, 403},
				"an impersonator": {s.Impersonator("alpha", seller.Relation).Bearer, 403},
				"nobody":          {"", 401}, "staff of another label": {s.Staff("beta").Bearer, 401}, "a key of another label": {key, 401},
			} {
				for _, call := range []portaltest.Call{
					{Method: http.MethodPost, Path: "/staff/changes/" + id + "/decision", Body: fixture.Object{"state": "PROCESSED"}},
					{Method: http.MethodPost, Path: "/staff/changes/decisions", Body: fixture.Object{"ids": []string{id}, "state": "PROCESSED"}},
					{Method: http.MethodPost, Path: "/marketplace/changes/" + id + "/decide", Body: fixture.Object{"state": "PROCESSED", "by": "me"}},
					{Path: "/sustainable/staff/offers"}, {Path: "/staff/changes"}, {Path: "/staff/changes/" + id},
				} {
					call.Bearer = c.bearer
					a := s.Do(call)
					if call.Path == "/marketplace/changes/"+id+"/decide" {
						assert.Equal(t, 404, a.Status, "%s: the module's own decision is mounted nowhere", who)
						continue
					}
					assert.Equal(t, c.want, a.Status, "%s: %s", who, call.Path)
				}
			}
			assert.Equal(t, "CREATED", state(reference))
			require.Equal(t, http.StatusOK, o.decide(t, id, module.Processed, "").Status)
			assert.Equal(t, "ACTIVE", state(reference), "the offer starts today")
		})

		t.Run("6-staff-approve-screen", func(t *testing.T) {
			id, reference := offer()
			listed := o.offersOf(t, "CREATED")
			require.Len(t, listed, 1)
			assert.Equal(t, []any{reference, id, seller.Relation, "CREATED"}, []any{listed[0]["reference"], listed[0]["change_id"],
				listed[0]["relation"], listed[0]["lifecycle"]})
			for _, reason := range []string{"", "zomaar", "rejected_by_provider"} {
				a := o.decide(t, id, module.Rejected, reason)
				assert.Equal(t, []string{"reason marketplace.reason_unknown"}, fixture.RefusedFields(t, a), reason)
			}
			bulk := o.ask(http.MethodPost, "/staff/changes/decisions", fixture.Object{"ids": []string{id}, "state": "REJECTED", "reason": "zomaar"})
			assert.Equal(t, http.StatusOK, bulk.Status)
			assert.Contains(t, string(bulk.Body), "marketplace.reason_unknown")
			assert.Equal(t, "CREATED", state(reference))
			assert.Empty(t, o.log(t, "kind=marketplace.offer&action=change.rejected"), "a refused decision is not logged")
			for i, reason := range []string{"PARTICIPATION_UNKNOWN", "MULTIPLE_PARTICIPATIONS_PROJECT", "INSUFFICIENT_SHARES", "SELLING_NOT_ALLOWED",
				"REJECTED_BY_PROVIDER"} {
				if i > 0 {
					id, reference = offer()
				}
				require.Equal(t, http.StatusOK, o.decide(t, id, module.Rejected, reason).Status)
				assert.Equal(t, "REJECTED", state(reference), reason)
				log := o.log(t, "kind=marketplace.offer&limit=1")
				assert.Equal(t, []any{"change.rejected", reason, "Mede Werker", id, seller.Relation},
					[]any{log[0]["action"], log[0]["reason"], log[0]["name"], log[0]["target"], log[0]["relation"]})
			}
			assert.Empty(t, o.offersOf(t, "CREATED"))
			own := seller.Get(t, "/account/access-log")["items"].([]any)
			assert.Equal(t, []any{"staff", "change.rejected", "marketplace.offer"},
				[]any{own[0].(fixture.Object)["who"], own[0].(fixture.Object)["what"], own[0].(fixture.Object)["kind"]})
		})
	})
}

// pendingOffer waits for the change request of an offer.
func (o *office) pendingOffer(t *testing.T, reference string) (found fixture.Object) {
	t.Helper()
	o.Portal.Eventually(func() bool {
		for _, c := range o.items(t, "/staff/changes?state=PENDING&kind=marketplace.offer") {
			if fmt.Sprint(c["data"].(fixture.Object)["reference"]) == reference {
				found = c
			}
		}
		return found != nil
	})
	return found
}
