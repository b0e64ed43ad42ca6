import { LOG_TYPE, type UsageLog } from '@tidegate/contract/api'
import { RetweetOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../api/errors.ts'
import { useLogErrorLabel } from './gateway-errors.ts'
import { Money } from '../../components/money.tsx'
import { firstTokenTone, totalTone } from '../../components/receipt/call-timing.tsx'
import {
  channelsIn,
  fieldsOf,
  firstTokenIn,
  isChannelTest,
  record,
  textIn,
  upstreamModelIn,
} from '../../components/receipt/fields.ts'
import {
  dollars,
  formatCount,
  formatExactTime,
  formatRowTime,
  formatRelativeTime,
  formatSeconds,
  inSeconds,
  moneyRules,
} from '../../lib/format.ts'
import { stored } from '../../lib/stored.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import type { Tone } from '../../ui/feedback/status-tag.tsx'
import { Button } from '../../ui/kit/index.ts'
import { PopoverButton } from '../../ui/overlay/popover-button.tsx'
import { Facts } from '../../ui/page/facts.tsx'
import type { ColumnRules } from '../../ui/table/column-choice.ts'
import { userQuery } from './api.ts'
import { rowText } from './event-text.ts'
import styles from './log-table.module.css'
import { isRequest, LogType } from './state-mark.tsx'

/** In order. Errors use the cells of `details` and the columns after it for their message. */
const KEYS = [
  'time',
  'model',
  'user',
  'token',
  'channel',
  'retry',
  'group',
  'type',
  'details',
  'tokens',
  'duration',
  'cost',
] as const
export type ColumnKey = (typeof KEYS)[number]

export const LAST_COLUMNS: ReadonlySet<ColumnKey> = new Set(['details', 'tokens', 'duration', 'cost'])
export const NUMBER_COLUMNS: ReadonlySet<ColumnKey> = new Set(['tokens', 'duration', 'cost'])

export const COLUMNS: ColumnRules<ColumnKey> = {
  keys: KEYS,
  forAdministrators: new Set(['channel', 'user', 'retry']),
  hiddenAtFirst: {
    administrator: new Set(['token', 'retry', 'group', 'type', 'details']),
    user: new Set(['type', 'details']),
  },
  item: stored.logColumns,
}

/** Columns beside an open panel. */
const NARROW_COLUMNS: ReadonlySet<ColumnKey> = new Set(['time', 'model', 'user', 'duration', 'cost'])

export const narrowColumns = (columns: readonly ColumnKey[]): ColumnKey[] =>
  columns.filter((key) => NARROW_COLUMNS.has(key))

/** Columns on a tablet, where only the panel shows the number of tokens. */
export const tabletColumns = (columns: readonly ColumnKey[]): ColumnKey[] => columns.filter((key) => key !== 'tokens')

interface CellProps {
  log: UsageLog
  shown: readonly ColumnKey[]
  onOnlyUser(username: string): void
}

/** The content of a cell of a request. */
export function Cell({ column, ...props }: CellProps & { column: ColumnKey }): ReactNode {
  const { log } = props
  switch (column) {
    case 'time':
      return null
    case 'model':
      return <ModelCell log={log} />
    case 'user':
      return <UserCell {...props} />
    case 'token':
      return log.token_name
    case 'channel':
      return <ChannelCell log={log} />
    case 'retry':
      return <RetryPath log={log} />
    case 'group':
      return log.group
    case 'type':
      return <LogType log={log} />
    case 'details':
      return <RowText log={log} />
    case 'tokens':
      return <Tokens log={log} />
    case 'duration':
      return <Duration log={log} />
    case 'cost':
      return <Cost log={log} />
  }
}

/** The requested model and, where the channel has another name for it, the upstream model. */
function ModelCell({ log }: { log: UsageLog }) {
  const { t } = useTranslation('logs')
  const upstream = upstreamModelIn(fieldsOf(log))
  const title = upstream ? `${log.model_name} · ${t('upstreamModel', { name: upstream })}` : log.model_name
  return (
    <span className={styles.inline} title={title}>
      <span className={`mono ${styles.cut}`}>{log.model_name || '–'}</span>
      {isChannelTest(log) && <LogType log={log} />}
      {upstream && <span className={`mono ${styles.aside} ${styles.cut}`}>→ {upstream}</span>}
    </span>
  )
}

/** User and token in one cell, unless the token has its own column. A click on the name opens details of the user. */
function UserCell({ log, shown, onOnlyUser }: CellProps) {
  const { t } = useTranslation('logs')
  const { user_id: id, username, token_name: token } = log
  if (username === '') return '–'
  return (
    <span className={styles.inline}>
      <PopoverButton
        className={styles.user}
        label={t('user.show', { name: username })}
        title={username}
        content={<UserFacts id={id} onOnly={() => onOnlyUser(username)} />}
      >
        {username}
      </PopoverButton>
      {!shown.includes('token') && token && (
        <span className={`${styles.aside} ${styles.cut} ${styles.token}`} title={token}>
          {token}
        </span>
      )}
    </span>
  )
}

function UserFacts({ id, onOnly }: { id: number; onOnly(): void }) {
  const { t } = useTranslation('logs')
  const user = useQuery(userQuery(id))
  return (
    <div className={styles.userFacts}>
      {user.data ? (
        <Facts
          facts={[
            { term: t('user.balance'), value: <Money quota={user.data.quota} /> },
            { term: t('user.used'), value: <Money quota={user.data.used_quota} /> },
            { term: t('user.requests'), value: <span className="number">{formatCount(user.data.request_count)}</span> },
            { term: t('user.group'), value: user.data.group },
          ]}
        />
      ) : user.error ? (
        // Administrators cannot read users of the same or a higher role.
        <p role="alert">{errorText(user.error)}</p>
      ) : (
        <SkeletonLines lines={2} />
      )}
      <Button size="small" onClick={onOnly}>
        {t('user.onlyTheirs')}
      </Button>
    </div>
  )
}

function ChannelCell({ log }: { log: UsageLog }) {
  const { t } = useTranslation('logs')
  const { channel, channel_name: name } = log
  if (channel === 0) return <span className={styles.aside}>{t('notRouted')}</span>
  return (
    <span className={styles.inline}>
      <span className={styles.cut} title={`#${channel} ${name}`}>
        {name || `#${channel}`}
      </span>
      <Attempts log={log} />
    </span>
  )
}

/** How many channels were called, if more than one. */
export function Attempts({ log: { attempts = 1 } }: { log: Pick<UsageLog, 'attempts'> }) {
  const { t } = useTranslation('logs')
  if (attempts < 2) return null
  const text = t('attempts', { count: attempts })
  return (
    <span className={styles.attempts} title={text}>
      <RetweetOutlined aria-hidden />
      <span aria-hidden>{attempts}</span>
      <span className="visually-hidden">{text}</span>
    </span>
  )
}

function RetryPath({ log }: { log: UsageLog }) {
  const channels = channelsIn(fieldsOf(log))
  return channels.length < 2 ? null : <span className="number">{channels.join(' → ')}</span>
}

export function RowText({ log }: { log: UsageLog }) {
  const { t } = useTranslation('logs')
  const text = rowText(log, t)
  return (
    <span className={styles.cut} title={text}>
      {text}
    </span>
  )
}

function Tokens({ log }: { log: UsageLog }) {
  const { t } = useTranslation('logs')
  if (log.type !== LOG_TYPE.consumption) return null
  return (
    <span title={t('inputOutput')}>
      {formatCount(log.prompt_tokens)}
      <span className={styles.aside}> › </span>
      {formatCount(log.completion_tokens)}
    </span>
  )
}

/** Time to the first token and total time. Only slow values have a colour. */
export function Duration({ log }: { log: UsageLog }) {
  const { t } = useTranslation('logs')
  const firstToken = log.is_stream ? (log.first_token_ms ?? firstTokenIn(fieldsOf(log))) : null
  const slow = (tone: Tone) => (tone === 'warn' || tone === 'bad' ? tone : undefined)
  const [first, total] = [
    firstToken === null ? undefined : slow(firstTokenTone(firstToken)),
    slow(totalTone(log.use_time_ms)),
  ]
  return (
    <span title={t(log.is_stream ? 'stream' : 'notStream')}>
      {firstToken !== null && (
        <>
          <span data-tone={first} title={first && t(`slow.${first}`)}>
            {inSeconds(firstToken)}
          </span>
          <span className={styles.aside}> / </span>
        </>
      )}
      <span data-tone={total} title={total && t(`slow.${total}`)}>
        {formatSeconds(log.use_time_ms)}
      </span>
    </span>
  )
}

/** Six decimals, so that a column can be compared. */
export function costText(quota: number): string {
  const { inCurrency, quotaPerUnit } = moneyRules()
  return inCurrency ? dollars(quota / quotaPerUnit, 6, 6) : formatCount(quota)
}

export function Cost({ log }: { log: UsageLog }) {
  const { t } = useTranslation('logs')
  const { t: common } = useTranslation()
  if (log.type !== LOG_TYPE.consumption) return null
  const exact = common('quotaExactly', { quota: formatCount(log.quota) })
  if (!isChannelTest(log)) return <span title={exact}>{costText(log.quota)}</span>
  return (
    <span className={styles.aside} title={t('testCost')}>
      ({costText(log.quota)})<span className="visually-hidden"> {t('testCost')}</span>
    </span>
  )
}

/** The status and the kind of error in a few words; the full text on hover and in the panel. */
export function ErrorText({ log }: { log: UsageLog }) {
  const { t } = useTranslation('logs')
  const labelOf = useLogErrorLabel()
  const { code, status, message } = errorOf(log)
  return (
    <span className={styles.inline} title={[code, message].filter(Boolean).join(' · ')}>
      <span className={styles.errorCode}>{status || t('types.error')}</span>
      <span className={`${styles.errorMessage} ${styles.cut}`}>
        {labelOf({ code, status: Number(status) }) ?? (log.content || code)}
      </span>
    </span>
  )
}

function errorOf(log: UsageLog): { code: string; status: string; message: string } {
  const fields = fieldsOf(log)
  return {
    code: log.error_code ?? textIn(fields, 'error_code'),
    status: textIn(fields, 'status_code'),
    message: textIn(record(fields.admin_info), 'message') || log.content,
  }
}

/** The time of today, or day and time. */
export function rowTime(unixSeconds: number, language: string, now = new Date()): string {
  const exact = formatExactTime(unixSeconds)
  const today = formatExactTime(Math.floor(now.getTime() / 1000)).slice(0, 10)
  return exact.startsWith(today) ? exact.slice(11) : formatRowTime(unixSeconds, language, now)
}

/** Without seconds, for phones. */
export const cardTime = (unixSeconds: number, language: string): string =>
  rowTime(unixSeconds, language).replace(/(:\d\d):\d\d$/, '$1')

export const timeTitle = (unixSeconds: number, language: string): string =>
  `${formatExactTime(unixSeconds)} · ${formatRelativeTime(unixSeconds, language)}`

/** The event text of rows that are not requests. */
export function EventText({ log, wholeSite }: { log: UsageLog; wholeSite: boolean }) {
  return (
    <span className={styles.inline}>
      <LogType log={log} />
      {wholeSite && log.username && <span className={styles.eventUser}>{log.username}</span>}
      <RowText log={log} />
    </span>
  )
}

/** The accessible name of a row. */
export const rowName = (log: UsageLog): string => (isRequest(log) ? log.model_name : log.content)
