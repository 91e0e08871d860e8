// What the forms of one's own shares have in common.
import { type Problem, useProblemText } from '@wattle/sdk';
import { Alert, Button } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import type { Participation, Project } from './api';

/** A participation of one's own and its project. */
export interface Own {
  project: Project;
  participation: Participation;
}
export const ownOf = (projects: readonly Project[]): Own[] =>
  projects.flatMap((project) => project.participations.map((participation) => ({ project, participation })));

/** The participation that a form begins with: the one in the address, as the participation page names it, or the only one. */
export function startOf(own: readonly Own[], search: URLSearchParams): string {
  const ids = own.map((o) => o.participation.participation_identifier);
  const asked = search.get('participation') ?? '';
  return ids.includes(asked) ? asked : ids.length === 1 ? (ids[0] ?? '') : '';
}

/** Shares that can still be offered: those on offer, and those about to move, cannot. */
export const freeOf = (p: Participation): number => Math.max(0, p.availableShares - p.moving_share);

/** What was refused, per field, as text. */
export function useWrong(): (refusals: readonly { field: string; code: string }[]) => Record<string, string> {
  const text = useProblemText();
  return (refusals) => Object.fromEntries(refusals.map((r) => [r.field, text(r)]));
}

/** A failed action: the words of the spec as title, the reason by its code, and a way on (8-order-action-failed, 8-create-offer-failed). */
export function Failed({
  problem,
  title,
  busy,
  retry,
}: {
  problem: Problem | null;
  title: 'error' | 'wrong';
  busy?: boolean;
  retry?(): void;
}) {
  const text = useProblemText();
  if (!problem) return null;
  const ours = problem.status === 0 || problem.status >= 500;
  return (
    <Alert
      title={
        <FormattedMessage
          id="marketplace.failed"
          defaultMessage="{title, select, error {Error} other {Something went wrong}}"
          values={{ title }}
        />
      }
      actions={
        ours &&
        retry && (
          <Button small icon="retry" loading={busy} onClick={retry}>
            <FormattedMessage id="marketplace.retry" defaultMessage="Try again" />
          </Button>
        )
      }
    >
      {[...new Set((problem.errors?.length ? problem.errors : [problem]).map(text))].map((reason) => (
        <div key={reason}>{reason}</div>
      ))}
      {!ours && (
        <FormattedMessage id="marketplace.nothing_changed" defaultMessage="Nothing has been changed. Check it and try again." />
      )}
    </Alert>
  );
}
