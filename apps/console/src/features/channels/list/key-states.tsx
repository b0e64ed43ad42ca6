import { CHANNEL_STATUS, type Channel, type ChannelKey } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Button, Skeleton } from '../../../ui/kit/index.ts'
import { PopoverButton } from '../../../ui/popover-button.tsx'
import { StatusTag } from '../../../ui/status-tag.tsx'
import { Time } from '../../../ui/time.tsx'
import styles from '../channels.module.css'
import { useKeyStatus } from '../mutations.ts'
import { channelKeysQuery } from '../queries.ts'

/** How many keys are in use; a click shows each of them and what became of it. */
export function KeyStates({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  const { name, key_count: total, disabled_key_count: disabled } = channel
  const inUse = total - disabled
  return (
    <PopoverButton
      className={styles.keys}
      {...(disabled > 0 && { tone: 'warn' })}
      label={t('keys.label', { name, inUse, total })}
      title={t('keys.title', { name })}
      content={<KeyList channel={channel} />}
    >
      <span className="number">
        {inUse}/{total}
      </span>
    </PopoverButton>
  )
}

/** The same for all channels of a tag, which is only counted. */
export function KeyCount({ total, disabled }: { total: number; disabled: number }) {
  return (
    <span className="number">
      {total - disabled}/{total}
    </span>
  )
}

function KeyList({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const keys = useQuery(channelKeysQuery(channel.id))
  if (keys.error && !keys.data) {
    return (
      <ErrorState
        title={common('errors.loadFailed')}
        error={keys.error}
        retrying={keys.isFetching}
        onRetry={keys.refetch}
      />
    )
  }
  if (!keys.data) return <Skeleton active title={false} paragraph={{ rows: 2 }} className={styles.keyList} />
  if (keys.data.length === 0) return <p className="secondary">{t('keys.none')}</p>
  return (
    <ul className={styles.keyList}>
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
    <li className={styles.keyState}>
      <span className={styles.keyFacts}>
        <code className="mono">{state.masked}</code>
        <StatusTag tone={isEnabled ? 'good' : isAutomatic ? 'warn' : 'neutral'}>
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
