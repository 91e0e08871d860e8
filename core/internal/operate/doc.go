// Package operate is the wing of the running program and of who runs it: start and stop, configuration, health, backup, upgrade, demo.
//
//   - app builds every part of the wings above with fx and starts and stops them in order. It is the only package that knows them all.
//   - config reads flags, environment and file; doctor, backup and upgrade are the commands of the same names.
//   - demo has the people of a demo and its moving clock; about is what the program is made of.
//
// Called by core/cmd/wattle and core/portaltest. Imports every wing above.
package operate
