import { createContext, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column } from './columns.ts'
import styles from './data-table.module.css'
import { selectionState, toggleRows, type RowSelection } from './row-selection.ts'

/** Replaces Ant Design's selection: a row may represent several IDs, and a selection must not render other rows. */
export const SelectionContext = createContext<RowSelection<object, number | string> | undefined>(undefined)

export function selectionColumn<Row extends object>(rows: readonly Row[]): Column<Row> {
  return {
    key: 'select',
    fixed: 'left',
    width: 40,
    title: <SelectAllBox rows={rows} />,
    shouldCellUpdate: (row, before) => row !== before,
    render: (_, row) => <SelectionBox row={row} />,
  }
}

function SelectAllBox({ rows }: { rows: readonly object[] }) {
  const { t } = useTranslation()
  const selection = useContext(SelectionContext)
  if (!selection) return null
  const selectable = rows.filter((row) => selection.idsOf(row).length > 0)
  const states = new Set(selectable.map((row) => selectionState(row, selection)))
  const state =
    states.size === 1 && states.has('all') ? 'all' : states.size === 1 && states.has('none') ? 'none' : 'some'
  return (
    <Box label={t('selection.all')} state={state} onChange={(isSelected) => toggleRows(rows, isSelected, selection)} />
  )
}

export function SelectionBox({ row }: { row: object }) {
  const selection = useContext(SelectionContext)
  if (!selection || selection.idsOf(row).length === 0) return null
  return (
    <Box
      label={selection.labelOf(row)}
      state={selectionState(row, selection)}
      onChange={(isSelected) => toggleRows([row], isSelected, selection)}
    />
  )
}

interface BoxProps {
  label: string
  state: 'none' | 'some' | 'all'
  onChange(isSelected: boolean): void
}

/** A native checkbox, because there may be a hundred of them. */
function Box({ label, state, onChange }: BoxProps) {
  return (
    <label className={styles.box}>
      <input
        type="checkbox"
        aria-label={label}
        checked={state === 'all'}
        ref={(box) => {
          if (!box) return
          box.indeterminate = state === 'some'
        }}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}
