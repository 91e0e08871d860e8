// The exports of the kit and the charts, from their sources: every component with its props, and the source of its example in the
// gallery at /dev/kit. The build writes them to the gallery, and `make generate` to docs/reference/components.md.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
// TypeScript 7 has no JavaScript API, so this workspace has its own 5.x.
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

/** Entries that only re-export from others. */
const reexporting = ['@wattle/ui/start', '@wattle/charts/spark'];
export const entries = ['ui', 'charts'].flatMap((dir) =>
  Object.entries(read(`shell/${dir}/package.json`).exports)
    .map(([entry, target]) => [
      `@wattle/${dir}${entry.slice(1)}`,
      target['wattle-source'] && `shell/${dir}/${target['wattle-source']}`,
    ])
    .filter(([name, file]) => file && !reexporting.includes(name)),
);

/** Returns a TypeScript program for the entries and the examples, with the repository's options. */
export function program() {
  const { options } = ts.parseJsonConfigFileContent(read('tsconfig.base.json'), ts.sys, root);
  const files = [...entries.map(([, file]) => file), ...globSync('shell/src/pages/gallery/*.tsx', { cwd: root })];
  const made = ts.createProgram(
    files.map((f) => path.join(root, f)),
    { ...options, types: ['react'], noEmit: true },
  );
  made.getTypeChecker(); // sets the parents of nodes
  return made;
}

const isOurs = (declaration) => declaration.getSourceFile().fileName.startsWith(path.join(root, 'shell/'));
const oneLine = (text) => text.replace(/\s+/g, ' ').trim();

/** Returns the components of all entries by name: entry, comment, own props, and the elements whose attributes they also accept. */
export function components(p = program()) {
  const checker = p.getTypeChecker();
  const found = {};
  for (const { name, entry, symbol, props } of exportedComponents(p)) {
    const description = oneLine(ts.displayPartsToString(symbol.getDocumentationComment(checker)));
    found[name] = { entry, description, ...described(checker, props, defaultsOf(symbol.valueDeclaration)) };
  }
  return found;
}

/** Returns each component once: its name, entry and symbol, and the type of its props. */
function exportedComponents(p) {
  const checker = p.getTypeChecker();
  const found = new Map();
  for (const [entry, file] of entries) {
    const source = p.getSourceFile(path.join(root, file));
    for (const exported of checker.getExportsOfModule(checker.getSymbolAtLocation(source))) {
      const name = exported.getName();
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const declaration = symbol.valueDeclaration;
      if (!/^[A-Z]/.test(name) || found.has(name) || !declaration || !isOurs(declaration)) continue;
      const props = propsOf(checker, checker.getTypeOfSymbol(symbol), source);
      if (props) found.set(name, { name, entry, symbol, props });
    }
  }
  return [...found.values()];
}

/** Returns the type of a component's props; undefined for anything else. */
function propsOf(checker, type, at) {
  const signature = (type.isUnion() ? type.types : [type]).flatMap((one) => one.getCallSignatures()).at(-1);
  if (!signature) return undefined;
  const result = checker.typeToString(signature.getReturnType());
  if (!/Element|ReactNode|null/.test(result)) return undefined;
  const [first] = signature.getParameters();
  return first ? checker.getTypeOfSymbolAtLocation(first, at) : checker.getVoidType();
}

function described(checker, props, defaults) {
  const own = [];
  const others = new Set();
  for (const prop of checker.getPropertiesOfType(props)) {
    const declaration = prop.declarations?.[0];
    const name = prop.getName();
    if (!declaration || name.startsWith('$')) continue;
    if (!isOurs(declaration)) {
      others.add(declaration.parent?.name?.text ?? '');
      continue;
    }
    const isOptional = Boolean(prop.flags & ts.SymbolFlags.Optional);
    own.push({
      name,
      type: typeText(checker, prop, declaration),
      ...(isOptional ? { optional: true } : {}),
      ...(defaults[name] ? { default: defaults[name] } : {}),
      description: oneLine(ts.displayPartsToString(prop.getDocumentationComment(checker))),
      ...fieldsOf(checker, prop, declaration),
    });
  }
  const element = [...others].map((o) => /^(\w+)HTMLAttributes$/.exec(o)?.[1]?.toLowerCase()).find(Boolean);
  const inherits = element ?? ([...others].some((o) => /Attributes$/.test(o)) ? 'element' : undefined);
  own.sort((a, b) => Number(a.optional ?? false) - Number(b.optional ?? false));
  return { props: own, ...(inherits ? { inherits } : {}) };
}

