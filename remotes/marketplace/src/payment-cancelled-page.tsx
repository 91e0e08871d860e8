import { After } from './thank-you-page';

/** /thank-you in canceled mode (2.4-payment-cancelled). */
export default function PaymentCancelledPage() {
  return <After cancelled />;
}
