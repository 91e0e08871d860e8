package account

import "github.com/wattle-portal/wattle/core/demodata"

// demo requests a phone number change for a test customer.
var demo = demodata.Data{Actions: map[string][]demodata.Call{
	"pending": {{Module: "account", Path: "/relations/phonenumber", Body: map[string]any{"phone_number": "0687654321"}}},
}}
