// remote.ts → remote.json: the declaration of a remote without its code, with the texts of its titles and menus.
import path from 'node:path';
import { declared } from '@wattle/sdk/build';
import { remotes, root } from './workspace.mjs';

export const manifest = ({ dir, entry, version }) => declared({ dir: path.join(root, dir), entry, version });

if (import.meta.main) for (const r of remotes(true)) console.log(JSON.stringify(await manifest(r), null, 2));
