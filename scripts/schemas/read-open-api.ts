import { readFile } from 'node:fs/promises';
import { parse as parseYaml } from 'yaml';
import type { OpenApi } from './open-api-types.ts';

async function readText(source: string): Promise<string> {
  if (!/^https?:/.test(source)) return await readFile(source, 'utf8');
  const reply = await fetch(source);
  if (!reply.ok) throw new Error(`${source} answered with ${reply.status}.`);
  return await reply.text();
}

/** JSON is YAML as well, but its own parser is faster, and a large description is nearly always JSON. */
function parse(source: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {}
  try {
    return parseYaml(text);
  } catch (error) {
    const [first] = (error as Error).message.split('\n');
    throw new Error(`${source} is neither JSON nor YAML: ${first}`);
  }
}

/**
 * Reads the OpenAPI description of a cloud (3.0 or 3.1, JSON or YAML) from a file or an address.
 * @throws {Error} in plain words for what is no such description
 */
export async function readOpenApi(source: string): Promise<OpenApi> {
  const document = parse(source, (await readText(source)).replace(/^\uFEFF/, ''));
  const { swagger, openapi, paths } = (document ?? {}) as { swagger?: unknown; openapi?: unknown; paths?: unknown };
  if (swagger !== undefined)
    throw new Error(`${source} is Swagger ${swagger}. Only OpenAPI 3.0 and 3.1 are read: convert it first.`);
  if (!/^3\.[01](\.|$)/.test(String(openapi)))
    throw new Error(
      openapi === undefined
        ? `${source} is no OpenAPI description: it does not say "openapi".`
        : `${source} is OpenAPI ${openapi}. Only 3.0 and 3.1 are read.`,
    );
  if (typeof paths !== 'object' || paths === null) throw new Error(`${source} has no paths.`);
  return { ...(document as object), paths: paths as OpenApi['paths'], unread: new Set() };
}
