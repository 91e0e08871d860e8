import type { OverlayProps } from '@wattle/sdk';

export default function CreateOffer(_: OverlayProps) {
  return null;
}
