import type { UsageLog } from '@tidegate/contract/api'
import { useEffect, useRef } from 'react'
import { useCopyText } from '../../ui/feedback/use-copy-text.tsx'
import { isTyping } from './filter-box.tsx'
import { neighbours } from './layout.ts'

interface Options {
  rows: readonly UsageLog[]
  openRow: string
  onOpen(key: string): void
  onClose(): void
  onLive(): void
}

/** Keys of the log: j and k move, Enter opens the focused row, Esc closes, c copies the request ID, l toggles Live. */
export function useLogKeys(options: Options) {
  const copy = useCopyText()
  const latest = useRef({ ...options, copy })
  useEffect(() => {
    latest.current = { ...options, copy }
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event) || isInDialog(event)) return
      const { rows, openRow, onOpen, onClose, onLive, copy: copyText } = latest.current
      if (event.key === 'l') onLive()
      else if (event.key === 'j' || event.key === 'k') move(event.key, rows, openRow, onOpen)
      else if (openRow === '') return
      else if (event.key === 'Escape') onClose()
      else if (event.key === 'c' && !openRow.startsWith('row-')) void copyText(openRow)
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function move(key: 'j' | 'k', rows: readonly UsageLog[], openRow: string, onOpen: (row: string) => void) {
  if (openRow === '') {
    focusRow(key)
    return
  }
  const { previous, next } = neighbours(rows, openRow)
  const target = key === 'j' ? next : previous
  if (target === undefined) return
  onOpen(target)
  document.querySelector(`tr[data-row="${CSS.escape(target)}"]`)?.scrollIntoView({ block: 'nearest' })
}

/** Moves the focus to the next or previous row; Enter then opens it. */
function focusRow(key: 'j' | 'k') {
  const rows = [...document.querySelectorAll('tr[data-row]')]
  const index = rows.findIndex((row) => row.contains(document.activeElement))
  const target = key === 'j' ? Math.min(index + 1, rows.length - 1) : Math.max(index - 1, 0)
  rows[target]?.querySelector('button')?.focus()
}

/** The panel may be a dialog itself, in which the keys work. */
const isInDialog = (event: KeyboardEvent): boolean =>
  event.target instanceof Element && event.target.closest('.ant-modal') !== null
