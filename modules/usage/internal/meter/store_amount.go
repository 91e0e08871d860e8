package meter

import "database/sql/driver"

// Value stores an amount as an integer; without this method bun would store its JSON.
func (a Amount) Value() (driver.Value, error) { return int64(a), nil }
