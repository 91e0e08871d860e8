package operation

const StaffPage = 25

// PageOf is a page of a list; pages are numbered from 0 (9-market-page-base).
type PageOf[T any] struct {
	Content       []T `json:"content" nullable:"false" doc:"Elements of the page"`
	Number        int `json:"number" doc:"Number of this page, from 0"`
	Size          int `json:"size" doc:"Maximum number of elements on a page"`
	TotalPages    int `json:"totalPages" doc:"Number of pages"`
	TotalElements int `json:"totalElements" doc:"Number of elements on all pages"`
}

// NewPage returns an empty page of at most size elements; elements is the total number.
func NewPage[T any](number, size int, elements int64) PageOf[T] {
	n := int(elements)
	return PageOf[T]{Content: []T{}, Number: number, Size: size, TotalPages: (n + size - 1) / size, TotalElements: n}
}
