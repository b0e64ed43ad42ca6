import type { Channel } from '@tidegate/contract/api'
import { useEffect } from 'react'
import { useStableActions } from '../../../lib/use-stable-actions.ts'

interface Keys {
  /** The channel of a row, by its id. */
  find(id: number): Channel | undefined
  /** Moves the open side panel by one channel; false while it is closed. */
  step(by: 1 | -1): boolean
  /** Closes the panel or clears the selection. */
  escape(): void
  test(channel: Channel): void
  edit(channel: Channel): void
  toggleStatus(channel: Channel): void
}

const ROW = 'tr.ant-table-row'
const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable], [role=combobox]'
const OVERLAY = '[role=dialog], [role=menu], .ant-drawer, .ant-modal'

/**
 * Shortcuts of the list: j and k move, x selects, t tests, e edits, d disables, Esc closes. The table itself handles
 * arrows, Enter and Space. Ignored while typing and inside dialogs.
 */
export function useListKeys(latest: Keys): void {
  const keys = useStableActions<Keys>(latest)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : document.body
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return
      if (target.closest(TYPING) || target.closest(OVERLAY)) return
      if (event.key === 'Escape') return keys.escape()
      const row = target.closest<HTMLElement>(ROW)
      if (event.key === 'j' || event.key === 'k') {
        event.preventDefault()
        const by = event.key === 'j' ? 1 : -1
        if (!keys.step(by)) focusRow(row, by)
        return
      }
      if (event.key === 'x') return row?.querySelector<HTMLElement>('input[type=checkbox]')?.click()
      const channel = row ? keys.find(Number(row.dataset['rowKey'])) : undefined
      if (!channel) return
      if (event.key === 't') keys.test(channel)
      if (event.key === 'e') keys.edit(channel)
      if (event.key === 'd') keys.toggleStatus(channel)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [keys])
}

function focusRow(row: HTMLElement | null, by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROW)]
  const at = row ? rows.indexOf(row) + by : 0
  rows[Math.min(Math.max(at, 0), rows.length - 1)]?.focus()
}
