import { declareTrimRules } from './trim-rules.ts';

declareTrimRules(1, 40);
