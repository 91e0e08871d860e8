// Package value holds the values of the field and their rules: civil days, amounts in cents, IBANs, telephone numbers, e-mail
// addresses, postal codes and ids. It depends on nothing of Wattle, so rules, handlers and tests alike can use it.
package value
