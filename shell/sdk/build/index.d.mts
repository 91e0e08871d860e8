/** Libraries that the host gives, as webpack's ModuleFederationPlugin takes them; a remote bundles none of them. */
export declare const shared: Record<string, { singleton: boolean; requiredVersion: string; strictVersion?: boolean }>;
/** Options of ModuleFederationPlugin for a remote. `entry` is the file that exports defineRemote, ./src/remote.ts without it. */
export declare function container(o: { key: string; entry?: string }): object;
/** What webpack's `output` needs for the container to load in the host. */
export declare function output(key: string): object;
/** What remote.json holds: remote.ts without its code. `dir` is the absolute folder above src/. */
export declare function declared(o: { dir: string; entry?: string; version?: string }): Promise<Record<string, unknown>>;
/** The webpack configuration of a remote, with an absolute folder that its files go to. */
export declare function config(o: {
  dir: string;
  key: string;
  out: string;
  entry?: string;
  dev?: boolean;
  cache?: string;
}): object;
/** Builds a remote by itself, its texts included: `dir` is its absolute folder; the result goes to `dist` in it, or to `out`. */
export declare function build(o: { dir: string; out?: string }): Promise<void>;
/**
 * Builds a remote for development, and again after every change, until the process ends. `out` is an absolute folder with the key as its
 * name. `wattle modules dev` runs it.
 */
export declare function watch(o: { dir: string; out: string }): Promise<void>;
/** Runs webpack with one configuration or several. It throws what webpack has found wrong. */
export declare function compile(configs: object | object[]): Promise<unknown>;
/** Files of a folder and those below it, in order. */
export declare function filesOf(dir: string): string[];
