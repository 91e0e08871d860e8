/** Fields and forms. */
export {
  Checkbox,
  type CheckboxProps,
  RadioGroup,
  type RadioGroupProps,
  type RadioOption,
  Select,
  type SelectOption,
  type SelectProps,
} from './choice';
export { FieldError, type FieldProps, type TypedProps } from './field';
export * from './form';
export {
  MoneyField,
  type MoneyFieldProps,
  NumberStepper,
  type NumberStepperProps,
} from './number-fields';
export { type Reason, Reasons, type Refusal } from './reasons';
export { SliderField, type SliderFieldProps } from './slider-field';
export {
  PasswordField,
  type PasswordFieldProps,
  TextArea,
  type TextAreaProps,
  TextField,
  type TextFieldProps,
} from './text-field';
export { afterPress, type FieldsOptions, useFields, type Wrong } from './use-fields';
