package marketplace

// orderRoutes are basket, orders, payments and what staff see of them (B).
func (s *service) orderRoutes() {}
