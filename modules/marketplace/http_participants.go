package marketplace

import (
	"context"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// participantRoutes registers what module notifications needs: which members had shares of a project at a moment.
func (s *service) participantRoutes() {
	module.Route(s.API, op(http.MethodGet, "/participations/periods", "participationPeriods", "List when the member had shares of which projects",
		"For sibling modules, for the member of the call. Returns one period for each time in which the member had shares of a project."),
		module.Sibling, module.Read, s.participationPeriods)
	module.Route(s.API, op(http.MethodGet, "/projects/{code}/participants", "participantsOfProject", "List who had shares of a project at a moment",
		"For sibling modules. Returns relations in order, a page at a time, and how many there are in all. Problem: 404 for an unknown project."),
		module.Sibling, module.Read, s.participantsOfProject)
}

// Period is a time in which a member had shares of a project.
type Period struct {
	Project string    `json:"project_code" doc:"Code of the project"`
	From    time.Time `json:"from" doc:"When the member got shares of it"`
	Until   time.Time `json:"until,omitzero" doc:"Absent while the member has shares of it"`
}

type periodsAnswer struct {
	Body []Period `nullable:"false"`
}

func (s *service) participationPeriods(ctx context.Context, _ *struct{}) (*periodsAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	changes, err := heldBy(ctx, s.host.DB, rows)
	return &periodsAnswer{periodsOf(changes)}, err
}

// held is a change of the shares of a member in a project, and from when it counts.
type held struct {
	project string
	from    time.Time
	delta   int64
}

// periodsOf returns the times in which there were shares. Changes are sorted by project and by when they count. Those of one moment count
// together: a move from one address to another ends nothing.
func periodsOf(changes []held) []Period {
	out := []Period{}
	share := int64(0)
	for i, c := range changes {
		if i == 0 || changes[i-1].project != c.project {
			share = 0
		}
		if share += c.delta; i+1 < len(changes) && changes[i+1].project == c.project && changes[i+1].from.Equal(c.from) {
			continue
		}
		last := len(out) - 1
		open := last >= 0 && out[last].Project == c.project && out[last].Until.IsZero()
		switch {
		case share > 0 && !open:
			out = append(out, Period{Project: c.project, From: c.from})
		case share <= 0 && open:
			out[last].Until = c.from
		}
	}
	return out
}

type participantsInput struct {
	Code  string    `path:"code" maxLength:"64" doc:"Code of the project"`
	At    time.Time `query:"at" required:"true" doc:"Time at which members had shares"`
	After string    `query:"after" maxLength:"64" doc:"Last relation of the page before"`
	Limit int       `query:"limit" minimum:"1" maximum:"500" default:"200" doc:"Maximum number of relations"`
}

type participantsAnswer struct {
	Body struct {
		Name      string   `json:"project_name" doc:"Name of the project"`
		Total     int      `json:"total" doc:"Number of members with shares of it at that time, on all pages"`
		Relations []string `json:"relations" nullable:"false" doc:"In ascending order"`
	}
}

func (s *service) participantsOfProject(ctx context.Context, in *participantsInput) (*participantsAnswer, error) {
	d, err := projectOf(ctx, s.host.DB, in.Code)
	if err != nil {
		return nil, err
	}
	out := &participantsAnswer{}
	out.Body.Name = d.Name
	at := state.StoredTime(in.At)
	if out.Body.Total, err = countParticipants(ctx, s.host.DB, in.Code, at); err != nil {
		return nil, err
	}
	out.Body.Relations, err = participantsAt(ctx, s.host.DB, in.Code, at, in.After, in.Limit)
	return out, err
}
