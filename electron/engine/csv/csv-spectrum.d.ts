/** Types for csv-spectrum, a set of CSV files with their expected records. */
declare module 'csv-spectrum' {
  interface Sample {
    name: string;
    csv: Uint8Array;
    json: Uint8Array;
  }
  function spectrum(done: (error: Error | null, samples: Sample[]) => void): void;
  export = spectrum;
}
