package cognito

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	idp "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"

	"github.com/wattle-portal/wattle/core/internal/identity"
	"github.com/wattle-portal/wattle/core/internal/label"
)

// Put makes the user in the pool without a mail of the pool's: ours are in the label's looks. A user that is there is left alone.
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
		in.UserAttributes = append(in.UserAttributes, types.AttributeType{Name: aws.String("custom:" + attribute), Value: aws.String("true")})
	}
	if password != "" {
		in.TemporaryPassword = &password
	}
	_, err = c.AdminCreateUser(ctx, in)
	if _, there := errors.AsType[*types.UsernameExistsException](err); there {
		return "", nil
	}
	if err != nil {
		return "", problem(err, identity.ErrUnavailable)
	}
	if password == "" || temporary {
		return "", nil
	}
	_, err = c.AdminSetUserPassword(ctx, &idp.AdminSetUserPasswordInput{UserPoolId: &l.Identity.UserPoolID, Username: &a.Username,
		Password: &password, Permanent: true})
	return "", problem(err, identity.ErrUnavailable)
}

// Asleep asks the pool. A user of another identity provider has no password here and is awake.
func (p *Provider) Asleep(ctx context.Context, l *label.Label, a identity.Account) (bool, error) {
	c, err := p.client(ctx, l, true)
	if err != nil {
		return false, err
	}
	u, err := c.AdminGetUser(ctx, &idp.AdminGetUserInput{UserPoolId: &l.Identity.UserPoolID, Username: &a.Username})
	if _, absent := errors.AsType[*types.UserNotFoundException](err); absent {
		return true, nil
	}
	if err != nil {
		return false, problem(err, identity.ErrUnavailable)
	}
	awake := u.UserStatus == types.UserStatusTypeConfirmed || u.UserStatus == types.UserStatusTypeExternalProvider
	return !u.Enabled || !awake, nil
}

// Wake makes the user when he is not there, lets him in, and sets a password that he must change.
func (p *Provider) Wake(ctx context.Context, l *label.Label, a identity.Account, password string) (string, error) {
	if _, err := p.Put(ctx, l, a, password, true); err != nil {
		return "", err
	}
	c, err := p.client(ctx, l, true)
	if err != nil {
		return "", err
	}
	if _, err := c.AdminEnableUser(ctx, &idp.AdminEnableUserInput{UserPoolId: &l.Identity.UserPoolID, Username: &a.Username}); err != nil {
		return "", problem(err, identity.ErrUnavailable)
	}
	_, err = c.AdminSetUserPassword(ctx, &idp.AdminSetUserPasswordInput{UserPoolId: &l.Identity.UserPoolID, Username: &a.Username, Password: &password})
	return "", problem(err, identity.ErrUnavailable)
}

// SetEmail changes the address after the back office approved it; it was verified before.
func (p *Provider) SetEmail(ctx context.Context, l *label.Label, a identity.Account, email string) error {
	c, err := p.client(ctx, l, true)
	if err != nil {
		return err
	}
	_, err = c.AdminUpdateUserAttributes(ctx, &idp.AdminUpdateUserAttributesInput{UserPoolId: &l.Identity.UserPoolID, Username: &a.Username,
		UserAttributes: attributes(email), ClientMetadata: metadata})
	return problem(err, identity.ErrUnavailable)
}

func attributes(email string) []types.AttributeType {
	if email == "" {
		return nil
	}
	return []types.AttributeType{{Name: aws.String("email"), Value: &email}, {Name: aws.String("email_verified"), Value: aws.String("true")}}
}

// Renames is false: a pool's username cannot change.
func (p *Provider) Renames() bool { return false }
