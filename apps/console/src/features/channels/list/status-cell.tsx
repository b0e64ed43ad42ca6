import { CHANNEL_STATUS, type Channel } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatExactTime, formatCount } from '../../../lib/format.ts'
import { Tooltip } from '../../../ui/kit/index.ts'
import { StatusTag } from '../../../ui/status-tag.tsx'
import styles from '../channels.module.css'
import { statusReason, usageWarning, type UsageWarning } from '../status-reason.ts'
import type { TagRow } from './list-rows.ts'

export function ChannelStatus({ channel }: { channel: Channel }) {
  const warning = usageWarning(channel.other_info)
  return (
    <>
      <OwnStatus channel={channel} />
      {warning && <ImplausibleUsage warning={warning} />}
    </>
  )
}

function ImplausibleUsage({ warning: { time, model, reported, counted } }: { warning: UsageWarning }) {
  const { t } = useTranslation('channels')
  const details = t('status.implausibleDetails', {
    time: formatExactTime(time),
    model,
    reported: formatCount(reported),
    counted: formatCount(counted),
  })
  return <Explained tag={t('status.implausibleUsage')} words={[details]} />
}

/** A button, to be reached by keyboard and by touch: what it explains stands nowhere else. */
function Explained({ tag, words }: { tag: string; words: readonly string[] }) {
  return (
    <Tooltip
      title={words.map((part) => (
        <div key={part}>{part}</div>
      ))}
    >
      <button type="button" className={styles.explained} aria-label={[tag, ...words].join(' · ')}>
        <StatusTag tone="warn">{tag}</StatusTag>
      </button>
    </Tooltip>
  )
}

function OwnStatus({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  switch (channel.status) {
    case CHANNEL_STATUS.enabled:
      return <StatusTag tone="good">{t('status.enabled')}</StatusTag>
    case CHANNEL_STATUS.disabled:
      return <StatusTag tone="neutral">{t('status.disabled')}</StatusTag>
    case CHANNEL_STATUS.autoDisabled: {
      const { reason, time } = statusReason(channel.other_info)
      const words = [
        t('status.reason', { reason: reason || t('status.noReason') }),
        time > 0 && t('status.since', { time: formatExactTime(time) }),
      ].filter((part) => part !== false)
      return <Explained tag={t('status.autoDisabled')} words={words} />
    }
    default:
      return <StatusTag tone="neutral">{t('status.unknown')}</StatusTag>
  }
}

export function TagStatus({ row: { enabled, enabledCount, channels } }: { row: TagRow }) {
  const { t } = useTranslation('channels')
  return (
    <StatusTag tone={enabled ? 'good' : 'neutral'}>
      {enabled ? t('status.enabled') : t('status.disabled')}{' '}
      <span className="number">
        {enabledCount}/{channels.length}
      </span>
    </StatusTag>
  )
}
