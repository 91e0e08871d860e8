import type { WebpackPluginInstance } from 'webpack';

export class WithoutDefaultMessages implements WebpackPluginInstance {
  /** @param ours does a file have its texts in a catalogue? */
  constructor(ours: (file: string | undefined) => boolean);
  apply: WebpackPluginInstance['apply'];
}
