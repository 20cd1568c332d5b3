/** One result is for the documents as they are, one for those that are edited, one for those that stand in for them. */
const most = 3;

/** The newest results of a stage, each with everything that it was made from, compared item by item. */
export class Newest<Result> {
  private results: readonly { readonly key: readonly unknown[]; readonly result: Result }[] = [];

  /** Gives the result that was made from the same; undefined where there is none, or none any more. */
  find(key: readonly unknown[]): Result | undefined {
    return this.results.find(known => isSame(known.key, key))?.result;
  }

  /** Puts a result in front, in place of the one before that was made from the same; the oldest is dropped. */
  keep(key: readonly unknown[], result: Result): void {
    this.results = [{ key, result }, ...this.results.filter(known => !isSame(known.key, key))].slice(0, most);
  }
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((part, index) => part === b[index]);
