import { CHANNEL_STATUS, type Channel, type ChannelKey } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { Time } from '../../../ui/page/time.tsx'
import { channelKeysQuery, useKeyStatus } from '../api.ts'
import styles from './panel.module.css'

/** Each key with its state and why it was disabled. */
export function KeysTab({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const keys = useQuery(channelKeysQuery(channel.id))
  if (keys.error && !keys.data) {
    return (
      <LoadError
        title={common('errors.loadFailed')}
        error={keys.error}
        retrying={keys.isFetching}
        onRetry={keys.refetch}
      />
    )
  }
  if (!keys.data) return <SkeletonLines lines={3} />
  if (keys.data.length === 0) return <p className={styles.nothing}>{t('keys.none')}</p>
  return (
    <ul className={styles.keys} aria-label={t('keys.title', { name: channel.name })}>
      {keys.data.map((key) => (
        <KeyState key={key.hash} channel={channel} state={key} />
      ))}
    </ul>
  )
}

function KeyState({ channel, state }: { channel: Channel; state: ChannelKey }) {
  const { t } = useTranslation('channels')
  const change = useKeyStatus()
  const isEnabled = state.status === CHANNEL_STATUS.enabled
  const isAutomatic = state.status === CHANNEL_STATUS.autoDisabled
  return (
    <li>
      <span className={styles.keyFacts}>
        <code className="mono">{state.masked}</code>
        <StatusTag tone={isEnabled ? 'usual' : isAutomatic ? 'bad' : 'neutral'}>
          {t(isEnabled ? 'status.enabled' : isAutomatic ? 'status.autoDisabled' : 'status.disabled')}
        </StatusTag>
        {!isEnabled && state.changed_time > 0 && (
          <span className="secondary">
            <Time unixSeconds={state.changed_time} />
          </span>
        )}
        {state.reason && <span className={styles.keyReason}>{state.reason}</span>}
      </span>
      <Button
        size="small"
        loading={change.isPending}
        aria-label={t(isEnabled ? 'keys.disableOne' : 'keys.enableOne', { key: state.masked })}
        onClick={() => change.mutate({ id: channel.id, hash: state.hash, enabled: !isEnabled })}
      >
        {t(isEnabled ? 'disable' : 'enable')}
      </Button>
    </li>
  )
}
