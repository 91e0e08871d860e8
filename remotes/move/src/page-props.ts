import type { Problem } from '@wattle/sdk';
import type { Ref } from 'react';
import type { Agreement } from './agreement.rules';
import type { Draft, WizardData } from './wizard.rules';

/** Props of every page of the wizard. */
export interface PageProps {
  draft: Draft;
  /** Updates the draft; the function is stable. */
  keep(part: Partial<Draft>): void;
  known: WizardData;
  chosen: Agreement | undefined;
  go(page: number): void;
  heading: Ref<HTMLHeadingElement>;
  /** The problem of the last submission. */
  refused: Problem | null;
}
