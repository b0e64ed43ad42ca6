import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { toast } from '../../lib/toast.ts'
import styles from './inline-number.module.css'
import { Input, type InputRef } from '../kit/index.ts'

interface Props {
  /** Accessible name, such as "Priority of harbour". */
  label: string
  value: number | null
  /** Shown if there is no single value. */
  placeholder?: string
  /** Returns an error message, or null if the text is valid. */
  check(text: string): string | null
  /** Resolves when the new value is saved. */
  onSave(value: number): Promise<unknown>
  /** Called when the field is cleared. Without it, an empty field keeps the old value. */
  onClear?(): void
  /** `end` for columns of numbers, `start` below a label. */
  align?: 'start' | 'end'
}

/** A number in a table. A click turns it into an input. */
export function InlineNumber({ placeholder = '–', align = 'end', ...props }: Props) {
  const { label, value } = props
  const [editing, setEditing] = useState(false)
  /** Moves the focus back to the button after Enter or Escape. */
  const restoresFocus = useRef(false)
  if (editing) {
    return (
      <NumberField
        {...props}
        onDone={(byKey) => {
          restoresFocus.current = byKey
          setEditing(false)
        }}
      />
    )
  }
  const shown = value === null ? placeholder : String(value)
  return (
    <button
      type="button"
      className={styles.show}
      data-align={align}
      aria-label={`${label}: ${shown}`}
      ref={(button) => {
        if (button && restoresFocus.current) button.focus({ preventScroll: true })
        restoresFocus.current = false
      }}
      onClick={() => setEditing(true)}
    >
      <span className="number">{shown}</span>
    </button>
  )
}

type FieldProps = Pick<Props, 'label' | 'value' | 'check' | 'onSave' | 'onClear'> & {
  onDone(byKey: boolean): void
}

/** Enter and blur save the value, Escape cancels. */
function NumberField({ label, value, check, onSave, onClear, onDone }: FieldProps) {
  const [draft, setDraft] = useState(value === null ? '' : String(value))
  const [saving, setSaving] = useState(false)
  const field = useRef<InputRef>(null)
  useEffect(() => field.current?.focus({ cursor: 'all' }), [])
  const text = draft.trim()
  const error = text === '' ? null : check(text)

  const save = async (byKey: boolean) => {
    if (saving) return
    if (text === '' && value !== null) onClear?.()
    if (text === '' || text === String(value)) return onDone(byKey)
    if (error !== null) return toast.error(error)
    setSaving(true)
    try {
      await onSave(Number(text))
    } catch {
      // A toast shows the error. The old value is displayed again.
    }
    onDone(byKey)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') void save(true)
    if (event.key !== 'Escape') return
    event.stopPropagation() // otherwise it would close the surrounding drawer or dialog
    onDone(true)
  }
  return (
    <Input
      ref={field}
      className={styles.field}
      size="small"
      inputMode="numeric"
      aria-label={label}
      value={draft}
      readOnly={saving}
      status={error === null ? '' : 'error'}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => void save(false)}
      onKeyDown={onKeyDown}
    />
  )
}
