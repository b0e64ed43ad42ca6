import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { toast } from '../../lib/toast.ts'
import styles from './inline-number.module.css'
import { Input, type InputRef } from '../kit/index.ts'

interface Props {
  /** What the number is and of what: "Priority of harbour". */
  label: string
  value: number | null
  /** Stands for a value that is not one number. */
  placeholder?: string
  /** Why a text cannot be taken, or null when it can. */
  check(text: string): string | null
  /** Settles when the new value is in place. */
  onSave(value: number): Promise<unknown>
  /** Takes the number away when the field is left blank; without it, blank is "as it was". */
  onClear?(): void
  /** Where the number stands in its place: at the end in a column of numbers, at the start under a label. */
  align?: 'start' | 'end'
  /** Room for fractions. */
  wide?: boolean
}

/** A number in a table that becomes a field when it is clicked. */
export function InlineNumber({ placeholder = '–', align = 'end', ...props }: Props) {
  const { label, value } = props
  const [editing, setEditing] = useState(false)
  /** Whoever leaves the field by a key goes on from the number it was made of. */
  const returns = useRef(false)
  if (editing) {
    return (
      <NumberField
        {...props}
        onDone={(byKey) => {
          returns.current = byKey
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
        if (button && returns.current) button.focus({ preventScroll: true })
        returns.current = false
      }}
      onClick={() => setEditing(true)}
    >
      <span className="number">{shown}</span>
    </button>
  )
}

type FieldProps = Pick<Props, 'label' | 'value' | 'check' | 'onSave' | 'onClear' | 'wide'> & {
  onDone(byKey: boolean): void
}

/** Enter or leaving saves, Escape gives up. */
function NumberField({ label, value, check, onSave, onClear, wide = false, onDone }: FieldProps) {
  const [draft, setDraft] = useState(value === null ? '' : String(value))
  const [saving, setSaving] = useState(false)
  const field = useRef<InputRef>(null)
  useEffect(() => field.current?.focus({ cursor: 'all' }), []) // the click asked for this field
  const text = draft.trim()
  const trouble = text === '' ? null : check(text)

  const save = async (byKey: boolean) => {
    if (saving) return
    if (text === '' && value !== null) onClear?.()
    if (text === '' || text === String(value)) return onDone(byKey)
    if (trouble !== null) return toast.error(trouble)
    setSaving(true)
    try {
      await onSave(Number(text))
    } catch {
      // The refusal has been told; the old value shows again.
    }
    onDone(byKey)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') void save(true)
    if (event.key !== 'Escape') return
    event.stopPropagation() // not the drawer or dialog around it
    onDone(true)
  }
  return (
    <Input
      ref={field}
      className={styles.field}
      size="small"
      data-wide={wide || undefined}
      inputMode={wide ? 'decimal' : 'numeric'}
      aria-label={label}
      value={draft}
      readOnly={saving}
      status={trouble === null ? '' : 'error'}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => void save(false)}
      onKeyDown={onKeyDown}
    />
  )
}
