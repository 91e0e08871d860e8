// Package http is the wing of the portal's address: every request of a browser or a back office arrives here.
//
//   - web finds the label, operation, caller and scope, and limits, logs and measures the request.
//   - portal serves index.html and GET /portal; assets serves the code of the shell and the remotes.
//   - ticket provides single-use addresses for downloads; docsite serves the documentation at /docs.
//
// Called by operate, which listens. Imports modules, people, events, labels, storage and base.
package http
