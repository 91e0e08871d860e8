// Generates files that the sources of the front end import and that are not committed: the texts of all catalogues, those of the kit, the
// shell and the remotes, with the code of @wattle/sdk/build; and what the gallery shows. `--check` fails when en.json differs from the
// source.
import { catalogOf, compileTexts, textsOf } from '../shell/sdk/build/messages.mjs';
import writeGallery from './gen/gallery.mjs';
import { remotes, root } from './workspace.mjs';

/** Catalogues of the repository. The kit's texts are part of the shell's. */
const kit = { name: 'kit', sources: ['shell/ui/src', 'shell/charts/src'], texts: 'shell/ui/messages', prefix: /^(ui|charts)\./ };
const shell = {
  name: 'shell',
  sources: ['shell/src', 'shell/sdk/src'],
  texts: 'shell/src/messages',
  compiled: 'shell/src/messages/compiled',
  with: 'shell/ui/messages',
  prefix: /^(core|shell)\.|^[a-z_]+$/,
};

/** All texts of shell and kit by locale and id. */
export const textsOfShell = () => textsOf(root, shell);

export async function messages({ check = false, fixture = false } = {}) {
  await compileTexts(root, kit, { check }); // first: the shell compiles the kit's texts together with its own
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
