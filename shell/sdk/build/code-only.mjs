// A webpack loader that reduces remote.ts to what browsers need: the code behind its paths. The shell reads titles, menus and
// frames from the portal's response (remote.json), never from the remote itself. The input is plain JavaScript.
import { parse } from 'acorn';

/** Properties that the shell reads from a loaded remote. */
const kept = {
  remote: ['key', 'contract', 'routes', 'overlays', 'slots', 'messages', 'slotMessages'],
  item: ['path', 'name', 'id', 'page', 'view', 'summary'],
};

const nameOf = (p) => (p.type === 'Property' && !p.computed ? (p.key.name ?? p.key.value) : undefined);

/** Returns the source ranges of the properties that are not kept; undefined when the object has spread or computed properties. */
function spare(object, names) {
  const at = [];
  for (const [i, p] of object.properties.entries()) {
    const name = nameOf(p);
    if (name === undefined) return undefined;
    if (names.includes(name)) continue;
    const next = object.properties[i + 1];
    at.push([p.start, next ? next.start : object.end - 1]);
  }
  return at;
}

/** Yields every object literal in the arrays inside a value: routes, overlays, and the items of slots by name. */
function* items(value) {
  if (value.type === 'ArrayExpression') yield* value.elements.filter((e) => e?.type === 'ObjectExpression');
  else if (value.type === 'ObjectExpression') for (const p of value.properties) if (p.value) yield* items(p.value);
}

const cut = (code, ranges) => ranges.sort((a, b) => b[0] - a[0]).reduce((c, [from, to]) => c.slice(0, from) + c.slice(to), code);
const uses = (code, name) => [...code.matchAll(new RegExp(`(?<![\\w$.])${name.replace('$', '\\$')}(?![\\w$])`, 'g'))].length;

/** Removes what only the manifest needs. Code that is not a plain object literal is returned unchanged. */
export function codeOnly(code) {
  const tree = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  const declared = tree.body.flatMap((n) => {
    const call = n.type === 'ExportDefaultDeclaration' ? n.declaration : n.declarations?.[0]?.init;
    return call?.type === 'CallExpression' && call.callee.name === 'defineRemote' ? call.arguments : [];
  })[0];
  const top = declared?.type === 'ObjectExpression' ? spare(declared, kept.remote) : undefined;
  if (!top) return code;
  const within = declared.properties
    .filter((p) => ['routes', 'overlays', 'slots'].includes(nameOf(p)))
    .flatMap((p) => [...items(p.value)].flatMap((o) => spare(o, kept.item) ?? []));
  // also removes a defineMessages call that no other code uses now
  const rest = cut(code, [...top, ...within]);
  const texts = parse(rest, { ecmaVersion: 'latest', sourceType: 'module' }).body.filter(
    (n) =>
      n.type === 'VariableDeclaration' &&
      n.declarations.length === 1 &&
      n.declarations[0].init?.callee?.name === 'defineMessages' &&
      n.declarations[0].id.type === 'Identifier' &&
      uses(rest, n.declarations[0].id.name) === 1,
  );
  return cut(
    rest,
    texts.map((n) => [n.start, n.end]),
  );
}

export default function loader(code) {
  return codeOnly(code);
}
