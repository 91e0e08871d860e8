import type { WebpackPluginInstance } from 'webpack';

export class WithoutDefaultMessages implements WebpackPluginInstance {
  /** @param ours returns whether a catalog contains the texts of a file */
  constructor(ours: (file: string | undefined) => boolean);
  apply: WebpackPluginInstance['apply'];
}
