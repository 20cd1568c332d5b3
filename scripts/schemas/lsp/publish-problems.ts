import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { spanOfProblem } from '../../../server/editing/problem-span.ts';
import type { Problem } from '../../../server/layouts/index.ts';
import { isError } from '../check-with.ts';

/** The problems that are underlined in a file; in one that is open, with its version. */
export type FileProblems = { readonly version?: number; readonly diagnostics: Diagnostic[] };

/** Places problems in the text of their file. */
function diagnosticsIn(text: string, problems: readonly Problem[]): Diagnostic[] {
  const document = TextDocument.create('', 'json', 0, text);
  return problems.map(problem => {
    const { start, end } = spanOfProblem(text, problem);
    return {
      range: { start: document.positionAt(start), end: document.positionAt(end) },
      severity: isError(problem) ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
      source: 'schemas',
      message: problem.message,
    };
  });
}

/**
 * Makes a function that tells an editor the problems of all files: of those alone for which something has changed, or of
 * which a new version (by file) was checked.
 */
export function createPublisher(
  send: (file: string, told: FileProblems) => void,
  textOf: (file: string) => string | undefined,
) {
  let sent = new Map<string, string>();
  return (problems: readonly Problem[], versions: ReadonlyMap<string, number>): void => {
    const next = new Map<string, string>();
    for (const file of new Set([...versions.keys(), ...problems.map(one => one.file)])) {
      const version = versions.get(file);
      const own = problems.filter(one => one.file === file);
      const diagnostics = own.length === 0 ? [] : diagnosticsIn(textOf(file) ?? '', own);
      const told: FileProblems = { ...(version !== undefined && { version }), diagnostics };
      const written = JSON.stringify(told);
      next.set(file, written);
      if (sent.get(file) !== written) send(file, told);
    }
    for (const file of sent.keys()) if (!next.has(file)) send(file, { diagnostics: [] });
    sent = next;
  };
}
