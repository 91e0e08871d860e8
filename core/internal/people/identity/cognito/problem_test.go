package cognito

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/smithy-go"

	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/problem"
)

// exceptions returns the names of all exceptions in the SDK.
func exceptions(t *testing.T) (all []string) {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types").Output()
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "errors.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.TypeSpec); ok && strings.HasSuffix(s.Name.Name, "Exception") {
			all = append(all, s.Name.Name)
		}
		return true
	})
	return all
}

// TestExceptions checks the problem for every exception of the SDK, and for some that the SDK does not have, for every call on
// behalf of a user.
func TestExceptions(t *testing.T) {
	calls := map[string]*problem.Problem{"sign-in": identity.ErrWrongCredentials, "challenge, refresh": identity.ErrSessionExpired,
		"code": identity.ErrCodeInvalid, "administrator": identity.ErrUnavailable}
	const refused = "refused"   // the problem for a refusal without further details
	users := map[string]string{ // all other exceptions concern the operator of the portal or the pool
		"NotAuthorizedException": refused, "UserNotFoundException": refused,
		"CodeMismatchException": identity.CodeCodeInvalid, "ExpiredCodeException": identity.CodeCodeInvalid,
		"InvalidPasswordException": identity.CodePasswordPolicy, "PasswordHistoryPolicyViolationException": identity.CodePasswordPolicy,
		"InvalidParameterException": identity.CodeInvalidChars,
		"LimitExceededException":    identity.CodeAttempts, "TooManyRequestsException": identity.CodeAttempts,
		"TooManyFailedAttemptsException": identity.CodeAttempts, "CodeDeliveryFailureException": identity.CodeMailTimeout,
		"UserLambdaValidationException": identity.CodePreLogin, "UserNotConfirmedException": identity.CodePreLogin,
		"PasswordResetRequiredException": identity.CodePreLogin, "RefreshTokenReuseException": identity.CodeSessionExpired,
	}
	all := append(exceptions(t), "AccessDeniedException", "ThrottlingException", "UnrecognizedClientException", "ValidationException",
		"OfNextYearException", "")
	if len(all) < 40 {
		t.Fatalf("%d exceptions: is the SDK read right?", len(all))
	}
	t.Run("8-id-unknown", func(t *testing.T) {
		seen := 0
		for _, name := range all {
			want := users[name]
			if want != "" {
				seen++
			}
			for call, failure := range calls {
				p := problem.Of(classify(answered(name), failure))
				code := want
				switch {
				case want == refused:
					code = failure.Code
				case want == identity.CodeCodeInvalid && failure == identity.ErrSessionExpired:
					code = identity.CodeSessionExpired
				case want == "":
					code = problem.CodeUnavailable
				}
				if p.Code != code || p.Status == 500 || (want == "") != (p.Status == 503) && failure != identity.ErrUnavailable {
					t.Errorf("%s at %s: %d %s, want %s", name, call, p.Status, p.Code, code)
				}
			}
		}
		if seen != len(users) {
			t.Errorf("%d of %d exceptions are in the SDK", seen, len(users))
		}
	})
}

// answered returns the error that the SDK returns for an exception that is not documented for the call.
func answered(name string) error {
	return &smithy.OperationError{ServiceID: "Cognito", OperationName: "X",
		Err: &smithy.GenericAPIError{Code: name, Message: "m", Fault: smithy.FaultClient}}
}
