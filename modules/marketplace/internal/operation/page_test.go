package operation

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPages(t *testing.T) {
	for elements, pages := range map[int64]int{0: 0, 1: 1, 9: 1, 10: 1, 11: 2, 20: 2, 21: 3} {
		assert.Equal(t, pages, NewPage[int](0, 10, elements).TotalPages, "%d", elements)
	}
}
