import { endingsOf } from '../language/file-types.ts';

/** Writes the header Content-Disposition for a download: the file name in ASCII and in UTF-8 (RFC 6266). */
export function contentDisposition(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9 ._-]/g, '_');
  const encoded = encodeURIComponent(name.replace(/\p{Surrogate}/gu, '_')).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Makes a safe file name from one that somebody gave, with the ending of its media type where that is known. */
export function fileName(given: string, type: string): string {
  const plain = given
    .replace(/[\p{C}\\/:*?"<>|]+/gu, ' ')
    .replace(/^[. ]+/, '')
    .trim();
  const endings = endingsOf(type);
  const ending = endings.find(known => plain.toLowerCase().endsWith(known)) ?? '';
  const bare = plain.slice(0, plain.length - ending.length);
  return `${[...bare].slice(0, 100).join('').trim() || 'file'}${ending || (endings[0] ?? '')}`;
}
