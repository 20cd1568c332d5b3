import type { LogoImage, Look } from '../../shared/contract/boot.ts';
import type { NavigationLayout } from '../../shared/language/types.ts';
import { A } from '../runtime/effects/navigation.tsx';
import { usePortal } from '../runtime/state/portal.ts';
import { plain } from './entries.ts';

type LogoProps = { readonly navigation: NavigationLayout };

/** The logo of a brand, or its name where it has none; on phones the one for phones. */
function BrandLogo({ look: { name, logo, phoneLogo } }: { readonly look: Look }) {
  const image = logo ?? phoneLogo;
  if (!image) return <span className="logo__name">{name}</span>;
  return (
    <picture>
      {phoneLogo && <source media="(max-width:767px)" srcSet={phoneLogo.src} {...sizeOf(phoneLogo)} />}
      <img src={image.src} alt={name} {...sizeOf(image)} />
    </picture>
  );
}

const sizeOf = ({ width, height }: LogoImage) => ({ width, height });

/**
 * The logo of the brand, or the mark and the name of the product: at most 163 by 48 px (document 1, section 2.6). The
 * name stands as text.
 */
export function Logo({ navigation }: LogoProps) {
  const { look } = usePortal().boot.principal;
  if (look) return <BrandLogo look={look} />;
  const [first = '', ...rest] = plain(navigation.productName).split(' ');
  return (
    <>
      <svg viewBox="0 0 36 36" aria-hidden="true">
        <path className="logo__cloud" d="M6 25.5a7 7 0 0 1 1.2-13.9A9 9 0 0 1 24.5 13a6.3 6.3 0 0 1-.5 12.5" />
        <path
          className="logo__fern"
          d="M11 30c0-6 2.5-10.5 8-13M14.2 23c-1.9-.6-3.2-2-3.6-4M17 19.5c1.8 1 3.7.9 5.3-.4"
        />
      </svg>
      <span className="logo__name">
        {first} <span>{rest.join(' ')}</span>
      </span>
    </>
  );
}

/** The logo on a page: it leads to where the caller lands. */
export function LogoLink({ navigation }: LogoProps) {
  const { boot } = usePortal();
  return (
    <A className="logo" href={boot.landing} data-testid="logo">
      <Logo navigation={navigation} />
    </A>
  );
}
