import type { FocusEvent, KeyboardEvent } from 'react'

const ROW = 'tr.ant-table-row'
/** Elements that handle keys themselves. */
const OWN_KEYS = 'input:not([type=checkbox]), textarea, select, [contenteditable], [role=combobox], [role=switch]'

/**
 * Keys of a table: arrows, `j` and `k` move through its rows, Home and End to the ends, Enter runs the main action of a
 * row, Space and `x` select it. Only one row is a tab stop.
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

/** The first row is the tab stop until another has the focus. */
export const rowStop = (index: number | undefined) => ({ tabIndex: index === 0 ? 0 : -1 })

/** The row that an element is in. A popup that a row has opened elsewhere is not part of it. */
function rowOf(target: EventTarget, table: HTMLElement) {
  if (!(target instanceof HTMLElement) || !table.contains(target) || target.matches(OWN_KEYS)) return null
  const row = target.closest<HTMLElement>(ROW)
  return row && { row, isRowItself: row === target }
}

function nextRow(key: string, rows: readonly HTMLElement[], row: HTMLElement): HTMLElement | undefined {
  const at = rows.indexOf(row)
  if (key === 'ArrowDown' || key === 'j') return rows[Math.min(at + 1, rows.length - 1)]
  if (key === 'ArrowUp' || key === 'k') return rows[Math.max(at - 1, 0)]
  if (key === 'Home') return rows[0]
  return key === 'End' ? rows.at(-1) : undefined
}

function actionFor(key: string, row: HTMLElement): HTMLElement | null {
  if (key === 'Enter') return row.querySelector<HTMLElement>('[data-main], .ant-table-row-expand-icon')
  return key === ' ' || key === 'x' ? row.querySelector<HTMLElement>('input[type=checkbox]') : null
}
