import { type CompiledRules, compileRules, type PlaceOf, type RuleSet } from '../../../shared/rules/address-rules.ts';
import type { Caller } from '../auth/caller.ts';
import type { Database } from '../tables.ts';

/** Sets whose tables are kept. */
const mostSets = 100;

export type Judges = {
  /** True where a caller may come from an address. */
  admits(caller: Pick<Caller, 'userName' | 'addressRules'>, address: string): Promise<boolean>;
  /** Compiles rules that are not saved. */
  compile(set: RuleSet): CompiledRules;
  /** True for an account that the operator lets in from everywhere. */
  isExempt(userName: string): boolean;
};

type Dependencies = {
  readonly db: Database;
  readonly now: () => Date;
  readonly placeOf: PlaceOf;
  /** User names of accounts that are let in from everywhere, in any case of their letters. */
  readonly exempt: readonly string[];
};

/** Creates what judges addresses by the rules of resellers; each saved set is read and compiled once. */
export function createJudges({ db, now, placeOf, exempt }: Dependencies): Judges {
  const exempted = new Set(exempt.map(name => name.toLowerCase()));
  const kept = new Map<number, { readonly set: RuleSet; readonly compiled: CompiledRules }>();
  const compile = (set: RuleSet): CompiledRules => compileRules(set, placeOf, now().getTime());

  const find = async (id: number): Promise<CompiledRules> => {
    const known = kept.get(id);
    if (known && known.compiled.until > now().getTime()) return known.compiled;
    const set = known?.set ?? (await read(id));
    const compiled = compile(set);
    if (kept.size >= mostSets) kept.delete(kept.keys().next().value as number);
    kept.set(id, { set, compiled });
    return compiled;
  };
  const read = async (id: number): Promise<RuleSet> => {
    const sets = db.selectFrom('ip_access_sets').select('rules').where('id', '=', id);
    return (await sets.executeTakeFirstOrThrow()).rules;
  };
  const isExempt = (userName: string): boolean => exempted.has(userName.toLowerCase());

  return {
    compile,
    isExempt,
    async admits({ userName, addressRules }, address) {
      if (addressRules.length === 0 || isExempt(userName)) return true;
      for (const id of addressRules) if ((await find(id)).judge(address).isAllowed) return true;
      return false;
    },
  };
}