/** Returns the fields of the objects in a list prop, if we declare their interface. */
function fieldsOf(checker, prop, declaration) {
  const type = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(prop, declaration));
  const item = checker.isArrayType(type) ? checker.getTypeArguments(type)[0] : undefined;
  const from = item?.getSymbol()?.declarations?.find((one) => ts.isInterfaceDeclaration(one) && isOurs(one));
  const fields = from ? fieldsFrom(checker, item) : [];
  return fields.length > 0 ? { fields } : {};
}

function fieldsFrom(checker, type) {
  return checker.getPropertiesOfType(type).flatMap((field) => {
    const at = field.declarations?.[0];
    return at && isOurs(at)
      ? [
          {
            name: field.getName(),
            type: typeText(checker, field, at),
            ...(field.flags & ts.SymbolFlags.Optional ? { optional: true } : {}),
            description: oneLine(ts.displayPartsToString(field.getDocumentationComment(checker))),
          },
        ]
      : [];
  });
}

/** Returns the type of a prop as written, with a short union of strings instead of its name. */
function typeText(checker, prop, declaration) {
  const node = declaration.type;
  if (ts.isMethodSignature(declaration))
    return oneLine(`(${declaration.parameters.map((one) => one.getText()).join(', ')}) => ${node?.getText() ?? 'void'}`);
  const text = oneLine(node?.getText() ?? '').replace(/ \| undefined$/, '');
  if (/^\(.*\)$/.test(text)) return text.slice(1, -1); // the parentheses around a function type before | undefined
  if (!/^[\w. ]+$/.test(text)) return text;
  const type = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(prop, declaration));
  const choices = type.isUnion() ? type.types : [];
  const isShort = choices.length > 1 && choices.length <= 12 && choices.every((t) => t.isStringLiteral());
  return isShort
    ? (writtenAs(checker, node) ??
        choices
          .map((t) => `'${t.value}'`)
          .sort()
          .join(' | '))
    : text;
}

/** Returns the alternatives of a named union, in the order of its declaration; undefined if they are not written there. */
function writtenAs(checker, node) {
  const name = ts.isUnionTypeNode(node) ? node.types[0] : node;
  const symbol = ts.isTypeReferenceNode(name) ? checker.getSymbolAtLocation(name.typeName) : undefined;
  const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const text = oneLine(target?.declarations?.[0]?.type?.getText() ?? '').replace(/^\| /, '');
  return text.startsWith("'") ? text : undefined;
}

/**
 * Returns our types that are used in the props of components, directly or through other types, by name: the alternatives of a union
 * of literals, the fields of an interface, or otherwise the type as written.
 */
