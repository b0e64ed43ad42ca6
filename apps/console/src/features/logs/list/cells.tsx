import { LOG_TYPE, type UsageLog } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { CallTiming } from '../../../lib/receipt/call-timing.tsx'
import { channelsIn, fieldsOf, firstTokenIn, isChannelTest, upstreamModelIn } from '../../../lib/receipt/fields.ts'
import { Money } from '../../../ui/money.tsx'
import { StatusTag } from '../../../ui/status-tag.tsx'
import { useCopyText } from '../../../ui/use-copy-text.tsx'
import { rowWords } from '../event-words.ts'
import styles from './list.module.css'

/** Only calls have a duration; a top-up has not. */
export const isCall = ({ type }: UsageLog): boolean => type === LOG_TYPE.consumption || type === LOG_TYPE.error

/** A name that a click copies. */
export function CopyName({ name, mono = false }: { name: string; mono?: boolean }) {
  const { t } = useTranslation('logs')
  const copy = useCopyText()
  if (name === '') return null
  return (
    <button
      type="button"
      className={`${styles.copyName} ${mono ? `mono ${styles.model}` : styles.name}`}
      title={name}
      aria-label={t('copyName', { name })}
      onClick={() => void copy(name)}
    >
      {name}
    </button>
  )
}

/**
 * The requested name and, where the channel has another for it, that one as well. `withMessage` adds what went wrong,
 * where no other column tells it.
 */
export function ModelName({ log, withMessage = false }: { log: UsageLog; withMessage?: boolean }) {
  const { t } = useTranslation('logs')
  const message = withMessage && log.type === LOG_TYPE.error ? rowWords(log, t) : ''
  const upstream = upstreamModelIn(fieldsOf(log))
  return (
    <span className={styles.lines}>
      <CopyName name={log.model_name} mono />
      {upstream && (
        <span className={`mono secondary ${styles.upstream}`} title={t('upstreamModel', { name: upstream })}>
          → {upstream}
        </span>
      )}
      {message && (
        <span className={styles.message} title={message}>
          {message}
        </span>
      )}
    </span>
  )
}

/** The number, with the name on hover: names are long, and the number is what the other screens search by. */
export function ChannelId({ log: { channel, channel_name: name } }: { log: UsageLog }) {
  if (channel === 0) return null
  return (
    <span className="number" title={name || undefined}>
      #{channel}
      {name && <span className="visually-hidden"> {name}</span>}
    </span>
  )
}

export function GroupTag({ group }: Pick<UsageLog, 'group'>) {
  if (group === '') return null
  return (
    <StatusTag tone="neutral" plain>
      {group}
    </StatusTag>
  )
}

export function Timing({ log }: { log: UsageLog }) {
  if (!isCall(log)) return null
  return (
    <CallTiming
      milliseconds={log.use_time_ms}
      firstToken={firstTokenIn(fieldsOf(log))}
      isStream={log.is_stream}
      failed={log.type === LOG_TYPE.error}
    />
  )
}

/** Every channel on the way; nothing where the first one served. */
export function RetryPath({ log }: { log: UsageLog }) {
  const channels = channelsIn(fieldsOf(log))
  if (channels.length < 2) return null
  return <span className="number">{channels.join(' → ')}</span>
}

export function Words({ log }: { log: UsageLog }) {
  const { t } = useTranslation('logs')
  const words = rowWords(log, t)
  return (
    <span className={styles.words} title={words}>
      {words}
    </span>
  )
}

export function Sentence({ log }: { log: UsageLog }) {
  const { t } = useTranslation('logs')
  return <span className={styles.sentence}>{rowWords(log, t)}</span>
}

export function TokenCount({ log, of }: { log: UsageLog; of: 'prompt_tokens' | 'completion_tokens' }) {
  if (log.type !== LOG_TYPE.consumption) return null
  return <span className="number">{formatCount(log[of])}</span>
}

export function Cost({ log }: { log: UsageLog }) {
  const { t } = useTranslation('logs')
  if (log.type !== LOG_TYPE.consumption) return null
  if (!isChannelTest(log)) return <Money quota={log.quota} kind="call" />
  return (
    <span className="secondary" title={t('testCost')}>
      (<Money quota={log.quota} kind="call" />)<span className="visually-hidden"> {t('testCost')}</span>
    </span>
  )
}
