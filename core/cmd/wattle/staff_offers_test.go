package main_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/marketplace"
	"github.com/wattle-portal/wattle/modules/staff"
)

// offersOf are the offers that staff see in a state.
func (o *office) offersOf(t *testing.T, state string) (out []object) {
	t.Helper()
	for _, i := range o.get(t, "/sustainable/staff/offers?status="+state)["content"].([]any) {
		out = append(out, i.(object))
	}
	return out
}

func TestStaffJudgeOffers(t *testing.T) {
	t.Parallel()
	modules := []module.Module{account.Module, billing.Module, marketplace.Module, staff.Module}
	apptest.Each(t, apptest.Options{Modules: modules, Labels: []apptest.Label{{Key: "alpha", Kind: label.KindParticipant}, {Key: "beta"}}}, func(t *testing.T, s *apptest.Server) {
		all := &members{customers: &customers{Server: s, t: t}}
		all.project()
		o := &office{all.customers, s.Staff("alpha")}
		seller, other := all.with(t, 50), all.with(t, 5)
		offer := func() (id, reference string) {
			made := fine[struct{ Reference string }](t, seller.post("/sustainable/offers", object{"participation_identifier": seller.participation, "date": all.on(0),
				"number_of_shares": 5, "price": 40}), 201)
			change := o.pendingOffer(t, made.Reference)
			return change["id"].(string), made.Reference
		}
		state := func(reference string) string {
			for _, of := range []string{"CREATED", "APPROVED", "ACTIVE", "REJECTED"} {
				if slices.ContainsFunc(o.offersOf(t, of), func(x object) bool { return x["reference"] == reference }) {
					return of
				}
			}
			return ""
		}

		t.Run("6-staff-approve-right,1-audiences", func(t *testing.T) {
			id, reference := offer()
			key, err := s.Identity.AddKey(t.Context(), "beta", "elsewhere")
			require.NoError(t, err)
			for who, c := range map[string]struct {
				bearer string
				want   int
			}{
				"the seller": {seller.token, 403}, "another member": {other.token, 403}, "an impersonator": {s.Impersonator("alpha", seller.relation), 403},
				"nobody": {"", 401}, "staff of another label": {s.Staff("beta"), 401}, "a key of another label": {key, 401},
			} {
				for _, call := range []apptest.Call{
					{Method: http.MethodPost, Path: "/staff/changes/" + id + "/decision", Body: object{"state": "PROCESSED"}},
					{Method: http.MethodPost, Path: "/staff/changes/decisions", Body: object{"ids": []string{id}, "state": "PROCESSED"}},
					{Method: http.MethodPost, Path: "/marketplace/changes/" + id + "/decide", Body: object{"state": "PROCESSED", "by": "me"}},
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
			assert.Equal(t, "ACTIVE", state(reference), "its day is today")
		})

		t.Run("6-staff-approve-screen", func(t *testing.T) {
			id, reference := offer()
			listed := o.offersOf(t, "CREATED")
			require.Len(t, listed, 1)
			assert.Equal(t, []any{reference, id, seller.relation, "CREATED"}, []any{listed[0]["reference"], listed[0]["change_id"], listed[0]["relation"], listed[0]["lifecycle"]})
			for _, reason := range []string{"", "zomaar", "rejected_by_provider"} {
				a := o.decide(t, id, module.Rejected, reason)
				assert.Equal(t, []string{"reason marketplace.reason_unknown"}, refusedFields(t, a), reason)
			}
			bulk := o.do(http.MethodPost, "/staff/changes/decisions", object{"ids": []string{id}, "state": "REJECTED", "reason": "zomaar"})
			assert.Equal(t, http.StatusOK, bulk.Status)
			assert.Contains(t, string(bulk.Body), "marketplace.reason_unknown")
			assert.Equal(t, "CREATED", state(reference))
			assert.Empty(t, o.log(t, "kind=marketplace.offer&action=change.rejected"), "what was refused is no decision")
			for i, reason := range []string{"PARTICIPATION_UNKNOWN", "MULTIPLE_PARTICIPATIONS_PROJECT", "INSUFFICIENT_SHARES", "SELLING_NOT_ALLOWED", "REJECTED_BY_PROVIDER"} {
				if i > 0 {
					id, reference = offer()
				}
				require.Equal(t, http.StatusOK, o.decide(t, id, module.Rejected, reason).Status)
				assert.Equal(t, "REJECTED", state(reference), reason)
				log := o.log(t, "kind=marketplace.offer&limit=1")
				assert.Equal(t, []any{"change.rejected", reason, "Mede Werker", id, seller.relation},
					[]any{log[0]["action"], log[0]["reason"], log[0]["name"], log[0]["target"], log[0]["relation"]})
			}
			assert.Empty(t, o.offersOf(t, "CREATED"))
			own := seller.get(t, "/account/access-log")["items"].([]any)
			assert.Equal(t, []any{"staff", "change.rejected", "marketplace.offer"}, []any{own[0].(object)["who"], own[0].(object)["what"], own[0].(object)["kind"]})
		})
	})
}

// pendingOffer waits for the change of an offer.
func (o *office) pendingOffer(t *testing.T, reference string) (found object) {
	t.Helper()
	soon(t, o.Server, func() bool {
		for _, c := range o.items(t, "/staff/changes?state=PENDING&kind=marketplace.offer") {
			if fmt.Sprint(c["data"].(object)["reference"]) == reference {
				found = c
			}
		}
		return found != nil
	})
	return found
}