export function types(p = program()) {
  const checker = p.getTypeChecker();
  const found = {};
  const visit = (node) => {
    if (ts.isTypeReferenceNode(node)) add(node.typeName);
    ts.forEachChild(node, visit);
  };
  const add = (name) => {
    const symbol = checker.getSymbolAtLocation(name);
    const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const declaration = target?.declarations?.find((one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one));
    if (!declaration || !isOurs(declaration) || found[target.getName()]) return;
    const description = oneLine(ts.displayPartsToString(target.getDocumentationComment(checker)));
    const entry = { description };
    found[target.getName()] = entry;
    if (ts.isInterfaceDeclaration(declaration)) {
      entry.fields = fieldsFrom(checker, checker.getDeclaredTypeOfSymbol(target));
      for (const field of checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(target)))
        for (const one of field.declarations ?? []) if (isOurs(one)) visit(one);
      return;
    }
    const type = checker.getDeclaredTypeOfSymbol(target);
    const choices = type.isUnion() ? type.types : [];
    if (choices.length > 1 && choices.every((t) => t.isStringLiteral() || t.isNumberLiteral())) {
      const written = oneLine(declaration.type.getText()).replace(/^\| /, '');
      entry.choices = /^['\d]/.test(written)
        ? written.split(' | ')
        : choices
            .map((t) => t.value)
            .sort((a, b) => (typeof a === 'number' ? a - b : a < b ? -1 : 1))
            .map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
      return;
    }
    entry.type = oneLine(declaration.type.getText());
    visit(declaration.type);
  };
  for (const { props } of exportedComponents(p)) {
    for (const prop of checker.getPropertiesOfType(props)) {
      const declaration = prop.declarations?.[0];
      if (!declaration || !isOurs(declaration) || prop.getName().startsWith('$')) continue;
      if (declaration.type) visit(declaration.type);
      for (const parameter of declaration.parameters ?? []) visit(parameter);
    }
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the default values in the pattern of the first parameter, as written. */
function defaultsOf(declaration) {
  const name = declaration.parameters?.[0]?.name;
  if (!name || !ts.isObjectBindingPattern(name)) return {};
  return Object.fromEntries(
    name.elements
      .filter((e) => e.initializer)
      .map((e) => [(e.propertyName ?? e.name).getText(), oneLine(e.initializer.getText())]),
  );
}

/** Returns the components by name, each with the source of its example. */
export function documented(p = program()) {
  const sources = examples(p);
  return Object.fromEntries(
    Object.entries(components(p))
      .map(([name, one]) => [name, { ...one, source: sources[name] ?? '' }])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/**
 * Returns the gallery examples by component: when to use it, and the source of its example as a remote would contain it, with its
 * imports and English texts.
 */
function examples(p) {
  const found = {};
  for (const file of globSync('shell/src/pages/gallery/*.tsx', { cwd: root }).sort()) {
    const source = p.getSourceFile(path.join(root, file));
    for (const statement of source.statements) {
      if (!ts.isFunctionDeclaration(statement) || !statement.name?.text.endsWith('Example')) continue;
      found[statement.name.text.replace(/Example$/, '')] = exampleSource(source, statement);
    }
  }
  return found;
}

function exampleSource(source, fn) {
  const changes = []; // [from, to, text], offsets in the file's text
  const used = new Set();
  const visit = (node) => {
    if (ts.isIdentifier(node)) used.add(node.text);
    if (ts.isCallExpression(node) && node.expression.getText() === 'say') {
      const text = node.arguments[1].text;
      const around = node.parent;
      if (ts.isJsxExpression(around) && ts.isJsxAttribute(around.parent))
        changes.push([around.getStart(), around.end, JSON.stringify(text)]);
      else if (ts.isJsxExpression(around) && !/[{}<>]/.test(text)) changes.push([around.getStart(), around.end, text]);
      else changes.push([node.getStart(), node.end, `'${text.replace(/'/g, "\\'")}'`]);
      return;
    }
    ts.forEachChild(node, visit);
  };
  for (const parameter of fn.parameters) changes.push([parameter.getStart(), parameter.end, '']);
  visit(fn.body);
  const start = fn.getStart();
  let text = source.text.slice(start, fn.end);
  for (const [from, to, by] of changes.sort((a, b) => b[0] - a[0]))
    text = text.slice(0, from - start) + by + text.slice(to - start);
  const imports = source.statements.filter(ts.isImportDeclaration).flatMap((one) => {
    const names = (one.importClause?.namedBindings?.elements ?? []).filter((e) => used.has(e.name.text)).map((e) => e.getText());
    const from = one.moduleSpecifier.text;
    return names.length > 0 && !from.startsWith('.') ? [`import { ${names.join(', ')} } from '${from}';`] : [];
  });
  return `${imports.join('\n')}\n\n${text}\n`;
}
