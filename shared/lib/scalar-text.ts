/** Text of a scalar; empty for lists and objects, whose own `toString` may be a value that somebody else wrote. */
export const scalarText = (value: unknown): string => (typeof value === 'object' ? '' : String(value));
