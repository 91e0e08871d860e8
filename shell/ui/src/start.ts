/** The parts that the first screen (sign-in) needs: re-exports of the other entries, never copies. */
export { Button, IconButton, LinkButton } from './button';
export { Form, type FormError, FormErrors, SaveButton } from './form';
export { GlobalStyle } from './global-style';
export { Icon } from './icon';
export { Row, Stack } from './layout';
export { Anchor, LinkLook, LinkProvider, PhoneLink, TextLink } from './link';
export { Alert, Notice } from './notice';
export { focusTitle, PageTitle } from './page';
export { PasswordField, TextField } from './text-field';
export { VisuallyHidden } from './visually-hidden';
