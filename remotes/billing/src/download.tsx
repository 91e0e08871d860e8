import { type DownloadOptions, useDownload, useProblemText } from '@wattle/sdk';
import { Icon } from '@wattle/ui';
import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';

/** Returns the download for a row, and its problem. */
export function useFile(path: string, o?: DownloadOptions) {
  const { download, busy, problem } = useDownload();
  return { save: () => void download(path, o), busy, problem };
}
export type File = ReturnType<typeof useFile>;

/** A button with a word for the file. `label` is its accessible name, which contains that word. */
export function FileButton({ file, label, children }: { file: File; label: string; children: ReactNode }) {
  return (
    <Quiet type="button" data-screen aria-label={label} aria-busy={file.busy || undefined} onClick={file.save}>
      <Icon name="download" size={16} />
      {children}
    </Quiet>
  );
}

/** The problem of a failed download, shown at its row. */
export function FileProblem({ file }: { file: File }): ReactNode {
  const text = useProblemText();
  if (!file.problem) return null;
  const { status } = file.problem;
  return (
    <ErrorText role="alert">
      <Icon name="alert" size={16} />
      <span>
        {status === 404 ? (
          text({ code: 'billing.file_missing' })
        ) : (
          <FormattedMessage
            id="billing.file_failed"
            defaultMessage="Downloading did not work. Check your connection and try again."
          />
        )}
      </span>
    </ErrorText>
  );
}

const Quiet = styled.button`
  display: inline-flex; align-items: center; gap: 6px; min-height: 44px; padding: 0 8px; border-radius: var(--w-radius-control); font-size: 14px; font-weight: 600; color: var(--w-primary-ink);
  &:hover { background: var(--w-tint); } &:active { background: var(--w-tint-strong); } &[aria-busy] { cursor: progress; }
`;
const ErrorText = styled.div`
  display: flex; gap: 6px; font-size: 14px; color: var(--w-negative); font-weight: 400;
  svg { margin-top: 3px; flex: none; }
`;
