import { useId } from 'react'
import { Input } from '../../../ui/kit/index.ts'
import styles from './config-file.module.css'

interface Props {
  label: string
  hint: string
  value: string
  onChange(passphrase: string): void
}

/** Not a password of anybody: no browser is to fill it in or keep it. */
export function PassphraseInput({ label, hint, value, onChange }: Props) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <Input.Password
        id={id}
        autoComplete="new-password"
        aria-describedby={`${id}-hint`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <span id={`${id}-hint`} className={styles.hint}>
        {hint}
      </span>
    </div>
  )
}
