import type { OverlayProps } from '@wattle/sdk';

export default function RedeemOffer(_: OverlayProps) {
  return null;
}
