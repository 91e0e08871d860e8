package account

import "github.com/wattle-portal/wattle/core/demodata"

// demo lets a customer of a test ask for another phone number.
var demo = demodata.Data{Actions: map[string][]demodata.Call{
	"pending": {{Module: "account", Path: "/relations/phonenumber", Body: map[string]any{"phone_number": "0687654321"}}},
}}
