/** The node that the header alone has. */
import { register } from '../runtime/page/registry.ts';
import { Bell } from './bell/bell.tsx';

register('bell', Bell);
