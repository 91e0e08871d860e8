package value_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

func ExampleDay() {
	d, err := value.ParseDay("2026-01-31")
	fmt.Println(d.AddDays(1), d.AddMonths(1), err)
	_, err = value.ParseDay("2026-02-29")
	fmt.Println(err != nil)
	// Output:
	// 2026-02-01 2026-02-28 <nil>
	// true
}

// A day begins and ends in the label's time zone, and does not always have 24 hours.
func ExampleDay_In() {
	amsterdam, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		panic(err)
	}
	d := value.Day{Year: 2026, Month: time.March, Day: 29}
	fmt.Println(d.In(amsterdam), d.AddDays(1).In(amsterdam).Sub(d.In(amsterdam)))
	// Output: 2026-03-29 00:00:00 +0100 CET 23h0m0s
}

func ExampleDay_MarshalText() {
	out, err := json.Marshal(struct {
		From  value.Day `json:"from"`
		Until value.Day `json:"until"`
	}{From: value.Day{Year: 2026, Month: time.November, Day: 20}})
	fmt.Println(string(out), err)
	// Output: {"from":"2026-11-20","until":""} <nil>
}

func ExampleParseCents() {
	c, err := value.ParseCents("12.5")
	fmt.Println(c, int64(c), err)
	_, err = value.ParseCents("12.345")
	fmt.Println(err)
	// Output:
	// 12.50 1250 <nil>
	// value: not an amount of euros with at most two decimals
}

func ExampleValidIBAN() {
	iban := value.NormalizeIBAN("nl91 abna 0417 1643 00")
	fmt.Println(iban, value.ValidIBAN(iban), value.ValidIBAN("NL92ABNA0417164300"))
	// Output: NL91ABNA0417164300 true false
}

func ExampleNormalizeZipCode() {
	fmt.Println(value.NormalizeZipCode(" 1012 ab "))
	// Output: 1012AB
}

// The same parts always give the same id, so a repeated import finds the rows of the first import.
func ExampleStableID() {
	first, second := value.StableID("1042", "relation", "D1"), value.StableID("1042", "relation", "D1")
	fmt.Println(first == second, first == value.StableID("1024", "relation", "D1"))
	// Output: true false
}
