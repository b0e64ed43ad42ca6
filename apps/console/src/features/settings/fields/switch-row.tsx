import { Switch } from '../../../ui/kit/index.ts'
import styles from '../settings.module.css'

interface Props {
  /** These three are given by the form. */
  id?: string
  checked?: boolean
  onChange?(checked: boolean): void
  label: string
  help: string
}

/** A switch with its words beside it, so that a refusal finds its place beneath them. */
export function SwitchRow({ id = '', checked = false, onChange, label, help }: Props) {
  return (
    <div className={styles.switch}>
      <Switch id={id} aria-describedby={`${id}-help`} checked={checked} onChange={(next) => onChange?.(next)} />
      <div>
        <label htmlFor={id}>{label}</label>
        <p id={`${id}-help`} className={styles.help}>
          {help}
        </p>
      </div>
    </div>
  )
}
