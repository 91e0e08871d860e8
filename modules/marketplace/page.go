package marketplace

// staffPage is the number of offers, orders or payments on a page for staff.
const staffPage = 25

// pageOf is a page of a list; pages count from 0 (9-market-page-base).
type pageOf[T any] struct {
	Content       []T `json:"content" nullable:"false" doc:"What is on the page"`
	Number        int `json:"number" doc:"Number of this page, from 0"`
	Size          int `json:"size" doc:"Maximum number of elements on a page"`
	TotalPages    int `json:"totalPages" doc:"Number of pages"`
	TotalElements int `json:"totalElements" doc:"Number of elements on all pages"`
}

// newPage returns an empty page of at most size elements, out of elements in all.
func newPage[T any](number, size int, elements int64) pageOf[T] {
	n := int(elements)
	return pageOf[T]{Content: []T{}, Number: number, Size: size, TotalPages: (n + size - 1) / size, TotalElements: n}
}
