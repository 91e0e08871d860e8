// Package operate is the wing of the running program and the commands of its operators: start and stop, configuration, health, backup,
// upgrade, demo.
//
//   - app builds every part of the wings above with fx and starts and stops them in order. It is the only package that knows them all.
//   - config reads flags, environment and file; doctor, backup and upgrade are the commands of the same names.
//   - demo has the people of a demo and its moving clock; about has the versions of the program and its parts.
//
// Called by core/cmd/wattle and core/portaltest. Imports every wing above.
package operate
