import type { OverlayProps } from '@wattle/sdk';

export default function MoveShares(_: OverlayProps) {
  return null;
}
