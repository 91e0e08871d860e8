/**
 * Resolves in a separate task, one waiting caller after another. Starting a request or loading a script takes up to 20 ms on a
 * phone, and a page starts ten of them at once; this lets the browser paint and handle input in between.
 */
export function yieldTask(): Promise<void> {
  return new Promise((done) => {
    if (waiting.push(done) === 1) channel.port2.postMessage(null);
  });
}

const waiting: (() => void)[] = [];
const channel = new MessageChannel();
channel.port1.onmessage = () => {
  waiting.shift()?.();
  if (waiting.length > 0) channel.port2.postMessage(null);
};
