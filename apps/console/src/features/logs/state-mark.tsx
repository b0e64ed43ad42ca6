import { LOG_TYPE, type UsageLog } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { fieldsOf, flagIn, isChannelTest } from '../../components/receipt/fields.ts'
import { StatusTag, type Tone } from '../../ui/feedback/status-tag.tsx'
import styles from './log-table.module.css'

type LogTypeName = keyof typeof LOG_TYPE

export const LOG_TYPE_NAMES = Object.keys(LOG_TYPE) as LogTypeName[]

const TONES: Record<LogTypeName | 'unknown', Tone> = {
  topUp: 'good',
  consumption: 'neutral',
  admin: 'warn',
  system: 'info',
  checkIn: 'good',
  error: 'bad',
  unknown: 'neutral',
}

export const logTypeName = (type: number): LogTypeName | 'unknown' =>
  LOG_TYPE_NAMES.find((name) => LOG_TYPE[name] === type) ?? 'unknown'

export function LogType({ log }: { log: Pick<UsageLog, 'type' | 'other'> }) {
  const { t } = useTranslation('logs')
  if (isChannelTest(log)) {
    return (
      <StatusTag tone="info" plain>
        {t('types.test')}
      </StatusTag>
    )
  }
  const name = logTypeName(log.type)
  return (
    <StatusTag tone={TONES[name]} plain>
      {t(`types.${name}`)}
    </StatusTag>
  )
}

/** Other types, such as top-ups, are not requests. */
export const isRequest = ({ type }: Pick<UsageLog, 'type'>): boolean =>
  type === LOG_TYPE.consumption || type === LOG_TYPE.error

export type RequestState = 'success' | 'error' | 'interrupted' | 'retried'

/** Fields of a billed request that ended early, as in the status filter of the server. */
const INTERRUPTED = ['interrupted', 'stream_interrupted', 'client_disconnected', 'access_revoked']

/** `retried`: a failed attempt after which another channel was called. */
export function stateOf(log: UsageLog): RequestState {
  const fields = fieldsOf(log)
  if (log.type === LOG_TYPE.error) return flagIn(fields, 'not_final') ? 'retried' : 'error'
  return INTERRUPTED.some((name) => Boolean(fields[name])) ? 'interrupted' : 'success'
}

/** The state as a shape and a colour: circle, triangle, amber circle, outlined triangle. */
export function StateMark({ state, isDecoration = false }: { state: RequestState; isDecoration?: boolean }) {
  const { t } = useTranslation('logs')
  const label = isDecoration ? { 'aria-hidden': true } : { role: 'img', 'aria-label': t(`state.${state}`) }
  return (
    <svg className={styles.state} data-state={state} viewBox="0 0 10 10" {...label}>
      {!isDecoration && <title>{t(`state.${state}`)}</title>}
      {state === 'error' || state === 'retried' ? <path d="M5 1 9.3 9H.7Z" /> : <circle cx="5" cy="5" r="4" />}
    </svg>
  )
}
