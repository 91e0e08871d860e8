import type { WebpackPluginInstance } from 'webpack';

export class CompileHints implements WebpackPluginInstance {
  apply: WebpackPluginInstance['apply'];
}
