// What is used here of modules that bring no types.

declare module 'subset-font' {
  /** Cuts a font (SFNT, WOFF or WOFF2) to the letters of a text, at one point of its axes. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: { targetFormat: 'truetype'; variationAxes: Readonly<Record<string, number>> },
  ): Promise<Uint8Array>;
}

declare module 'bidi-js' {
  type Levels = { readonly levels: Uint8Array; readonly paragraphs: readonly { readonly level: number }[] };

  /** The Unicode bidirectional algorithm (UAX #9). */
  export default function bidiFactory(): {
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl'): Levels;
    getMirroredCharacter(letter: string): string | null;
  };
}
