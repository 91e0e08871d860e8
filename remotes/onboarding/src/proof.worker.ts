import { solver } from './proof.rules';

// Runs in a worker, so that the page stays responsive while thousands of hashes are computed.
addEventListener('message', ({ data }: MessageEvent<{ challenge: string; bits: number }>) => {
  const attempt = solver(data.challenge, data.bits);
  let solution: string | undefined;
  while (solution === undefined) solution = attempt(10_000);
  postMessage(solution);
});
