import { createRequire } from 'node:module';
import { scoring } from '../../shared/rules/password-score.ts';
import { PortalError } from '../errors.ts';
import { createThread } from '../thread.ts';
import type { Rate } from './rate-limit.ts';

/** Scores passwords in a thread of its own: a long one costs 40 to 60 ms of the processor, in which nobody is answered. */
export type PasswordScores = {
  /**
   * Estimates how hard a password is to guess, 0 to 4 (document 1, section 5). `caller` is the account or network that
   * asks. Throws TOO_MANY when that has had its share, BUSY when too many of all callers wait.
   */
  score(password: string, caller: string): Promise<number>;
  close(): Promise<void>;
};

/** Passwords that wait at most: one second of the thread. */
const mostWaiting = 20;

const require = createRequire(import.meta.url);

const program = `
const { packages: [core, common, english], longest, l33tMaxSubstitutions } = data;
const { ZxcvbnFactory } = require(core);
const { dictionary, adjacencyGraphs: graphs } = require(common);
const factory = new ZxcvbnFactory({
  dictionary: { ...dictionary, ...require(english).dictionary },
  graphs,
  l33tMaxSubstitutions,
});
const work = password => factory.check([...password].slice(0, longest).join('')).score;`;

/**
 * Creates the scores of passwords, with a limit of `rate` per caller and one over all. The thread, whose dictionaries
 * take 100 ms and 50 MB, starts with the first password that is chosen.
 */
export function createPasswordScores(rate: Rate): PasswordScores {
  const packages = ['core', 'language-common', 'language-en'].map(name => require.resolve(`@zxcvbn-ts/${name}`));
  const data = { packages, ...scoring };
  const thread = createThread({ name: 'passwords checked', program, data, most: mostWaiting });
  return {
    async score(password, caller) {
      if (!rate.take(caller)) throw new PortalError('TOO_MANY', { detail: 'passwords checked' });
      return (await thread.run(password)) as number;
    },
    close: thread.close,
  };
}
