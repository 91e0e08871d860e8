import { useNavigate } from '@wattle/sdk';
import { Html } from '@wattle/ui/html';

/** The HTML text of a message (2.5-notifications-sanitise). */
export function Message({ html }: { html: string }) {
  return <Html html={html} onLink={useNavigate()} />;
}
