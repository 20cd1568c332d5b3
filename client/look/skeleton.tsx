const widths = ['58%', '71%', '46%', '64%'];

type BonesProps = { readonly rows: number; readonly tile?: boolean };

/** Placeholder rows (a skeleton) while a list is loading; the caller adds the text for screen readers. */
export function ListBones({ rows, tile }: BonesProps) {
  return (
    <ul className="list" aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have nothing but their place
        <li key={index}>
          {tile && <span className="bone bone--tile" />}
          <span className="list__text list__text--bones">
            <span className="bone" style={{ width: widths[index % widths.length] }} />
            <span className="bone bone--thin" style={{ width: widths[(index + 2) % widths.length] }} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Placeholder (a skeleton) for a single value while it is loading. */
export function ValueBone({ large }: { readonly large?: boolean | undefined }) {
  return <span className={large ? 'bone bone--figure' : 'bone bone--value'} aria-hidden="true" />;
}
