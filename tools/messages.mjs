// Generates files that the front end imports but that are not committed: the texts of all catalogs (kit, shell and remotes), with
// the code of @wattle/sdk/build, and the data of the gallery. `--check` fails when en.json differs from the source.
import { catalogOf, compileTexts, textsOf } from '../shell/sdk/build/messages.mjs';
import writeGallery from './gen/gallery.mjs';
import { remotes, root } from './workspace.mjs';

/** The repository's catalogs. The kit's texts are part of the shell's. */
const kit = { name: 'kit', sources: ['shell/ui/src', 'shell/charts/src'], texts: 'shell/ui/messages', prefix: /^(ui|charts)\./ };
const shell = {
  name: 'shell',
  sources: ['shell/src', 'shell/sdk/src'],
  texts: 'shell/src/messages',
  compiled: 'shell/src/messages/compiled',
  with: 'shell/ui/messages',
  prefix: /^(core|shell)\.|^[a-z_]+$/,
  // pages that hardly anybody opens, which load these texts themselves (shell/src/later-texts.tsx); titles are also in menus and links
  later: /^shell\.(accessibility|cards|construction|people|verify)\b(?!\.title$)/,
};

/** Returns all texts of shell and kit by locale and id. */
export const textsOfShell = () => textsOf(root, shell);

export async function messages({ check = false, fixture = false } = {}) {
  await compileTexts(root, kit, { check }); // first, because the shell compiles the kit's texts together with its own
  const rest = [shell, ...remotes(fixture).map(catalogOf)];
  const all = [writeGallery(), ...rest.map((c) => compileTexts(root, c, { check }))];
  const failed = (await Promise.allSettled(all)).filter((r) => r.status === 'rejected');
  if (failed.length) throw new Error(failed.map((f) => f.reason.message).join('\n'));
}

if (import.meta.main) {
  await messages({ check: process.argv.includes('--check'), fixture: true }).catch((e) => {
    console.error(e.message);
    process.exit(1);
  });
}
