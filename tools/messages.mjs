// Texts of all catalogues: the kit's, the shell's and those of remotes, as @wattle/sdk/build makes them of one. `--check` fails when
// en.json is not what the source says.
import { catalogueOf, compileTexts, textsOf } from '../shell/sdk/build/messages.mjs';
import { remotes, root } from './workspace.mjs';

/** Catalogues of the repository. The kit's texts go into the shell's. */
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
  await compileTexts(root, kit, { check }); // first: the shell compiles the kit's texts with its own
  const rest = [shell, ...remotes(fixture).map(catalogueOf)];
  const failed = (await Promise.allSettled(rest.map((c) => compileTexts(root, c, { check })))).filter(
    (r) => r.status === 'rejected',
  );
  if (failed.length) throw new Error(failed.map((f) => f.reason.message).join('\n'));
}

if (import.meta.main) {
  await messages({ check: process.argv.includes('--check'), fixture: true }).catch((e) => {
    console.error(e.message);
    process.exit(1);
  });
}
