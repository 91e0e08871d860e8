// remote.ts → remote.json: what a remote declares, without its code, with the texts of its titles and menus.
import path from 'node:path';
import { declared } from './outside.mjs';
import { remotes, root } from './workspace.mjs';

export const manifest = ({ dir, entry, version }) =>
  declared({ dir: path.join(root, dir), entry, version, manifestOf: path.join(root, 'shell/sdk/src/manifest.ts') });

if (import.meta.main) for (const r of remotes(true)) console.log(JSON.stringify(await manifest(r), null, 2));
