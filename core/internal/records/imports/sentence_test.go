package imports

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
)

// A report says in words why a value was refused, or looks wrong.
func TestSentences(t *testing.T) {
	problem.Describe(map[string]string{"acme.gone": "the number has ended"})
	kind := person
	kind.Example = `{"number":"1","since":"2020-01-31"}`
	t.Run("11-import-sentences", func(t *testing.T) {
		for want, refused := range map[string]record.Refusal{
			"1 × salutation: invalid, first in line 1: one of MR, MRS":                                                 {Field: "salutation", Code: "invalid"},
			"1 × salutation: acme.gone, first in line 1: the number has ended: one of MR, MRS":                         {Field: "salutation", Code: "acme.gone"},
			"1 × since: invalid, first in line 1: it must be a value such as 2020-01-31 (wattle import schema person)": {Field: "since", Code: "invalid"},
			"1 × number: required, first in line 1: the field is required (wattle import schema person)":               {Field: "number", Code: "required"},
			"1 × other: invalid, first in line 1: the field does not accept this value (wattle import schema person)":  {Field: "other", Code: "invalid"},
			"1 × number: acme.gone, first in line 1: the number has ended":                                             {Field: "number", Code: "acme.gone"},
			"1 × number: acme.unknown, first in line 1":                                                                {Field: "number", Code: "acme.unknown"},
			"1 × malformed, first in line 1: it is not a JSON object with fields of the expected types":                {Code: "malformed"},
		} {
			o := personOptions(temporary(t, "person.ndjson", `{"number":"1"}`+"\n"))
			o.Kinds = map[string]record.Kind{"person": kind}
			report, err := Run(t.Context(), o, func(_ context.Context, _ string, rows []record.Row) ([]record.Refusal, error) {
				refused.Line = rows[0].Line
				return []record.Refusal{refused}, nil
			})
			require.NoError(t, err)
			require.Equal(t, []string{want}, report.Reasons)
			require.Len(t, report.Rejected, 1)

			o.NoFiles, o.Files = true, []string{temporary(t, "person.ndjson", `{"number":"1"}`+"\n")}
			report, err = Run(t.Context(), o, func(ctx context.Context, _ string, rows []record.Row) ([]record.Refusal, error) {
				record.Warn(ctx, rows[0].Line, "number", "acme.gone")
				return []record.Refusal{{Line: rows[0].Line, Field: refused.Field, Code: refused.Code}}, nil
			})
			require.NoError(t, err)
			require.Equal(t, 1, report.Refused)
			require.Empty(t, report.Rejected)
			require.NoFileExists(t, o.Files[0]+".rejected.ndjson")
		}
		o := personOptions(temporary(t, "person.csv", "number;salutaton\n1;MR\n"))
		report, err := Run(t.Context(), o, func(ctx context.Context, _ string, rows []record.Row) ([]record.Refusal, error) {
			record.Warn(ctx, rows[0].Line, "number", "acme.gone")
			return nil, nil
		})
		require.NoError(t, err)
		require.Equal(t, []string{"1 × number: acme.gone, first in line 2: the number has ended"}, report.Warnings)
		require.Equal(t, []string{"person.csv has columns that person does not have, which are not read: salutaton (did you mean salutation?)"}, report.Notes)
	})
	t.Run("11-vet-json", func(t *testing.T) {
		report, err := Run(t.Context(), personOptions(temporary(t, "person.ndjson", "{\"number\":\"1\"}\n{\"number\" \"2\"}\n[]\n")), persons().take)
		require.NoError(t, err)
		require.Equal(t, []string{"2 × malformed, first in line 2: it is not valid JSON: column 11: a colon is missing after the name"}, report.Reasons)
	})
	t.Run("11-import-mapping-allowed", func(t *testing.T) {
		k := persons()
		o := personOptions(temporary(t, "export.csv", "Nr\n1\n"))
		o.Kind, o.Zone = "", time.UTC
		o.Mapping = mappingOf(t, `{"kind": "person", "records": [{"fields": {"number": {"column": "Nr"}, "salutation": {"value": "MISTER"}}}]}`)
		_, err := Run(t.Context(), o, k.take)
		require.EqualError(t, err, `imports: the mapping: records.0.fields.salutation.value: "MISTER" is not one of MR, MRS`)
		require.Empty(t, k.rows)
	})
}
