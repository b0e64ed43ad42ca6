import type { ShadowCall } from '@tidegate/contract/api'
import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { Facts } from '../../../ui/page/facts.tsx'
import { Modal } from '../../../ui/kit/index.ts'
import { Money } from '../../../components/money.tsx'
import { Time } from '../../../ui/page/time.tsx'
import { useLast } from '../../../lib/use-last.ts'
import { Charge, ChargeDifference, Nothing } from '../amounts.tsx'
import { ChannelName } from '../channel-name.tsx'
import { refusalWords } from '../refusal-words.ts'
import styles from '../shadow.module.css'
import { OutcomeTag, PathText, TokenCount } from './cells.tsx'

interface Props {
  call: ShadowCall | null
  onClose(): void
}

/** Everything that is known of one call. */
export function CallDialog({ call, onClose }: Props) {
  const { t } = useTranslation('shadow')
  const { t: common } = useTranslation()
  const last = useLast(call)
  return (
    <Modal
      title={last && t('detail.title', { id: last.id })}
      open={call !== null}
      onCancel={onClose}
      closable={{ 'aria-label': common('close') }}
      width={680}
      footer={null}
      destroyOnHidden
    >
      {last && <Details call={last} />}
    </Modal>
  )
}

function Details({ call }: { call: ShadowCall }) {
  const { t } = useTranslation('shadow')
  return (
    <div className={styles.detail}>
      <OutcomeTag call={call} />
      <Part
        title={t('detail.call')}
        facts={[
          { term: t('columns.time'), value: <Time unixSeconds={call.created_at} exact /> },
          { term: t('columns.user'), value: call.username || <Nothing /> },
          { term: t('columns.token'), value: call.token_name || <Nothing /> },
          { term: t('columns.group'), value: call.group || <Nothing /> },
          { term: t('columns.model'), value: <Copied text={call.model_name} /> },
          { term: t('columns.path'), value: <PathText path={call.path} /> },
          { term: t('detail.kind'), value: t(call.is_stream ? 'stream' : 'notStream') },
        ]}
      />
      <Part
        title={t('detail.here')}
        facts={[
          { term: t('columns.channel'), value: <ChannelName id={call.channel_id} name={call.channel_name} /> },
          {
            term: t('detail.upstreamModel'),
            value: call.upstream_model ? <Copied text={call.upstream_model} /> : <Nothing />,
          },
          { term: t('detail.promptEstimate'), value: <TokenCount value={call.prompt_tokens} /> },
          { term: t('columns.reserve'), value: <Money quota={call.reserve} kind="call" /> },
          ...(call.refusal === null ? [] : [{ term: t('detail.refusal'), value: <Refusal code={call.refusal} /> }]),
        ]}
      />
      {call.old_log_at === null ? (
        <Part title={t('detail.old')}>
          <p className={styles.hint}>{t('detail.unmatched')}</p>
        </Part>
      ) : (
        <OldSide call={call} at={call.old_log_at} />
      )}
    </div>
  )
}

function OldSide({ call, at }: { call: ShadowCall; at: number }) {
  const { t } = useTranslation('shadow')
  return (
    <>
      <Part
        title={t('detail.old')}
        facts={[
          { term: t('detail.began'), value: <Time unixSeconds={at} exact /> },
          {
            term: t('columns.oldChannel'),
            value: <ChannelName id={call.old_channel_id} name={call.old_channel_name} />,
          },
          { term: t('detail.prompt'), value: <TokenCount value={call.old_prompt_tokens} /> },
          { term: t('detail.completion'), value: <TokenCount value={call.old_completion_tokens} /> },
        ]}
      />
      <Part
        title={t('detail.comparison')}
        facts={[
          { term: t('columns.old'), value: <Charge quota={call.old_quota} /> },
          {
            term: t('columns.ours'),
            value: call.would_quota === null ? t('detail.noPrice') : <Charge quota={call.would_quota} />,
          },
          { term: t('columns.difference'), value: <ChargeDifference old={call.old_quota} ours={call.would_quota} /> },
        ]}
      >
        <p className={styles.hint}>{t('detail.priceHint')}</p>
      </Part>
    </>
  )
}

interface PartProps {
  title: string
  facts?: ComponentProps<typeof Facts>['facts']
  children?: ReactNode
}

function Part({ title, facts, children }: PartProps) {
  return (
    <section className={styles.part} aria-label={title}>
      <h3>{title}</h3>
      {facts && <Facts facts={facts} />}
      {children}
    </section>
  )
}

function Copied({ text }: { text: string }) {
  const { t } = useTranslation()
  return (
    <span className={styles.copied}>
      <span className="mono">{text}</span>
      <CopyButton text={text} label={`${t('copy')} ${text}`} />
    </span>
  )
}

function Refusal({ code }: { code: string }) {
  const { t } = useTranslation('shadow')
  return (
    <span className={styles.lines}>
      {refusalWords(code, t)}
      <code className="mono secondary">{code}</code>
    </span>
  )
}
