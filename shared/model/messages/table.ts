/** The same codes with the same parameters, in other words. */
export type Table<T> = { readonly [C in keyof T]: T[C] extends (params: infer P) => string ? (params: P) => string : string };
