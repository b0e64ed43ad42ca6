import type { FocusEvent, KeyboardEvent } from 'react'

const ROW = 'tr.ant-table-row'
/** Keys belong to these first, wherever they stand. */
const OWN_KEYS = 'input:not([type=checkbox]), textarea, select, [contenteditable], [role=combobox], [role=switch]'

/**
 * Keys of a table: arrows move through its rows, Home and End to the ends, Enter does what a row is mostly there for,
 * Space ticks it. One row is a stop on the way through the page, the others are reached from it.
 */
export const rowKeys = {
  onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const table = event.currentTarget
    const place = rowOf(event.target, table)
    if (!place || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return
    const rows = [...table.querySelectorAll<HTMLElement>(ROW)]
    const next = nextRow(event.key, rows, place.row)
    const act = place.isRowItself ? actionFor(event.key, place.row) : null
    if (!next && !act) return
    event.preventDefault()
    next?.focus()
    act?.click()
  },
  onFocus(event: FocusEvent<HTMLElement>) {
    const row = rowOf(event.target, event.currentTarget)?.row
    if (row)
      for (const each of event.currentTarget.querySelectorAll<HTMLElement>(ROW)) each.tabIndex = each === row ? 0 : -1
  },
}

/** What a row needs to begin with: the first is the way in. */
export const rowStop = (index: number | undefined) => ({ tabIndex: index === 0 ? 0 : -1 })

/** The row that something is in. What a row has opened elsewhere on the page is no part of it. */
function rowOf(target: EventTarget, table: HTMLElement) {
  if (!(target instanceof HTMLElement) || !table.contains(target) || target.matches(OWN_KEYS)) return null
  const row = target.closest<HTMLElement>(ROW)
  return row && { row, isRowItself: row === target }
}

function nextRow(key: string, rows: readonly HTMLElement[], row: HTMLElement): HTMLElement | undefined {
  const at = rows.indexOf(row)
  if (key === 'ArrowDown') return rows[Math.min(at + 1, rows.length - 1)]
  if (key === 'ArrowUp') return rows[Math.max(at - 1, 0)]
  if (key === 'Home') return rows[0]
  return key === 'End' ? rows.at(-1) : undefined
}

function actionFor(key: string, row: HTMLElement): HTMLElement | null {
  if (key === 'Enter') return row.querySelector<HTMLElement>('[data-main], .ant-table-row-expand-icon')
  return key === ' ' ? row.querySelector<HTMLElement>('input[type=checkbox]') : null
}
