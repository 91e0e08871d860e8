package partition_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/testing/storetest/cluster"
)

// statement is a statement that the server has executed, as auto_explain logs it.
type statement struct {
	Database string  `json:"-"`
	Duration float64 `json:"-"` // ms
	Query    string  `json:"Query Text"`
	Plan     node    `json:"Plan"`
}

type node struct {
	Type    string  `json:"Node Type"`
	Table   string  `json:"Relation Name"`
	Loops   float64 `json:"Actual Loops"`
	Hit     int     `json:"Shared Hit Blocks"`
	Read    int     `json:"Shared Read Blocks"`
	Rows    float64 `json:"Actual Rows"`
	Removed int     `json:"Subplans Removed"`
	Plans   []node  `json:"Plans"`
}

// explainable makes new connections log plans once explain is called.
func explainable(t *testing.T, c *cluster.Cluster) {
	t.Helper()
	execute(t, c.URL, "ALTER SYSTEM SET log_line_prefix = '%d '", "ALTER ROLE postgres SET session_preload_libraries = 'auto_explain'",
		"ALTER ROLE postgres SET log_min_messages = log")
	explain(t, c, false)
}

// explain makes explainable connections log the executed plan of every statement, or stops this when on is false.
func explain(t *testing.T, c *cluster.Cluster, on bool) {
	t.Helper()
	least := -1
	if on {
		least = 0
	}
	execute(t, c.URL, "LOAD 'auto_explain'", fmt.Sprintf("ALTER SYSTEM SET auto_explain.log_min_duration = %d", least),
		"ALTER SYSTEM SET auto_explain.log_format = 'json'",
		"ALTER SYSTEM SET auto_explain.log_analyze = on", "ALTER SYSTEM SET auto_explain.log_buffers = on", "SELECT pg_reload_conf()")
	time.Sleep(200 * time.Millisecond) // until every process of the server has read it
}

var logged = regexp.MustCompile(`^(\S+) LOG:  duration: ([0-9.]+) ms  plan:$`)

// statements calls f for every plan in a log. All lines of an entry except the first start with a tab.
func statements(t *testing.T, log string, f func(statement)) {
	t.Helper()
	file, err := os.Open(log)
	require.NoError(t, err)
	defer func() { _ = file.Close() }() // opened for reading only
	in := bufio.NewReaderSize(file, 1<<20)
	var current statement
	var text strings.Builder
	end := func() {
		if text.Len() > 0 {
			require.NoError(t, json.Unmarshal([]byte(text.String()), &current), text.String())
			f(current)
		}
		text.Reset()
	}
	reading := false
	for {
		line, err := in.ReadString('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if more, ok := strings.CutPrefix(line, "\t"); ok {
			if reading {
				text.WriteString(more)
			}
			continue
		}
		end()
		found := logged.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if reading = found != nil; reading {
			current = statement{Database: found[1]}
			require.NoError(t, json.Unmarshal([]byte(found[2]), &current.Duration))
		}
	}
	end()
}

// partitionName matches the name of a partition by label_key, or of a monthly partition below it.
var partitionName = regexp.MustCompile(`^(.+)_p(\d+)(?:_\d{4}_\d{2})?$`)

// scanned returns how many partitions by label_key the statement has read, for each partitioned table.
func (s statement) scanned() map[string]int {
	found := map[string]map[string]bool{}
	var walk func(n node)
	walk = func(n node) {
		if m := partitionName.FindStringSubmatch(n.Table); m != nil && n.Loops > 0 && n.Type != "ModifyTable" {
			if found[m[1]] == nil {
				found[m[1]] = map[string]bool{}
			}
			found[m[1]][m[2]] = true
		}
		for _, p := range n.Plans {
			walk(p)
		}
	}
	walk(s.Plan)
	out := map[string]int{}
	for table, parts := range found {
		out[table] = len(parts)
	}
	return out
}

// crossing returns the tables from which the statement has read several partitions by label_key, such as "DELETE identity_sessions".
func (s statement) crossing() (out []string) {
	verb := verbs.FindString(strings.ToUpper(s.Query))
	for table, parts := range s.scanned() {
		if parts > 1 {
			out = append(out, verb+" "+table)
		}
	}
	return out
}

var verbs = regexp.MustCompile(`\b(SELECT|INSERT|UPDATE|DELETE)\b`)

var crossingRow = regexp.MustCompile("(?m)^\\| `((?:SELECT|INSERT|UPDATE|DELETE) [a-z_{}]+)` \\|")

// documented returns the statements that docs/partitioning.md lists as statements that read several labels.
func documented(t *testing.T) map[string]bool {
	t.Helper()
	page, err := os.ReadFile("../../../../docs/partitioning.md")
	require.NoError(t, err)
	out := map[string]bool{}
	for _, m := range crossingRow.FindAllStringSubmatch(string(page), -1) {
		out[m[1]] = true
	}
	require.NotEmpty(t, out)
	return out
}

// standardTable matches a table that every module has. The docs list it once, as {key}.
var standardTable = regexp.MustCompile(`^(\w+ )[a-z]+_(outbox|inbox|seqs|changes)$`)

func general(crossing string) string { return standardTable.ReplaceAllString(crossing, "${1}{key}_$2") }

// onlyDocumented fails if the application has executed a statement that reads partitions of several labels and is listed neither in the
// docs nor in others. It returns how many statements have read partitions, and which of them read several labels, with an example of each.
func onlyDocumented(t *testing.T, log string, of func(database string) bool, others ...string) (pruned int, crossings map[string]string) {
	t.Helper()
	listed := documented(t)
	crossings = map[string]string{}
	statements(t, log, func(s statement) {
		if !of(s.Database) {
			return
		}
		if len(s.scanned()) > 0 && len(s.crossing()) == 0 {
			pruned++
		}
		for _, c := range s.crossing() {
			crossings[general(c)] = s.Query
		}
	})
	for _, c := range slices.Sorted(maps.Keys(crossings)) {
		if !listed[c] && !slices.Contains(others, c) {
			t.Errorf("%s reads several partitions and is not in docs/partitioning.md: %s", c, crossings[c])
		}
	}
	return pruned, crossings
}

// values matches the parts of a statement that differ between executions.
var values = []struct {
	expression *regexp.Regexp
	with       string
}{
	{regexp.MustCompile(`'(?:[^']|'')*'`), "?"}, {regexp.MustCompile(`\b\d+(?:\.\d+)?\b`), "?"}, {regexp.MustCompile(`\s+`), " "},
	{regexp.MustCompile(`SELECT [^()]*? FROM`), "SELECT … FROM"},
	{regexp.MustCompile(`\(\?(?:, (?:\?|NULL|DEFAULT))+\)(?:, \(\?(?:, (?:\?|NULL|DEFAULT))+\))*`), "(…)"},
}
