import { LOG_TYPE, type UsageLog } from '@tidegate/contract/api'
import { memo, type MouseEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useHasCards } from '../../lib/use-media.ts'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import {
  Attempts,
  cardTime,
  Cell,
  Cost,
  ErrorText,
  EventText,
  LAST_COLUMNS,
  NUMBER_COLUMNS,
  rowName,
  rowTime,
  RowText,
  timeTitle,
  type ColumnKey,
} from './columns.tsx'
import { logKey, openKey } from './filters.ts'
import styles from './log-table.module.css'
import { isRequest, LogType, StateMark, stateOf } from './state-mark.tsx'

export interface LogListProps {
  rows: readonly UsageLog[]
  columns: readonly ColumnKey[]
  wholeSite: boolean
  /** Key of the row in the panel. */
  openRow: string
  onOpen(key: string): void
  onOnlyUser(username: string): void
  /** Hides token names to save space. */
  compact: boolean
  refreshing: boolean
}

const MIN_COLUMN_WIDTH = 96

/**
 * The log as a table. It has fixed column widths and memoized rows, because rows are added every two seconds
 * and messages of errors span several columns.
 */
export function LogTable({ rows, columns, compact, refreshing, ...rest }: LogListProps) {
  const { t } = useTranslation('logs')
  return (
    <div className={styles.panel} data-refreshing={refreshing || undefined} aria-busy={refreshing}>
      <table
        className={styles.table}
        aria-label={t('list')}
        data-compact={compact || undefined}
        style={{ minWidth: columns.length * MIN_COLUMN_WIDTH }}
      >
        <colgroup>
          {columns.map((key) => (
            <col key={key} data-column={key} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((key) => (
              <th key={key} scope="col" data-number={NUMBER_COLUMNS.has(key) || undefined}>
                {t(`columns.${key}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((log) => (
            <Row
              key={logKey(log)}
              log={log}
              columns={columns}
              isOpen={openKey(log) === rest.openRow}
              {...handlers(rest)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const handlers = ({ wholeSite, onOpen, onOnlyUser }: Pick<LogListProps, 'wholeSite' | 'onOpen' | 'onOnlyUser'>) => ({
  wholeSite,
  onOpen,
  onOnlyUser,
})

interface RowProps extends Pick<LogListProps, 'columns' | 'wholeSite' | 'onOpen' | 'onOnlyUser'> {
  log: UsageLog
  isOpen: boolean
}

const Row = memo(function Row({ log, columns, wholeSite, isOpen, onOpen, onOnlyUser }: RowProps) {
  const open = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('button, a, .ant-popover')) return
    onOpen(openKey(log))
  }
  return (
    // The button in the first cell does the same for the keyboard.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <tr data-open={isOpen || undefined} data-row={openKey(log)} onClick={open}>
      {cells()}
    </tr>
  )

  function cells(): ReactNode {
    const first = columns[0]
    const time = <TimeButton log={log} isOpen={isOpen} onOpen={onOpen} hasTime={first === 'time'} />
    if (!isRequest(log)) {
      const hasTime = first === 'time' && columns.length > 1
      return (
        <>
          {hasTime && <td>{time}</td>}
          <td colSpan={columns.length - (hasTime ? 1 : 0)}>
            <span className={styles.inline}>
              {!hasTime && time}
              <EventText log={log} wholeSite={wholeSite} />
            </span>
          </td>
        </>
      )
    }
    const isError = log.type === LOG_TYPE.error
    const single = columns.filter((key) => !isError || !LAST_COLUMNS.has(key))
    const span = columns.length - single.length
    return (
      <>
        {single.map((key, index) => (
          <td key={key} data-number={NUMBER_COLUMNS.has(key) || undefined}>
            {index === 0 && time}
            <Cell column={key} log={log} shown={columns} onOnlyUser={onOnlyUser} />
          </td>
        ))}
        {span > 0 && (
          <td colSpan={span} data-error>
            {single.length === 0 && time}
            <ErrorText log={log} />
          </td>
        )}
      </>
    )
  }
})

interface TimeButtonProps {
  log: UsageLog
  isOpen: boolean
  onOpen(key: string): void
  hasTime: boolean
}

/** The time and the state of a row. Opens the row. */
function TimeButton({ log, isOpen, onOpen, hasTime }: TimeButtonProps) {
  const { t, i18n } = useTranslation('logs')
  const time = rowTime(log.created_at, i18n.resolvedLanguage ?? 'en')
  return (
    <button
      type="button"
      className={styles.open}
      aria-label={t('openRow', { time, name: rowName(log) })}
      aria-expanded={isOpen}
      title={timeTitle(log.created_at, i18n.resolvedLanguage ?? 'en')}
      onClick={() => onOpen(openKey(log))}
    >
      {hasTime && <span className={`number ${styles.time}`}>{time}</span>}
      {isRequest(log) && <StateMark state={stateOf(log)} />}
    </button>
  )
}

/** The log on a phone: one line per row, and a second one for an error. */
export function LogCards({ rows, wholeSite, openRow, onOpen, refreshing }: LogListProps) {
  const { t, i18n } = useTranslation('logs')
  return (
    <ul className={`${styles.panel} ${styles.cards}`} aria-label={t('list')} data-refreshing={refreshing || undefined}>
      {rows.map((log) => (
        <li key={logKey(log)}>
          <button
            type="button"
            className={styles.card}
            aria-expanded={openKey(log) === openRow}
            onClick={() => onOpen(openKey(log))}
          >
            <span className={`number ${styles.aside}`}>{cardTime(log.created_at, i18n.resolvedLanguage ?? 'en')}</span>
            {isRequest(log) ? <StateMark state={stateOf(log)} /> : <span />}
            {isRequest(log) ? (
              <span className={styles.inline}>
                <span className={`mono ${styles.cut}`}>{log.model_name || '–'}</span>
                <Attempts log={log} />
                <span className={`${styles.aside} ${styles.note}`}>{wholeSite ? log.username : log.token_name}</span>
              </span>
            ) : (
              <span className={styles.inline}>
                <LogType log={log} />
                <span className={`${styles.aside} ${styles.note}`}>
                  <RowText log={log} />
                </span>
              </span>
            )}
            <span className="number">
              <Cost log={log} />
            </span>
            {log.type === LOG_TYPE.error && (
              <span className={`${styles.aside} ${styles.secondLine}`}>
                <ErrorText log={log} />
              </span>
            )}
          </button>
        </li>
      ))}
    </ul>
  )
}

export function LogsLoading() {
  const { t } = useTranslation()
  const hasCards = useHasCards()
  return (
    <output className={`${styles.panel} ${styles.loading}`} aria-label={t('loading')} data-late>
      <SkeletonRows rows={14} cards={hasCards} />
    </output>
  )
}
