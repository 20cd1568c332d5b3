import type { LayoutText } from '../../shared/language/types.ts';
import { interpolate } from '../../shared/rules/text.ts';
import type { Access } from '../layouts/index.ts';

/** Gives the product's name from the caller's navigation, else the default one. */
export function productName({ navigation, words }: Access): string {
  const name = navigation?.layout.kind === 'navigation' ? navigation.layout.productName : undefined;
  return interpolate(name ?? (words.product as LayoutText | undefined), {});
}
