/** A log that a flood of lines neither fills nor holds up: a burst passes, then a few lines per second; long lines are cut. */
import { TokenBucket } from './token-bucket.ts';

const BURST = 200;
const PER_SECOND = 2;
const MAX_CHARACTERS = 2_000;

export function limitedLog(log: (line: string) => void): (line: string) => void {
  const bucket = new TokenBucket(BURST, PER_SECOND);
  let leftOut = 0;
  return (line) => {
    if (!bucket.take()) {
      leftOut += 1;
      return;
    }
    const before = leftOut > 0 ? `(${leftOut} lines left out) ` : '';
    leftOut = 0;
    log(`${before}${line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line}`);
  };
}
