import Glance from './glance';

/** At a glance on the account page, which has details and settings too. */
export default function GlanceShort({ hide }: { hide(): void }) {
  return <Glance short hide={hide} />;
}
