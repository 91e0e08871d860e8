package record

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// Kind describes a record kind, for `wattle import schema`, `wattle import template` and refusals that list the allowed values.
type Kind struct {
	Name     string
	Doc      string              // describes a record and its natural key
	Fields   any                 // a value of the struct into which a record is decoded, with the tags json, doc and enum
	Required []string            // fields without which a record is refused; "addresses.0.city": in each element of addresses
	Values   map[string][]string // allowed values by field, in addition to those of an enum tag
	// Example is a JSON record that can be imported as it is, after the examples of the preceding kinds. YESTERDAY is replaced with
	// yesterday's date.
	Example string
}

// JSONTyper is implemented by a field type that accepts other JSON types than its Go type suggests.
type JSONTyper interface{ JSONTypes() []string }

// Texts returns the values of an enumeration as strings.
func Texts[T ~string](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

type schema = map[string]any

// Schema returns the JSON Schema (draft 2020-12) for records of a kind.
func (k Kind) Schema(now time.Time) ([]byte, error) {
	out := k.schemaOf(reflect.TypeOf(k.Fields), "")
	out["$schema"], out["title"], out["description"] = "https://json-schema.org/draft/2020-12/schema", k.Name, k.Doc
	out["examples"] = []json.RawMessage{k.example(now)}
	b, err := json.MarshalIndent(out, "", "  ")
	return append(b, '\n'), err
}

func (k Kind) example(now time.Time) json.RawMessage {
	return json.RawMessage(strings.ReplaceAll(k.Example, "YESTERDAY", now.AddDate(0, 0, -1).UTC().Format(time.DateOnly)))
}

var (
	dayType         = reflect.TypeFor[value.Day]()
	unmarshalerType = reflect.TypeFor[json.Unmarshaler]()
)

// schemaOf returns the schema of a Go type. path is the name of the field followed by a dot, or empty.
func (k Kind) schemaOf(t reflect.Type, path string) schema {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if typer, ok := reflect.New(t).Interface().(JSONTyper); ok {
		return schema{"type": typer.JSONTypes()}
	}
	if t == dayType {
		return schema{"type": "string", "format": "date"}
	}
	loose := reflect.PointerTo(t).Implements(unmarshalerType)
	switch t.Kind() {
	case reflect.String:
		if loose {
			return schema{"type": []string{"string", "number", "boolean", "null"}}
		}
		return schema{"type": "string"}
	case reflect.Bool:
		if loose {
			return schema{"type": []string{"boolean", "string", "null"}}
		}
		return schema{"type": "boolean"}
	case reflect.Slice:
		return schema{"type": "array", "items": k.schemaOf(t.Elem(), path+"0.")}
	case reflect.Map:
		return schema{"type": "object", "additionalProperties": k.schemaOf(t.Elem(), path)}
	case reflect.Struct:
		properties, required := schema{}, []string{}
		k.fields(t, path, func(name string, f reflect.StructField) {
			field := k.schemaOf(f.Type, path+name+".")
			if doc := f.Tag.Get("doc"); doc != "" {
				field["description"] = doc
			}
			if allowed := k.allowed(path+name, f); allowed != nil {
				field["enum"] = allowed
				delete(field, "type")
			}
			if slices.Contains(k.Required, path+name) {
				required = append(required, name)
			}
			properties[name] = field
		})
		if len(properties) == 0 { // a number that the module parses
			return schema{"type": []string{"number", "string", "null"}}
		}
		out := schema{"type": "object", "properties": properties}
		if len(required) > 0 {
			out["required"] = required
		}
		return out
	}
	return schema{"type": []string{"number", "string"}}
}

// fields calls f for each field of a record, including fields of embedded structs.
func (k Kind) fields(t reflect.Type, path string, f func(name string, field reflect.StructField)) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case field.Anonymous && name == "":
			k.fields(field.Type, path, f)
		case !field.IsExported():
		case name == "":
			f(strings.ToLower(field.Name), field)
		default:
			f(name, field)
		}
	}
}

func (k Kind) allowed(path string, f reflect.StructField) []string {
	if values := k.Values[path]; values != nil {
		return values
	}
	if tag := f.Tag.Get("enum"); tag != "" {
		return strings.Split(tag, ",")
	}
	return nil
}

