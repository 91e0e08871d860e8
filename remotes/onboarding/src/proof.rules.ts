import { sha256 } from '@noble/hashes/sha2.js';

/**
 * Looks for the solution of a challenge: a text for which the SHA-256 of "<challenge>:<solution>" begins with that many zero bits.
 * Each call of the answer tries so many, and gives the solution once it has come by.
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

/** How many bits the hash of a challenge and its solution begins with that are zero; the twin of Zeros in modules/onboarding/proof.go. */
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
