import { CHANNEL_STATUS, type Channel } from '@tidegate/contract/api'
import { Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatExactTime } from '../../lib/format.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { StatusTag, type Tone } from '../../ui/status-tag.tsx'
import { channelType, splitNames } from './channel-types.ts'
import styles from './channels.module.css'
import { statusReason } from './status-reason.ts'

/** Facts of a channel that read the same in a table and on a card. */
export function ChannelStatus({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  switch (channel.status) {
    case CHANNEL_STATUS.enabled:
      return <StatusTag tone="good">{t('status.enabled')}</StatusTag>
    case CHANNEL_STATUS.disabled:
      return <StatusTag tone="neutral">{t('status.disabled')}</StatusTag>
    case CHANNEL_STATUS.autoDisabled: {
      const { reason, time } = statusReason(channel.other_info)
      return (
        <Tooltip title={[reason, time && formatExactTime(time)].filter(Boolean).join(' · ')}>
          <span>
            <StatusTag tone="warn">{t('status.autoDisabled')}</StatusTag>
          </span>
        </Tooltip>
      )
    }
    default:
      return <StatusTag tone="neutral">{t('status.unknown')}</StatusTag>
  }
}

export function ChannelTypeName({ type }: { type: number }) {
  const { t } = useTranslation('channels')
  const known = channelType(type)
  return <>{known ? t(`types.${known.key}`) : t('types.other', { type })}</>
}

const FEW = 2

/** The first models by name, the rest by count; all of them on hover and by copy. */
export function ChannelModels({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  const models = splitNames(channel.models)
  return (
    <span className={styles.models}>
      <Tooltip title={models.length > FEW ? models.join(', ') : ''}>
        <span className={styles.modelNames}>
          {models.slice(0, FEW).map((model) => (
            <code key={model} className={`mono ${styles.model}`}>
              {model}
            </code>
          ))}
          {models.length > FEW && <span className="secondary">{t('moreModels', { count: models.length })}</span>}
        </span>
      </Tooltip>
      <CopyButton text={models.join(',')} label={t('copyModels', { name: channel.name })} />
    </span>
  )
}

export function ResponseTime({ milliseconds }: { milliseconds: number }) {
  const { t } = useTranslation('channels')
  if (milliseconds === 0) return <span className="secondary">{t('untested')}</span>
  return (
    <StatusTag tone={responseTone(milliseconds)} plain>
      <span className="number">{(milliseconds / 1000).toFixed(2)} s</span>
    </StatusTag>
  )
}

function responseTone(milliseconds: number): Tone {
  if (milliseconds <= 1000) return 'good'
  if (milliseconds <= 3000) return 'info'
  return milliseconds <= 5000 ? 'warn' : 'bad'
}
