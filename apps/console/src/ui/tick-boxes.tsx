import { createContext, useContext, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './data-table.module.css'
import type { TableProps } from './kit/index.ts'
import { countTicked, toggleTicks, type Ticks } from './ticks.ts'

/** Not the kit's own: a row may stand for several, and a tick must not draw the other rows anew. */
export const TicksContext = createContext<Ticks<object, number | string> | undefined>(undefined)

export function tickColumn<Row extends object>(rows: readonly Row[]): NonNullable<TableProps<Row>['columns']>[number] {
  return {
    key: 'tick',
    fixed: 'left',
    width: 40,
    title: <TickAll rows={rows} />,
    shouldCellUpdate: (row, before) => row !== before,
    render: (_, row) => <Tick row={row} />,
  }
}

function TickAll({ rows }: { rows: readonly object[] }) {
  const { t } = useTranslation()
  const ticks = useContext(TicksContext)
  if (!ticks) return null
  const tickable = rows.filter((row) => ticks.idsOf(row).length > 0)
  const states = new Set(tickable.map((row) => countTicked(row, ticks)))
  const state =
    states.size === 1 && states.has('all') ? 'all' : states.size === 1 && states.has('none') ? 'none' : 'some'
  return <Box label={t('selection.all')} state={state} onChange={(isTicked) => toggleTicks(rows, isTicked, ticks)} />
}

export function Tick({ row, words = false }: { row: object; words?: boolean }) {
  const ticks = useContext(TicksContext)
  if (!ticks || ticks.idsOf(row).length === 0) return null
  const label = ticks.labelOf(row)
  return (
    <Box label={label} state={countTicked(row, ticks)} onChange={(isTicked) => toggleTicks([row], isTicked, ticks)}>
      {words && label}
    </Box>
  )
}

interface BoxProps {
  label: string
  state: 'none' | 'some' | 'all'
  onChange(isTicked: boolean): void
  children?: ReactNode
}

/** A plain box: there may be a hundred of them. */
function Box({ label, state, onChange, children }: BoxProps) {
  return (
    <label className={styles.box}>
      <input
        type="checkbox"
        aria-label={label}
        checked={state === 'all'}
        ref={(box) => {
          if (!box) return
          box.indeterminate = state === 'some'
          // The kit measures columns with a hidden copy of their heads: the box in it is for nobody's keyboard.
          box.inert = box.closest('tr[aria-hidden="true"]') !== null
        }}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children}
    </label>
  )
}
