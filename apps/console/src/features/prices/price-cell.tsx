import { EditOutlined } from '@ant-design/icons'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Price } from '../../components/price.tsx'
import { dollars } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { Input, Tooltip, type InputRef } from '../../ui/kit/index.ts'
import styles from './prices.module.css'

interface Props {
  /** Names the price and its model. */
  label: string
  before: number | undefined
  after: number | undefined
  decimals: number
  /** The minimum of a price. */
  leastDecimals?: number
  /** Follows another price. */
  isDerived?: boolean
  /** A number without a currency. */
  isRatio?: boolean
  /** Ratio or other detail, shown on hover. */
  hint?: string
  isEditable: boolean
  /** Takes the typed text; returns the text of an error, or null. */
  onEnter(text: string): string | null
}

/** Marks cells for the keyboard: the column within its row. */
const CELL = 'data-price-cell'

/** A price that turns into a field. Tab moves right, Enter down, Escape restores. */
export function PriceCell(props: Props) {
  const { label, before, after, decimals, leastDecimals = 2, isDerived = false } = props
  const { isRatio = false, hint, isEditable, onEnter } = props
  const [isEditing, setIsEditing] = useState(false)
  const returnsFocus = useRef(false)
  const isChanged = before !== after
  const write = (amount: number | undefined) => {
    if (amount === undefined) return '–'
    return isRatio ? writeRatio(amount, decimals) : dollars(amount, leastDecimals, 6)
  }
  const shown = (amount: number | undefined) =>
    amount === undefined || isRatio ? (
      write(amount)
    ) : (
      <Price amount={amount} least={leastDecimals} decimals={decimals} />
    )
  if (!isEditable) {
    return (
      <Tooltip title={hint}>
        <span className={`number ${styles.fixed}`} data-unset={after === undefined || undefined}>
          <span data-derived={isDerived || undefined}>{shown(after)}</span>
        </span>
      </Tooltip>
    )
  }
  if (isEditing) {
    return (
      <PriceField
        label={label}
        value={after}
        isRatio={isRatio}
        onEnter={onEnter}
        onDone={(isByKey) => {
          returnsFocus.current = isByKey
          setIsEditing(false)
        }}
      />
    )
  }
  return (
    <Tooltip title={hint}>
      <button
        type="button"
        className={styles.cell}
        {...{ [CELL]: label }}
        data-changed={isChanged || undefined}
        aria-label={`${label}: ${write(after)}`}
        ref={(button) => {
          if (button && returnsFocus.current) button.focus({ preventScroll: true })
          returnsFocus.current = false
        }}
        onClick={() => setIsEditing(true)}
      >
        <EditOutlined className={styles.pencil} aria-hidden />
        <span className="number" data-derived={isDerived || undefined}>
          {shown(after)}
        </span>
        {isChanged && before !== undefined && <del className={`number ${styles.old}`}>{write(before)}</del>}
      </button>
    </Tooltip>
  )
}

/** A ratio with the decimals of its column, or more where it has more. */
const writeRatio = (ratio: number, decimals: number): string =>
  String(ratio).length > ratio.toFixed(decimals).length ? String(ratio) : ratio.toFixed(decimals)

interface FieldProps extends Pick<Props, 'label' | 'onEnter'> {
  value: number | undefined
  isRatio: boolean
  onDone(isByKey: boolean): void
}

function PriceField({ label, value, isRatio, onEnter, onDone }: FieldProps) {
  const initial = value === undefined ? '' : String(value)
  const [text, setText] = useState(initial)
  const [problem, setProblem] = useState<string | null>(null)
  const field = useRef<InputRef>(null)
  useEffect(() => field.current?.focus({ cursor: 'all' }), [])

  const commit = (isByKey: boolean): boolean => {
    if (text.trim() === initial) {
      onDone(isByKey)
      return true
    }
    const found = onEnter(text)
    setProblem(found)
    if (found !== null && isByKey) toast.error(found)
    if (found === null || !isByKey) onDone(isByKey)
    return found === null
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') {
      event.stopPropagation() // not the dialog around it
      onDone(true)
    }
    if (event.key !== 'Enter' && event.key !== 'Tab') return
    const open = nextCell(event.currentTarget, event.key === 'Enter' ? 'down' : event.shiftKey ? 'left' : 'right')
    if (!commit(true)) return event.preventDefault()
    if (!open) return
    event.preventDefault()
    // The row renders first, because the next cell may be a new element.
    setTimeout(open, 0)
  }
  return (
    <Input
      ref={field}
      className={styles.priceField}
      size="small"
      prefix={isRatio ? undefined : '$'}
      inputMode="decimal"
      autoComplete="off"
      aria-label={label}
      value={text}
      status={problem === null ? '' : 'error'}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => commit(false)}
      onKeyDown={onKeyDown}
    />
  )
}

/** Finds the next editable cell in a direction and returns a function that opens it. */
function nextCell(field: HTMLElement, direction: 'right' | 'left' | 'down'): (() => void) | null {
  const place = field.closest('td')
  const row = place?.closest('tr')
  if (!place || !row) return null
  const column = place.cellIndex
  const step = direction === 'left' ? -1 : 1
  if (direction !== 'down') {
    for (let index = column + step; index >= 0 && index < row.cells.length; index += step) {
      if (cellIn(row, index)) return () => cellIn(row, index)?.click()
    }
    return null
  }
  for (let next = row.nextElementSibling; next; next = next.nextElementSibling) {
    const below = next as HTMLTableRowElement
    if (cellIn(below, column)) return () => cellIn(below, column)?.click()
  }
  return null
}

const cellIn = (row: HTMLTableRowElement, column: number) =>
  row.cells[column]?.querySelector<HTMLButtonElement>(`[${CELL}]`)
