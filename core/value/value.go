// Package value contains the value types of the energy domain and their rules: civil days, amounts in cents, prices, IBANs, telephone
// numbers, e-mail addresses, postal codes and ids. It imports no other package of Wattle, so that rules, handlers and tests can use it.
package value
