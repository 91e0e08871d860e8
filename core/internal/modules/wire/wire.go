// Package wire is the protocol between core and a plugin's process.
package wire
