/** Six hexadecimal digits without "#", such as "a3341f" (document 2, section 3: `Color_2_1`). */
export const accentPattern = '^[0-9A-Fa-f]{6}$';
