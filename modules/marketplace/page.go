package marketplace

// staffPage is how many offers, orders or payments staff see at a time.
const staffPage = 25

// pageOf is a page of a list, counted from 0 (9-market-page-base).
type pageOf[T any] struct {
	Content       []T `json:"content" nullable:"false"`
	Number        int `json:"number" doc:"Of the page, from 0 on"`
	Size          int `json:"size"`
	TotalPages    int `json:"totalPages"`
	TotalElements int `json:"totalElements"`
}

// newPage is a page of size elements at most, of elements in all.
func newPage[T any](number, size int, elements int64) pageOf[T] {
	n := int(elements)
	return pageOf[T]{Content: []T{}, Number: number, Size: size, TotalPages: (n + size - 1) / size, TotalElements: n}
}
