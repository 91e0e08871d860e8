import { solver } from './proof.rules';

// A thread of its own: the page stays as quick as it was while thousands of hashes are computed.
addEventListener('message', ({ data }: MessageEvent<{ challenge: string; bits: number }>) => {
  const attempt = solver(data.challenge, data.bits);
  let solution: string | undefined;
  while (solution === undefined) solution = attempt(10_000);
  postMessage(solution);
});
