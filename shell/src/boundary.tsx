import { ErrorState, PageColumn } from '@wattle/ui';
import { Component, type ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';

interface BoundaryProps {
  compact?: boolean;
  /** Shown instead of a retry button; null if another part shows the error. */
  instead?: ReactNode;
  onRetry(): void;
  children: ReactNode;
}
/** An error boundary: an error replaces only the content of the boundary. */
export class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override componentDidCatch(error: unknown) {
    console.warn('a part of the page failed:', error);
  }
  override render() {
    if (!this.state.failed) return this.props.children;
    if (this.props.instead !== undefined) return this.props.instead;
    const error = (
      <ErrorState
        compact={this.props.compact}
        title={<FormattedMessage id="shell.part.failed" defaultMessage="This part cannot be shown right now" />}
        onRetry={this.props.onRetry}
      >
        <FormattedMessage
          id="shell.part.failed_text"
          defaultMessage="Nothing of yours is lost and the rest of the portal works."
        />
      </ErrorState>
    );
    return this.props.compact ? error : <PageColumn>{error}</PageColumn>;
  }
}
