import { FormattedMessage, useIntl } from 'react-intl';

/** The kind of a message in one word. */
export function Kind({ kind }: { kind: string }) {
  return <>{useKind()(kind)}</>;
}

export function useKind(): (kind: string) => string {
  const intl = useIntl();
  return (kind) =>
    intl.formatMessage(
      {
        id: 'notifications.kind',
        defaultMessage:
          '{kind, select, security {Security} contract {Contract} payment {Payments} project {Projects} market {Market} other {News}}',
      },
      { kind },
    );
}

/** Explains why a kind cannot be switched off, or describes its messages. */
export function KindDescription({ kind }: { kind: string }) {
  return (
    <FormattedMessage
      id="notifications.about"
      defaultMessage="{kind, select, security {You always hear of what happens with your account.} contract {We have to tell you when something changes in your contract.} payment {So that you know what to pay and when.} project {What happens at the projects that you take part in.} market {Prices, offers and demand in the marketplace.} other {What is new with us, and tips.}}"
      values={{ kind }}
    />
  );
}
