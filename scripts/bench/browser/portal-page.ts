import { mountLayout } from '../../../client/embed.ts';
import texts from '../../../schemas/text/en/runtime.json' with { type: 'json' };
import { benchedLayouts } from './layouts.ts';

const text = Object.fromEntries(Object.entries(texts).filter(([, words]) => typeof words === 'string'));

Object.assign(window, {
  mountBench: (name: string) => mountLayout(document.getElementById('root')!, { ...benchedLayouts[name]!, text }),
});
