import { SearchOutlined } from '@ant-design/icons'
import { useEffect, useRef, useState } from 'react'
import styles from './filter-input.module.css'
import { widthFor } from './label-width.ts'
import { Input, type InputRef } from '../kit/index.ts'

const TYPING_PAUSE = 350

interface Props {
  label: string
  value: string
  onChange(value: string): void
  /** The first search field of a page gets the focus when `/` is pressed. */
  takesSlashKey?: boolean
  /** Handles Enter. Returns true if the text must not be applied as a filter. */
  onEnter?(value: string): boolean
}

/** A text filter. It applies after a pause in typing, or immediately on Enter. */
export function FilterInput({ label, value, onChange, takesSlashKey = false, onEnter }: Props) {
  const [draft, setDraft] = useState({ text: value, of: value })
  const input = useRef<InputRef>(null)
  // The URL changed (back, reset), so it replaces the typed text.
  if (draft.of !== value) setDraft({ text: value, of: value })

  useEffect(() => {
    if (draft.text === value) return
    const timer = setTimeout(() => onChange(draft.text.trim()), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [draft.text, value, onChange])

  useEffect(() => {
    if (!takesSlashKey) return
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, [contenteditable]')
      if (event.key !== '/' || isTyping) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [takesSlashKey])

  return (
    <Input
      ref={input}
      className={styles.input}
      style={widthFor(label)}
      aria-label={label}
      placeholder={label}
      prefix={takesSlashKey && <SearchOutlined aria-hidden />}
      suffix={takesSlashKey && draft.text === '' && <kbd className={styles.key}>/</kbd>}
      allowClear
      value={draft.text}
      onChange={(event) => setDraft({ ...draft, text: event.target.value })}
      onPressEnter={() => {
        // Discards the text, so that the pending timer does not apply it during the navigation.
        if (onEnter?.(draft.text.trim())) setDraft({ text: value, of: value })
        else onChange(draft.text.trim())
      }}
    />
  )
}
