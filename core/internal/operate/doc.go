// Package operate is the wing of the running program and the commands of its operators: start and stop, configuration, health, backup,
// upgrade, demo.
//
//   - app builds the parts of all package groups above with fx, and starts and stops them in order. No other package imports them all.
//   - config reads flags, environment and file; doctor, backup and upgrade are the commands of the same names.
//   - demo contains the people and the clock of a demo; about contains the versions of the program and its parts.
//
// Called by core/cmd/wattle and core/portaltest. Imports every package group above.
package operate
