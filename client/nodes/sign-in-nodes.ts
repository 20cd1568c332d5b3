/** The nodes of the sign-in page and of pages that say how something ended. */
import { registerAll, registerView } from '../runtime/page/registry.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import { Empty } from './empty.tsx';
import { Field } from './field/field.tsx';
import { Form } from './form.tsx';
import { Heading } from './heading.tsx';
import { Link } from './link.tsx';
import { Stack } from './stack.tsx';
import { Text } from './text.tsx';

registerAll({
  alert: Alert,
  button: Button,
  empty: Empty,
  form: Form,
  heading: Heading,
  link: Link,
  stack: Stack,
  text: Text,
});
registerView('field', Field);
