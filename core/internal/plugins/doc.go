// Package plugins is the wing of modules that run in a separate process.
//
//   - pluginhost starts, watches, replaces and removes the processes, and carries calls, events and files in both directions. To the
//     rest of core a plugin is a module in the registry.
//   - pluginfile writes and installs a plugin as one file; pluginpage shows a plugin on the admin address.
//
// Called by operate and the commands of wattle. Imports records, modules and all package groups above these.
package plugins
