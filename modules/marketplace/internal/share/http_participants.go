package share

import (
	"context"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

type periodsAnswer struct {
	Body []Period `nullable:"false"`
}

func (s *Service) participationPeriods(ctx context.Context, _ *struct{}) (*periodsAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	changes, err := heldBy(ctx, s.host.DB, rows)
	return &periodsAnswer{periodsOf(changes)}, err
}

type participantsInput struct {
	Code  string    `path:"code" maxLength:"64" doc:"Code of the project"`
	At    time.Time `query:"at" required:"true" doc:"Time at which members had shares"`
	After string    `query:"after" maxLength:"64" doc:"Last relation of the previous page"`
	Limit int       `query:"limit" minimum:"1" maximum:"500" default:"200" doc:"Maximum number of relations"`
}

type participantsAnswer struct {
	Body struct {
		Name      string   `json:"project_name" doc:"Name of the project"`
		Total     int      `json:"total" doc:"Number of members with shares of it at that time, on all pages"`
		Relations []string `json:"relations" nullable:"false" doc:"In ascending order"`
	}
}

func (s *Service) participantsOfProject(ctx context.Context, in *participantsInput) (*participantsAnswer, error) {
	d, err := project.Find(ctx, s.host.DB, in.Code)
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
