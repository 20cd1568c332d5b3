import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/**
 * Characters that are scored: enough for the highest score, and few enough to be looked at in 40 to 60 ms (measured
 * with words, keyboard rows and l33t letters); and substitutions of letters that are tried.
 */
export const scoring = { longest: 40, l33tMaxSubstitutions: 10 };

let factory: Promise<ZxcvbnFactory> | undefined;

/** The dictionaries take 100 ms and 50 MB, so that they come with the first password that is chosen. */
async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    l33tMaxSubstitutions: scoring.l33tMaxSubstitutions,
  });
}

/**
 * Estimates how hard a password is to guess, 0 to 4 (zxcvbn; document 1, section 5), by its first 40 characters. Runs
 * on servers only.
 */
export async function scorePassword(password: string): Promise<number> {
  factory ??= load();
  return (await factory).check([...password].slice(0, scoring.longest).join('')).score;
}
