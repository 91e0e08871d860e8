// Package labels is the wing of brands: the CUE of a label, its texts, colors and pages, and its emails.
//
//   - label compiles labels, watches their folders and finds the label of a host. It gets the settings of a module from the registry, as
//     a schema.
//   - theme, markdown, icu and mapping are pure: they compute the colors, pages, texts and CSV mappings of a label. icu is also part of
//     the contract of modules.
//   - mail renders emails in the style of a label and sends them.
//
// Every package group below calls it. It imports base and storage.
package labels
