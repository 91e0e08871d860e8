package account

import "github.com/wattle-portal/wattle/core/demodata"

// demo requests a change of the phone number for a test customer.
var demo = demodata.Data{Actions: map[string][]demodata.Call{
	"pending": {{Module: "account", Path: "/relations/phonenumber", Body: map[string]any{"phone_number": "0687654321"}}},
}}
