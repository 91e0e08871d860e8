package module

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/value"
)

// Scope is the identity and context of a call: label, relation, subject, role.
type Scope = scope.Scope

// Roles of a scope.
const (
	RolePublic   = scope.RolePublic
	RoleCustomer = scope.RoleCustomer
	RoleStaff    = scope.RoleStaff
	RoleKey      = scope.RoleKey
	RoleSystem   = scope.RoleSystem
)

// ScopeOf returns the scope of a call.
func ScopeOf(ctx context.Context) Scope { return scope.Of(ctx) }

// Today returns the civil day of now in the label's time zone.
func Today(ctx context.Context, now time.Time) value.Day {
	loc, err := time.LoadLocation(scope.Of(ctx).Zone)
	if err != nil {
		loc = time.UTC
	}
	return value.DayOf(now.In(loc))
}

// Settings returns the module's settings in the call's label, decoded once per revision. The value is shared and must not be changed.
func Settings[T any](ctx context.Context) (*T, error) {
	s := scope.SettingsOf(ctx)
	if s == nil {
		return nil, errors.New("module: the call has no settings")
	}
	key := reflect.TypeFor[T]()
	if v, ok := s.Decoded().Load(key); ok {
		return v.(*T), nil
	}
	t := new(T)
	if err := json.Unmarshal(s.Raw, t); err != nil {
		return nil, fmt.Errorf("module: settings: %w", err)
	}
	v, _ := s.Decoded().LoadOrStore(key, t)
	return v.(*T), nil
}

// BrowserSettings returns a function for Manifest.Browser for the settings type T: only fields tagged `browser:"true"` reach the browser.
// If a tagged field is a struct, only its tagged fields are included; a field of any other type is included whole.
func BrowserSettings[T any]() func(json.RawMessage) (json.RawMessage, error) {
	return func(raw json.RawMessage) (json.RawMessage, error) {
		t := new(T)
		if err := json.Unmarshal(raw, t); err != nil {
			return nil, fmt.Errorf("module: settings: %w", err)
		}
		return json.Marshal(visible(reflect.ValueOf(*t)))
	}
}

// ShowSettings adds a schema named BrowserSettings to the OpenAPI document: the fields of T that BrowserSettings includes. The generated
// api.gen.ts then has the type argument for useSettings.
func ShowSettings[T any](a huma.API) {
	schemas := a.OpenAPI().Components.Schemas
	schemas.Map()["BrowserSettings"] = huma.SchemaFromType(schemas, visibleType(reflect.TypeFor[T]()))
}

// visibleType returns t with only the fields that BrowserSettings includes.
func visibleType(t reflect.Type) reflect.Type {
	var fields []reflect.StructField
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Tag.Get("browser") != "true" {
			continue
		}
		if f.Type.Kind() == reflect.Struct && f.Type.NumField() > 0 && f.Type != reflect.TypeFor[value.Day]() {
			f.Type = visibleType(f.Type)
		}
		f.Offset, f.Index = 0, nil
		fields = append(fields, f)
	}
	return reflect.StructOf(fields)
}

func visible(v reflect.Value) map[string]any {
	out := map[string]any{}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Tag.Get("browser") != "true" {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		if f.Type.Kind() == reflect.Struct && f.Type.NumField() > 0 && f.Type != reflect.TypeFor[value.Day]() {
			out[name] = visible(v.Field(i))
			continue
		}
		out[name] = v.Field(i).Interface()
	}
	return out
}
