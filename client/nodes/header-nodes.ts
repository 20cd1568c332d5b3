/** The node that the header alone has. */
import { register } from '../runtime/registry.ts';
import { Bell } from './bell/bell.tsx';

register('bell', Bell);
