package offer

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/wattle-portal/wattle/core/value"
)

var decimal = regexp.MustCompile(`^(-?)(\d{1,9})(?:\.(\d+))?$`)

// FloorPrice rounds the price of a share down to whole euros (5.7-offer-price-floor), before the price is compared
// (5.7-offer-price-floor-order). An order is shares times this price, and is never rounded.
func FloorPrice(s json.Number) (value.Cents, bool) {
	part := decimal.FindStringSubmatch(string(s))
	if part == nil {
		return 0, false
	}
	euros, err := strconv.ParseInt(part[2], 10, 64)
	if err != nil {
		return 0, false
	}
	if part[1] == "-" {
		if euros = -euros; strings.Trim(part[3], "0") != "" {
			euros--
		}
	}
	return value.Cents(euros * 100), true
}
