import { declareTrimRules } from './trim-rules.ts';

// Others in each run: what fails says its seed.
declareTrimRules(Date.now() % 1_000_000, 400);
