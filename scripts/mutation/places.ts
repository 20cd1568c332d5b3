import { join } from 'node:path';
import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import {
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isExportDeclaration,
  isExpressionStatement,
  isIfStatement,
  isImportDeclaration,
  isInterfaceDeclaration,
  isNumericLiteral,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTypeAliasDeclaration,
  isTypeNode,
  isWhileStatement,
} from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';

/** A small fault that can be put into a source: the text `was` from `start` on becomes `put`. */
export type Mutant = {
  readonly start: number /** Line and column. */;
  readonly at: string;
  readonly was: string;
  readonly put: string;
};

const operators: Readonly<Record<string, string>> = {
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
};
const removable = new Set([SyntaxKind.ContinueStatement, SyntaxKind.BreakStatement, SyntaxKind.ThrowStatement]);
/** Methods that give nearly what they were called on, so that the call can be left out. */
const nearlyIdentity = /^(filter|map|slice|sort|reverse|trim|toLowerCase|normalize|replace|flatMap)$/;
const otherMethods = new Map([
  ['some', 'every'],
  ['every', 'some'],
]);

/**
 * Lists, for mutation testing, every small change that can be made to each of these source files of a folder, which has
 * a `tsconfig.json`. Throws for a file that is not in it.
 */
export function readMutants(folder: string, files: readonly string[]): Map<string, readonly Mutant[]> {
  const compiler = new API({ cwd: folder });
  try {
    const [project] = compiler.updateSnapshot({ openProjects: [join(folder, 'tsconfig.json')] }).getProjects();
    return new Map(
      files.map(file => {
        const source = project?.program.getSourceFile(join(folder, file));
        if (!source) throw new Error(`${file} is not in the project`);
        return [file, mutantsOf(source)];
      }),
    );
  } finally {
    compiler.close();
  }
}

/** Every mutant of a source, in its order. Types, imports and names of properties are left alone. */
function mutantsOf(file: SourceFile): Mutant[] {
  const mutants: Mutant[] = [];
  const add = (start: number, end: number, put: string): void => {
    const lines = file.text.slice(0, start).split('\n');
    const at = `${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
    mutants.push({ start, at, was: file.text.slice(start, end), put });
  };
  const replace = (node: Node, put: string): void => {
    add(node.getStart(file), node.end, put);
  };
  const negate = (condition: Node): void => replace(condition, `!(${condition.getText(file)})`);

  const visit = (node: Node): void => {
    if (isTypeNode(node) || isImportDeclaration(node) || isExportDeclaration(node)) return;
    if (isTypeAliasDeclaration(node) || isInterfaceDeclaration(node)) return;
    if (isIfStatement(node) || isWhileStatement(node)) negate(node.expression);
    if (isConditionalExpression(node)) negate(node.condition);
    if (isBinaryExpression(node)) {
      const other = operators[node.operatorToken.getText(file)];
      if (other) replace(node.operatorToken, other);
    }
    // A value given back early, or nothing; the last statement of a function is what the function is for.
    const isEarly = node.kind === SyntaxKind.ReturnStatement && isInsideIf(node);
    if (isEarly || isExpressionStatement(node) || removable.has(node.kind)) replace(node, '{}');
    if (isNumericLiteral(node)) {
      const value = Number(node.getText(file).replaceAll('_', ''));
      replace(node, String(value + 1));
      if (value > 0) replace(node, String(value - 1));
    }
    if (node.kind === SyntaxKind.TrueKeyword) replace(node, 'false');
    if (node.kind === SyntaxKind.FalseKeyword) replace(node, 'true');
    if (isStringLiteral(node) && node.text !== '' && !isNameOfProperty(node)) replace(node, "''");
    if (isCallExpression(node) && isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression;
      const method = name.getText(file);
      if (nearlyIdentity.test(method)) replace(node, expression.getText(file));
      const other = otherMethods.get(method);
      if (other) replace(name, other);
    }
    if (isTaggedTemplateExpression(node) && node.tag.getText(file).startsWith('sql')) mutateSql(node);
    node.forEachChild(visit);
  };

  /** Rules that stand in SQL: its comparisons, sums and numbers. */
  const mutateSql = (node: Node): void => {
    const from = node.getStart(file);
    for (const match of node.getText(file).matchAll(/ (<=|>|<|\+|-) (?!=)|(?<=[ (])\d(?=[ ,)])/g)) {
      const start = from + match.index;
      const put = match[1] ? ` ${operators[match[1]]} ` : String(Number(match[0]) + 1);
      add(start, start + match[0].length, put);
    }
  };

  visit(file);
  return mutants;
}

function isInsideIf(node: Node): boolean {
  const { parent } = node;
  return isIfStatement(parent) || (parent.kind === SyntaxKind.Block && isIfStatement(parent.parent));
}

function isNameOfProperty(node: Node): boolean {
  return isPropertyAssignment(node.parent) && node.parent.name === node;
}
