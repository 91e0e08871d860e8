package acme

// mayAdd reports whether a customer with a number of notes may have one more.
func mayAdd(notes int64, s Settings) bool { return notes < int64(s.MaxNotes) }

// codeFull is the code of the refusal of a note above the limit. The React half has its text.
const codeFull = "acme.notes_full"
