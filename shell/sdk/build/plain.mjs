// Removes the English texts from the code that browsers load: catalogs are extracted from `defaultMessage` (tools/messages.mjs),
// and both catalogs contain every id, so `defaultMessage` is never read at run time. It uses webpack's syntax tree, so that nothing
// but texts is removed.
import webpack from 'webpack';

const name = 'WithoutDefaultMessages';
const { ConstDependency } = webpack.dependencies;

/** Yields every object literal below a node of the tree. */
function* objects(node) {
  if (Array.isArray(node)) for (const n of node) yield* objects(n);
  else if (typeof node?.type === 'string') {
    if (node.type === 'ObjectExpression') yield node;
    for (const [key, value] of Object.entries(node)) if (typeof value === 'object' && key !== 'loc') yield* objects(value);
  }
}

const keyOf = (p) => (p.type === 'Property' && !p.computed ? (p.key.name ?? p.key.value) : undefined);

/** Yields the source ranges of the default texts in message descriptors. */
function* spare(ast) {
  for (const { properties } of objects(ast)) {
    const at = properties.findIndex((p) => keyOf(p) === 'defaultMessage');
    const id = properties.find((p) => keyOf(p) === 'id');
    if (at < 0 || typeof id?.value.value !== 'string' || typeof properties[at].value.value !== 'string') continue;
    const [before, own, after] = [properties[at - 1], properties[at], properties[at + 1]];
    if (after) yield [own.range[0], after.range[0]];
    else yield [before ? before.range[1] : own.range[0], own.range[1]];
  }
}

/** A webpack plugin; `ours` returns whether a catalog contains the texts of a file. */
export class WithoutDefaultMessages {
  constructor(ours) {
    this.ours = ours;
  }

  apply(compiler) {
    compiler.hooks.compilation.tap(name, (compilation, { normalModuleFactory }) => {
      compilation.dependencyTemplates.set(ConstDependency, new ConstDependency.Template());
      for (const type of ['javascript/auto', 'javascript/esm'])
        normalModuleFactory.hooks.parser.for(type).tap(name, (parser) => {
          parser.hooks.program.tap(name, (ast) => {
            const { module } = parser.state;
            if (!this.ours(module.resource)) return;
            for (const range of spare(ast)) module.addPresentationalDependency(new ConstDependency('', range));
          });
        });
    });
  }
}
