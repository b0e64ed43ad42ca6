import { useId, type Ref } from 'react'
import { Form, Input, type InputRef } from '../../../../ui/kit/index.ts'
import styles from '../prices.module.css'

interface Props {
  label: string
  value: string
  onChange(text: string): void
  /** What is wrong with it, in words. */
  problem: string | undefined
  unit?: string
  /** A sign before the figure, such as `$`. */
  sign?: string
  hint?: string
  /** What applies while it is blank. */
  placeholder?: string
  ref?: Ref<InputRef>
}

/** A figure as it is typed, so that what is none can be told. */
export function FigureField({ label, value, onChange, problem, unit, sign, hint, placeholder, ref }: Props) {
  const id = useId()
  return (
    <Form.Item
      className={styles.field}
      label={label}
      htmlFor={id}
      validateStatus={problem ? 'error' : ''}
      extra={hint && <span id={`${id}-hint`}>{hint}</span>}
      {...(problem && { help: <span id={`${id}-problem`}>{problem}</span> })}
    >
      <Input
        {...(ref && { ref })}
        id={id}
        inputMode="decimal"
        autoComplete="off"
        aria-invalid={problem !== undefined}
        aria-describedby={[hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')}
        {...(placeholder && { placeholder })}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        prefix={sign && <span className="secondary">{sign}</span>}
        suffix={unit && <span className="secondary">{unit}</span>}
      />
    </Form.Item>
  )
}
