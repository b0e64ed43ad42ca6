import { CHANNEL_STATUS, channelTypeOf, type Channel, type ChannelKey } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { toast } from '../../../lib/toast.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { Button, Input } from '../../../ui/kit/index.ts'
import { Time } from '../../../ui/page/time.tsx'
import { channelKeysQuery, useAddKeys, useKeyStatus } from '../api.ts'
import { splitKeys } from '../editor/key-text.ts'
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
  return (
    <>
      {keys.data.length === 0 && <p className={styles.nothing}>{t('keys.none')}</p>}
      <ul className={styles.keys} aria-label={t('keys.title', { name: channel.name })}>
        {keys.data.map((key) => (
          <KeyState key={key.hash} channel={channel} state={key} />
        ))}
      </ul>
      {!channelTypeOf(channel.type)?.singleKey && <AddKeys channel={channel} />}
    </>
  )
}

/** Adds keys without entering the stored ones again. */
function AddKeys({ channel: { id, type } }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  const add = useAddKeys()
  const field = useId()
  const [text, setText] = useState('')
  const kind = channelTypeOf(type)
  const added = splitKeys(text)
  const isWrong = kind?.keyPattern !== undefined && added.some((key) => !kind.keyPattern!.test(key))
  const save = () =>
    add.mutate(
      { id, keys: added.join('\n') },
      {
        onSuccess: () => {
          setText('')
          toast.success(t('keys.added', { count: added.length }))
        },
      },
    )
  return (
    <form
      className={styles.addKeys}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <label htmlFor={field}>{t('keys.add')}</label>
      <Input.TextArea
        id={field}
        className="mono"
        autoSize={{ minRows: 1, maxRows: 6 }}
        autoComplete="off"
        spellCheck={false}
        placeholder={kind?.keyHint ?? t('keys.addHint')}
        value={text}
        {...(isWrong && { status: 'error' as const })}
        onChange={({ target }) => setText(target.value)}
      />
      <span className={styles.addKeysFoot}>
        <span className={isWrong ? styles.wrong : 'secondary'} role={isWrong ? 'alert' : undefined}>
          {isWrong ? t('form.keyShape', { shape: kind?.keyHint }) : t('keys.addHint')}
        </span>
        <Button htmlType="submit" loading={add.isPending} disabled={added.length === 0 || isWrong}>
          {t('keys.add')}
        </Button>
      </span>
    </form>
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
