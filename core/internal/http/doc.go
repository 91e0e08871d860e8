// Package http is the wing of the portal's address: every request of a browser or a back office enters here.
//
//   - web finds label, operation, caller and scope, and limits, logs and measures the request.
//   - portal answers with index.html and GET /portal, assets with the code of shell and remotes.
//   - ticket has the single-use addresses of downloads, docsite the documentation at /docs.
//
// Called by the wing operate, which listens. Imports modules, people, events, labels, storage and base.
package http
