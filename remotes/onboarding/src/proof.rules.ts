import { sha256 } from '@noble/hashes/sha2.js';

/**
 * Returns a function that searches for the solution of a proof-of-work challenge: a string for which the SHA-256 of
 * "<challenge>:<solution>" begins with `bits` zero bits. Each call makes `tries` attempts, and returns the solution if it has been
 * found.
 */
export function solver(challenge: string, bits: number): (tries: number) => string | undefined {
  const text = new TextEncoder();
  const start = sha256.create().update(text.encode(`${challenge}:`));
  let next = 0;
  return (tries) => {
    for (const end = next + tries; next < end; next++)
      if (
        zeros(
          start
            .clone()
            .update(text.encode(String(next)))
            .digest(),
        ) >= bits
      )
        return String(next);
    return undefined;
  };
}

/**
 * Returns the number of leading zero bits in the hash of a challenge and its solution; mirrors Zeros in
 * modules/onboarding/proof.go.
 */
export const zeroBits = (challenge: string, solution: string): number =>
  zeros(sha256(new TextEncoder().encode(`${challenge}:${solution}`)));

function zeros(hash: Uint8Array): number {
  let bits = 0;
  for (const byte of hash) {
    bits += Math.clz32(byte) - 24;
    if (byte) break;
  }
  return bits;
}
