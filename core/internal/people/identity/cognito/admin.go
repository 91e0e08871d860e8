package cognito

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	idp "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
)

// Put implements identity.Provider. It creates the user without an email from the pool, because the portal sends its own email in the
// label's style. An existing user is not changed.
func (p *Provider) Put(ctx context.Context, l *label.Label, a identity.Account, password string, temporary bool) (string, error) {
	c, err := p.client(ctx, l, true)
	if err != nil {
		return "", err
	}
	in := &idp.AdminCreateUserInput{UserPoolId: &l.Identity.UserPoolID, Username: &a.Username, MessageAction: types.MessageActionTypeSuppress,
		ClientMetadata: metadata, UserAttributes: attributes(a.Email)}
	if a.Name != "" {
		in.UserAttributes = append(in.UserAttributes, types.AttributeType{Name: aws.String("name"), Value: &a.Name})
	}
	if a.Role == identity.ImpersonatorRole {
		in.UserAttributes = append(in.UserAttributes, types.AttributeType{Name: aws.String("custom:" + impersonatorAttribute),
			Value: aws.String("true")})
	}
	if password != "" {
		in.TemporaryPassword = &password
	}
	_, err = c.AdminCreateUser(ctx, in)
	if _, exists := errors.AsType[*types.UsernameExistsException](err); exists {
		return "", nil
	}
	if err != nil {
		return "", p.problem(ctx, l, err, identity.ErrUnavailable)
	}
	if password == "" || temporary {
		return "", nil
	}
	_, err = c.AdminSetUserPassword(ctx, &idp.AdminSetUserPasswordInput{UserPoolId: &l.Identity.UserPoolID, Username: &a.Username,
		Password: &password, Permanent: true})
	return "", p.problem(ctx, l, err, identity.ErrUnavailable)
}

// IsInactive implements identity.Provider. A user of an external identity provider has no password in the pool and counts as
// active.
func (p *Provider) IsInactive(ctx context.Context, l *label.Label, a identity.Account) (bool, error) {
	c, err := p.client(ctx, l, true)
	if err != nil {
		return false, err
	}
	u, err := user(ctx, c, l, a)
	if _, absent := errors.AsType[*types.UserNotFoundException](err); absent {
		return true, nil
	}
	if err != nil {
		return false, p.problem(ctx, l, err, identity.ErrUnavailable)
	}
	active := u.UserStatus == types.UserStatusTypeConfirmed || u.UserStatus == types.UserStatusTypeExternalProvider
	return !u.Enabled || !active, nil
}

// SetTemporaryPassword implements identity.Provider. It creates the user if necessary, enables it, and sets a password that must
// be changed.
func (p *Provider) SetTemporaryPassword(ctx context.Context, l *label.Label, a identity.Account, password string) (string, error) {
	c, err := p.client(ctx, l, true)
	if err != nil {
		return "", err
	}
	name := a.User(issuer(l))
	enable := func() error {
		_, err := c.AdminEnableUser(ctx, &idp.AdminEnableUserInput{UserPoolId: &l.Identity.UserPoolID, Username: &name})
		return err
	}
	err = enable()
	if _, absent := errors.AsType[*types.UserNotFoundException](err); absent {
		if _, err := p.Put(ctx, l, a, password, true); err != nil {
			return "", err
		}
		name = a.Username
		err = enable()
	}
	if err != nil {
		return "", p.problem(ctx, l, err, identity.ErrUnavailable)
	}
	_, err = c.AdminSetUserPassword(ctx, &idp.AdminSetUserPasswordInput{UserPoolId: &l.Identity.UserPoolID, Username: &name,
		Password: &password})
	return "", p.problem(ctx, l, err, identity.ErrUnavailable)
}

// user finds the user of an account by its sub, or by the username if the pool no longer has that sub.
func user(ctx context.Context, c *idp.Client, l *label.Label, a identity.Account) (u *idp.AdminGetUserOutput, err error) {
	for _, name := range []string{a.User(issuer(l)), a.Username} {
		u, err = c.AdminGetUser(ctx, &idp.AdminGetUserInput{UserPoolId: &l.Identity.UserPoolID, Username: &name})
		if _, absent := errors.AsType[*types.UserNotFoundException](err); !absent {
			return u, err
		}
	}
	return u, err
}

// SubjectOf implements identity.Provider. The pool also finds users by an alias.
func (p *Provider) SubjectOf(ctx context.Context, l *label.Label, a identity.Account) (identity.Subject, error) {
	c, err := p.client(ctx, l, true)
	if err != nil {
		return identity.Subject{}, err
	}
	u, err := user(ctx, c, l, a)
	if _, absent := errors.AsType[*types.UserNotFoundException](err); absent {
		return identity.Subject{}, nil
	}
	if err != nil {
		return identity.Subject{}, p.problem(ctx, l, err, identity.ErrUnavailable)
	}
	for _, a := range u.UserAttributes {
		if aws.ToString(a.Name) == "sub" {
			return identity.Subject{Issuer: issuer(l), ID: aws.ToString(a.Value)}, nil
		}
	}
	return identity.Subject{}, invalidResponse("a user without a sub")
}

// SetEmail implements identity.Provider. The address is marked as verified, because the customer confirmed it and the back office
// approved it.
func (p *Provider) SetEmail(ctx context.Context, l *label.Label, a identity.Account, email string) error {
	c, err := p.client(ctx, l, true)
	if err != nil {
		return err
	}
	_, err = c.AdminUpdateUserAttributes(ctx, &idp.AdminUpdateUserAttributesInput{UserPoolId: &l.Identity.UserPoolID,
		Username:       aws.String(a.User(issuer(l))),
		UserAttributes: attributes(email), ClientMetadata: metadata})
	return p.problem(ctx, l, err, identity.ErrUnavailable)
}

func attributes(email string) []types.AttributeType {
	if email == "" {
		return nil
	}
	return []types.AttributeType{{Name: aws.String("email"), Value: &email}, {Name: aws.String("email_verified"), Value: aws.String("true")}}
}

// Renames implements identity.Provider. The username of a pool cannot change.
func (p *Provider) Renames() bool { return false }