var index = regexp.MustCompile(`\.[0-9]+(\.|$)`)

// Allowed returns the allowed values of a field such as "addresses.3.commodity", or nil if it may have any value.
func (k Kind) Allowed(field string) (values []string) {
	field = index.ReplaceAllString(field, ".0$1")
	k.walk(reflect.TypeOf(k.Fields), "", func(path string, f reflect.StructField) bool {
		if path == field {
			values = k.allowed(path, f)
		}
		return true
	})
	return values
}

// Has reports whether a record of the kind has a field, such as "addresses.3.city". If an object has no fixed fields, it has every field
// below it.
func (k Kind) Has(field string) (found bool) {
	field = index.ReplaceAllString(field, ".0$1")
	k.walk(reflect.TypeOf(k.Fields), "", func(path string, f reflect.StructField) bool {
		_, typed := reflect.New(f.Type).Interface().(JSONTyper)
		open := f.Type.Kind() == reflect.Map || f.Type.Kind() == reflect.Slice && !k.hasFields(f.Type.Elem()) || typed
		found = found || path == field || open && strings.HasPrefix(field, path+".")
		return !open
	})
	return found
}

// hasFields reports whether the elements of a list are objects with fixed fields.
func (k Kind) hasFields(t reflect.Type) (has bool) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct && t != dayType {
		k.fields(t, "", func(string, reflect.StructField) { has = true })
	}
	return has
}

// Names returns the names of the outermost fields of a record.
func (k Kind) Names() (names []string) {
	k.fields(reflect.TypeOf(k.Fields), "", func(name string, _ reflect.StructField) { names = append(names, name) })
	return names
}

// Paths returns the names of all fields of a record, such as "addresses.0.city". The element of a list is 0.
func (k Kind) Paths() (paths []string) {
	k.walk(reflect.TypeOf(k.Fields), "", func(path string, f reflect.StructField) bool {
		t := f.Type
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		_, typed := reflect.New(t).Interface().(JSONTyper)
		isList := t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8
		switch {
		case !typed && (k.hasFields(t) || isList && k.hasFields(t.Elem())):
			return true
		case !typed && isList:
			path += ".0"
		}
		paths = append(paths, path)
		return false
	})
	return paths
}

// Sample returns the value of a field in the example, as a string; an empty string when the example does not have the field.
func (k Kind) Sample(field string, now time.Time) string {
	d := json.NewDecoder(bytes.NewReader(k.example(now)))
	d.UseNumber()
	sample := ""
	_ = flatten(d, "", func(name, text string) { // the tests of the kinds read every example
		if name == field {
			sample = text
		}
	})
	return sample
}

// walk calls f for every field of a record, and for the fields below it if f returns true.
func (k Kind) walk(t reflect.Type, path string, f func(path string, field reflect.StructField) bool) {
	k.fields(t, path, func(name string, field reflect.StructField) {
		if !f(path+name, field) {
			return
		}
		inner, below := field.Type, path+name+"."
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			if inner.Kind() == reflect.Slice {
				below += "0."
			}
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct && inner != dayType {
			k.walk(inner, below, f)
		}
	})
}

// Template returns a CSV file with the header and the row of the example.
func (k Kind) Template(now time.Time) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(k.example(now)))
	d.UseNumber()
	var header, row []string
	if err := flatten(d, "", func(name, text string) { header, row = append(header, name), append(row, text) }); err != nil {
		return nil, fmt.Errorf("record: the example of %s: %w", k.Name, err)
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.WriteAll([][]string{header, row}) // writing to a buffer does not fail
	return b.Bytes(), nil
}

// flatten calls add for every value at any depth, in document order.
func flatten(d *json.Decoder, path string, add func(name, text string)) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	opens, ok := token.(json.Delim)
	if !ok {
		text := ""
		if token != nil {
			text = fmt.Sprint(token)
		}
		add(strings.TrimSuffix(path, "."), text)
		return nil
	}
	for i := 0; d.More(); i++ {
		name := strconv.Itoa(i)
		if opens == '{' {
			key, err := d.Token()
			if err != nil {
				return err
			}
			name, _ = key.(string) // the key of an object is always a string
		}
		if err := flatten(d, path+name+".", add); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}
