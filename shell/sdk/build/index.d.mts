/** Libraries that the host provides, in the format of webpack's ModuleFederationPlugin; a remote bundles none of them. */
export declare const shared: Record<string, { singleton: boolean; requiredVersion: string; strictVersion?: boolean }>;
/** Options of ModuleFederationPlugin for a remote. `entry` is the file that exports defineRemote; by default ./src/remote.ts. */
export declare function container(o: { key: string; entry?: string }): object;
/** Options for webpack's `output` that let the container load in the host. */
export declare function output(key: string): object;
/** The content of remote.json: remote.ts without its code. `dir` is the absolute path of the folder that contains src/. */
export declare function declared(o: { dir: string; entry?: string; version?: string }): Promise<Record<string, unknown>>;
/** The webpack configuration of a remote; `out` is the absolute path of the output folder. */
export declare function config(o: {
  dir: string;
  key: string;
  out: string;
  entry?: string;
  dev?: boolean;
  cache?: string;
}): object;
/**
 * Builds a single remote, including its texts. `dir` is its absolute path; the result is written to `out`, by default `dist` in
 * `dir`.
 */
export declare function build(o: { dir: string; out?: string }): Promise<void>;
/**
 * Builds a remote for development, and rebuilds it after every change, until the process ends. `out` is an absolute path whose last
 * part is the module key. Run by `wattle modules dev`.
 */
export declare function watch(o: { dir: string; out: string }): Promise<void>;
/** Runs webpack with one or more configurations. Throws an error with webpack's messages. */
export declare function compile(configs: object | object[]): Promise<unknown>;
/** Returns the files below a folder, sorted. */
export declare function filesOf(dir: string): string[];
