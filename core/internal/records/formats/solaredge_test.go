package formats

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// site returns the CSV export of a site: a line with 100 Wh for each interval, starting at a local time in the zone.
func site(t *testing.T, from string, count int, length time.Duration) string {
	at, err := time.ParseInLocation("2006-01-02 15:04", from, zone(t, "Europe/Amsterdam"))
	require.NoError(t, err)
	var out strings.Builder
	out.WriteString("Time,System Production (Wh)\n")
	for i := range count {
		fmt.Fprintf(&out, "%s,100\n", at.Add(time.Duration(i)*length).Format("02/01/2006 15:04"))
	}
	return out.String()
}

func TestSolarEdgeLength(t *testing.T) {
	set := map[string]string{"project": project}
	hour := func(line int, start, kwh string) string {
		return fmt.Sprintf(`%d {"project_code":"%s","start":"%s","kwh":%s}`, line, project, start, kwh)
	}
	t.Run("11-import-solaredge-length", func(t *testing.T) {
		for _, c := range []struct {
			name, file string
			want       []string
		}{
			{"hours", site(t, "2024-06-01 06:00", 2, time.Hour), []string{hour(2, "2024-06-01T06:00:00+02:00", "0.100"),
				hour(3, "2024-06-01T07:00:00+02:00", "0.100")}},
			{"quarters", site(t, "2024-06-01 06:00", 8, 15*time.Minute), []string{hour(2, "2024-06-01T06:00:00+02:00", "0.400"),
				hour(6, "2024-06-01T07:00:00+02:00", "0.400")}},
			{"hours, the clock goes back", site(t, "2024-10-27 01:00", 4, time.Hour), []string{hour(2, "2024-10-27T01:00:00+02:00", "0.100"),
				hour(3, "2024-10-27T02:00:00+02:00", "0.100"), hour(4, "2024-10-27T02:00:00+01:00", "0.100"),
				hour(5, "2024-10-27T03:00:00+01:00", "0.100")}},
			{"quarters, the clock goes back", site(t, "2024-10-27 01:00", 16, 15*time.Minute),
				[]string{hour(2, "2024-10-27T01:00:00+02:00", "0.400"),
					hour(6, "2024-10-27T02:00:00+02:00", "0.400"), hour(10, "2024-10-27T02:00:00+01:00", "0.400"),
					hour(14, "2024-10-27T03:00:00+01:00", "0.400")}},
			{"hours, the clock goes forward", site(t, "2024-03-31 00:00", 4, time.Hour), []string{hour(2, "2024-03-31T00:00:00+01:00", "0.100"),
				hour(3, "2024-03-31T01:00:00+01:00", "0.100"), hour(4, "2024-03-31T03:00:00+02:00", "0.100"),
				hour(5, "2024-03-31T04:00:00+02:00", "0.100")}},
			{"quarters, the clock goes forward", site(t, "2024-03-31 01:00", 8, 15*time.Minute),
				[]string{hour(2, "2024-03-31T01:00:00+01:00", "0.400"), hour(6, "2024-03-31T03:00:00+02:00", "0.400")}},
			{"an empty value and a missing line", "Time,Production (kWh)\n2024-06-01 06:00:00,1\n2024-06-01 07:00:00,\n2024-06-01 10:00:00,2\n",
				[]string{hour(2, "2024-06-01T06:00:00+02:00", "1.000"), hour(4, "2024-06-01T10:00:00+02:00", "2.000")}},
			{"half hours", site(t, "2024-06-01 06:00", 2, 30*time.Minute), []string{hour(2, "2024-06-01T06:00:00+02:00", "0.200")}},
			{"a line that is not a time", "Time,Production (kWh)\n2024-06-01 06:00:00,1\nx,2\n2024-06-01 07:00:00,3\n",
				[]string{hour(2, "2024-06-01T06:00:00+02:00", "1.000"), `line 3: not_a_time: "x" is not a time`,
					hour(4, "2024-06-01T07:00:00+02:00", "3.000")}},
			{"days", site(t, "2024-06-01 00:00", 3, 24*time.Hour),
				[]string{"stopped: the energy of a day or more cannot be divided over hours: export quarters of an hour or hours"}},
			{"days, when the clock changes", site(t, "2024-03-30 00:00", 2, 24*time.Hour),
				[]string{"stopped: the energy of a day or more cannot be divided over hours: export quarters of an hour or hours"}},
			{"twenty minutes and a bit", site(t, "2024-06-01 00:00", 3, 25*time.Minute),
				[]string{"stopped: the lines are 25 minutes apart, which does not fit into hours: export quarters of an hour or hours"}},
			{"one line", site(t, "2024-06-01 00:00", 1, time.Hour),
				[]string{"stopped: the file does not say how long its intervals are: it needs two lines at least, the oldest first"}},
			{"no line", site(t, "2024-06-01 00:00", 0, time.Hour), nil},
		} {
			got, _ := read(t, "solaredge", "Europe/Amsterdam", c.file, set)
			require.ElementsMatch(t, c.want, got, c.name)
		}
		_, quarters, _ := strings.Cut(site(t, "2024-06-08 00:00", 8, 15*time.Minute), "\n")
		got, _ := read(t, "solaredge", "Europe/Amsterdam", site(t, "2024-06-01 00:00", 168, time.Hour)+quarters, set)
		require.Equal(t, "stopped: line 171 is 15 minutes after the line before, and the lines at the start of the file are 60 minutes apart: export a file with intervals of one length",
			got[len(got)-1])
		_, hours, _ := strings.Cut(site(t, "2024-06-02 01:00", 8, time.Hour), "\n")
		got, _ = read(t, "solaredge", "Europe/Amsterdam", site(t, "2024-06-01 00:00", 100, 15*time.Minute)+hours, set)
		require.Equal(t, "stopped: line 106 is 60 minutes after the line before, and the lines at the start of the file are 15 minutes apart: export a file with intervals of one length", got[len(got)-1])
	})
}
