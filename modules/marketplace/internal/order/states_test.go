package order

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

const key = "marketplace"

// instance is a marketplace module that only has its tables.
type instance struct {
	module.Router
	module.Host
}

func (instance) Handle(context.Context, module.Event) error { return nil }

// The stored status of an order changes only according to the table.
func TestStoredTransitions(t *testing.T) {
	all := []state.Status{Created, Awaiting, Bought, Completed, Expired, Cancelled}
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		m := module.Manifest{Key: key, Version: "0.0.0", Settings: "#Settings: {}", Migrations: os.DirFS("../../migrations")}
		w := moduletest.Open(t, module.New(m, func(h module.Host) module.Instance { return &instance{module.NewRouter(m), h} }), o, false)
		i := w.Registry.Snapshot().Modules[key].Instance.(*instance)
		ctx, ok := w.Hub.ScopeFor(moduletest.LabelOne, key)
		require.True(t, ok)
		insert := func(is state.Status) Row {
			row := Row{LabelKey: moduletest.LabelOne, ID: value.NewID(), Reference: newReference(), RelationID: "r", Status: is, Amount: 100,
				Shares:       1,
				TransferDate: value.Day{Year: 2027, Month: 1, Day: 1}, PlacedAt: state.StoredTime(i.Now()), ExpiresAt: state.StoredTime(i.Now())}
			require.NoError(t, i.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
				_, err := moduletest.Raw(tx).NewInsert().Model(&row).Exec(ctx)
				return err
			}))
			return row
		}
		t.Run("4-order-transitions", func(t *testing.T) {
			for _, from := range all {
				for _, to := range all {
					row := insert(from)
					err := i.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error { return move(ctx, tx, &row, to) })
					want := from
					if state.Allows(Transitions, from, to) {
						want = to
						require.NoError(t, err, "%s to %s", from, to)
					} else {
						require.Equal(t, 409, problem.Of(err).Status, "%s to %s", from, to)
					}
					var is state.Status
					require.NoError(t, moduletest.Raw(i.DB).NewSelect().Model((*Row)(nil)).Column("status").Where("id = ?", row.ID).Scan(t.Context(), &is))
					require.Equal(t, want, is, "%s to %s", from, to)
				}
			}
		})
	})
}
