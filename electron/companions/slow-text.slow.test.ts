/** Each of these ends within seconds, or takes hours. */
import { testSlowTexts } from './fixtures/slow-texts.ts';

testSlowTexts(1_000_000);
