package identity

import (
	"net/http"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/problem"
)

// DemoSignIn returns the sign-in of the page of the demo (9-demo-sign-in): a browser that opens it with ?username= gets a session of that
// account, without its password, and goes to the landing page. An account with a temporary password goes to the sign-in form, where the
// password must be changed. It answers 404 outside the demo, and for an account that does not exist or cannot sign in. Only an opened page
// may call it, so that no image or script signs a visitor in.
func (s *Service) DemoSignIn() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, l := r.Context(), label.Of(r.Context())
		mode := r.Header.Get("Sec-Fetch-Mode")
		if !s.d.Demo || l == nil || r.Method != http.MethodGet || mode != "" && mode != "navigate" {
			problem.Write(w, errNotFound)
			return
		}
		account, err := s.accounts.byUsername(ctx, s.d.DB.Read(), l.Key, NormalizeUsername(r.URL.Query().Get("username")))
		if err == nil && (account.Role == ImpersonatorRole || account.Disabled) {
			err = errNotFound
		}
		var out *signedIn
		if p, perr := s.provider(l); err == nil && perr == nil && p == Provider(s.local) && !account.Temporary {
			out, err = s.startSession(ctx, l, account, Grant{})
		}
		if err != nil {
			problem.Write(w, problem.Of(err))
			return
		}
		if out != nil {
			for _, c := range out.SetCookie {
				http.SetCookie(w, &c)
			}
		}
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, "/", http.StatusSeeOther)
	})
}
