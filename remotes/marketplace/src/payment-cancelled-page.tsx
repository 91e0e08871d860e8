import { After } from './thank-you-page';

/** /thank-you in cancelled mode (2.4-payment-cancelled). */
export default function PaymentCancelledPage() {
  return <After cancelled />;
}
