// Package value has the value types of the field and their rules: civil days, amounts in cents, IBANs, telephone numbers, e-mail
// addresses, postal codes and ids. It imports nothing else of Wattle, so that rules, handlers and tests alike can use it.
package value
