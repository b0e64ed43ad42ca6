import { SearchOutlined } from '@ant-design/icons'
import { useEffect, useRef, useState } from 'react'
import styles from './filter-input.module.css'
import { Input, type InputRef } from '../kit/index.ts'

const TYPING_PAUSE = 350

interface Props {
  label: string
  value: string
  onChange(value: string): void
  /** The first search field of a page gets the focus when `/` is pressed. */
  takesSlashKey?: boolean
  /** Enter does more than apply the filter; true when it has. */
  onEnter?(value: string): boolean
}

/** A filter that applies when the person stops typing, or at once on Enter. */
export function FilterInput({ label, value, onChange, takesSlashKey = false, onEnter }: Props) {
  const [draft, setDraft] = useState({ text: value, of: value })
  const input = useRef<InputRef>(null)
  // The address changed under us (back, reset): it wins over what was typed before.
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
      aria-label={label}
      placeholder={label}
      prefix={takesSlashKey && <SearchOutlined aria-hidden />}
      suffix={takesSlashKey && draft.text === '' && <kbd className={styles.key}>/</kbd>}
      allowClear
      value={draft.text}
      onChange={(event) => setDraft({ ...draft, text: event.target.value })}
      onPressEnter={() => {
        // What was typed must not become a filter after all while the page is on its way to another.
        if (onEnter?.(draft.text.trim())) setDraft({ text: value, of: value })
        else onChange(draft.text.trim())
      }}
    />
  )
}
