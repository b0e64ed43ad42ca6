import type { Message, MessageFormat } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatCount, formatRowTime } from '../../../lib/format.ts'
import { Progress } from '../../../ui/kit/index.ts'
import { RowButton } from '../../../ui/row-button.tsx'
import { StatusTag } from '../../../ui/status-tag.tsx'
import { Time } from '../../../ui/time.tsx'
import styles from '../messages.module.css'
import type { MessageActions } from './use-message-actions.ts'

/** Facts of a message that read the same in a table, on a card and in its editor. */

export function FormatTag({ format }: { format: MessageFormat }) {
  const { t } = useTranslation('messages')
  return (
    <span className={styles.format} data-format={format}>
      {t(`formats.${format}`)}
    </span>
  )
}

/** How many have it and what part of them has read it; before that, whom it is for. */
export function Recipients({ message }: { message: Message }) {
  const { t } = useTranslation('messages')
  const { state, stats } = message
  if (state === 'scheduled') return <Target message={message} />
  return (
    <span className="number">
      {formatCount(stats.total_recipients)}{' '}
      {stats.total_recipients > 0 && (
        <span className={`secondary ${styles.share}`}>{t('readShare', { share: percent(stats.read_rate) })}</span>
      )}
    </span>
  )
}

export function Target({ message: { target, group, planned } }: { message: Message }) {
  const { t } = useTranslation('messages')
  if (target === 'group') return t('targets.group', { group })
  return target === 'all' ? t('targets.all') : t('targets.users', { count: formatCount(planned ?? 0) })
}

export function SendState({ message }: { message: Message }) {
  const { t } = useTranslation('messages')
  const { state, send_at: sendAt, planned, delivered } = message
  if (state === 'sent') return <StatusTag tone="good">{t('states.sent')}</StatusTag>
  if (state === 'scheduled') {
    return (
      <span className={styles.state}>
        <StatusTag tone="info">{t('states.scheduled')}</StatusTag>
        {sendAt !== null && (
          <span className="number secondary">
            {t('states.scheduledAt', { time: formatRowTime(sendAt).slice(0, -3) })}
          </span>
        )}
      </span>
    )
  }
  const share = planned ? Math.floor((delivered / planned) * 100) : 0
  return (
    <span className={styles.state}>
      <StatusTag tone="warn">{t('states.sending')}</StatusTag>
      <span className="number secondary">
        {planned === null
          ? t('states.preparing')
          : t('states.progress', { done: formatCount(delivered), total: formatCount(planned) })}
      </span>
      <Progress
        className={styles.progress}
        percent={share}
        showInfo={false}
        size="small"
        aria-label={t('states.sending')}
      />
    </span>
  )
}

export const CreatedTime = ({ message }: { message: Message }) => (
  <Time unixSeconds={Math.floor(new Date(message.created_at).getTime() / 1000)} exact />
)

export function RowActions({ message, actions }: { message: Message; actions: MessageActions }) {
  const { t } = useTranslation('messages')
  const { id } = message
  return (
    <span className={styles.actions}>
      <RowButton label={t('actionOn.edit', { id })} onClick={() => actions.edit(id)}>
        {t('actions.edit')}
      </RowButton>
      <RowButton label={t('actionOn.delete', { id })} onClick={() => actions.remove(message)}>
        {t('actions.delete')}
      </RowButton>
    </span>
  )
}

/** A reader among thousands is more than nobody, and one who has not read it is less than all. */
export function percent(rate: number): string {
  if (rate > 0 && rate < 1) return '<1%'
  if (rate > 99 && rate < 100) return '>99%'
  return `${Math.round(rate)}%`
}
