package marketplace

// memberRoutes are transfers, activation, moves of shares, access, history and receipt (C).
func (s *service) memberRoutes() {}
