// Package labels is the wing of brands: the CUE of a label, its texts, colors and pages, and its mails.
//
//   - label compiles and watches the folders and finds the label of a host. It knows the settings of a module only as a schema, which
//     the registry gives it.
//   - theme, markdown, icu and mapping are pure: colors, pages, texts and CSV mappings of a label. icu is also part of the contract of
//     modules.
//   - mail renders a mail in the style of a label and sends it.
//
// Called by every wing below. Imports base and storage.
package labels
