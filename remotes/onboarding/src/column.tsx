import { PageColumn, Stack } from '@wattle/ui';
import type { ReactNode } from 'react';

/** The column of a page without a title, for a result. */
export const Column = ({ children }: { children: ReactNode }) => (
  <PageColumn>
    <Stack gap={32}>{children}</Stack>
  </PageColumn>
);
