import type { ShadowCall } from '@tidegate/contract/api'
import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Money } from '../../components/money.tsx'
import { useLast } from '../../lib/use-last.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { Modal } from '../../ui/kit/index.ts'
import { Facts } from '../../ui/page/facts.tsx'
import { Time } from '../../ui/page/time.tsx'
import { ChannelName, Charge, ChargeDifference, Nothing, OutcomeTag, PathText, TokenCount } from './cells.tsx'
import { rejectionText } from './rejection-reasons.ts'
import styles from './shadow.module.css'

interface Props {
  request: ShadowCall | null
  onClose(): void
}

/** All details of a request. */
export function RequestDialog({ request, onClose }: Props) {
  const { t } = useTranslation('shadow')
  const { t: common } = useTranslation()
  const last = useLast(request)
  return (
    <Modal
      title={last && t('detail.title', { id: last.id })}
      open={request !== null}
      onCancel={onClose}
      closable={{ 'aria-label': common('close') }}
      width={680}
      footer={null}
      destroyOnHidden
    >
      {last && <Details request={last} />}
    </Modal>
  )
}

function Details({ request }: { request: ShadowCall }) {
  const { t } = useTranslation('shadow')
  return (
    <div className={styles.detail}>
      <OutcomeTag request={request} />
      <Part
        title={t('detail.call')}
        facts={[
          { term: t('columns.time'), value: <Time unixSeconds={request.created_at} exact /> },
          { term: t('columns.user'), value: request.username || <Nothing /> },
          { term: t('columns.token'), value: request.token_name || <Nothing /> },
          { term: t('columns.group'), value: request.group || <Nothing /> },
          { term: t('columns.model'), value: <CopyableText text={request.model_name} /> },
          { term: t('columns.path'), value: <PathText path={request.path} /> },
          { term: t('detail.kind'), value: t(request.is_stream ? 'stream' : 'notStream') },
        ]}
      />
      <Part
        title={t('detail.here')}
        facts={[
          { term: t('columns.channel'), value: <ChannelName id={request.channel_id} name={request.channel_name} /> },
          {
            term: t('detail.upstreamModel'),
            value: request.upstream_model ? <CopyableText text={request.upstream_model} /> : <Nothing />,
          },
          { term: t('detail.promptEstimate'), value: <TokenCount value={request.prompt_tokens} /> },
          { term: t('columns.reserve'), value: <Money quota={request.reserve} kind="call" /> },
          ...(request.refusal === null
            ? []
            : [{ term: t('detail.refusal'), value: <RejectionReason code={request.refusal} /> }]),
        ]}
      />
      {request.old_log_at === null ? (
        <Part title={t('detail.old')}>
          <p className={styles.hint}>{t('detail.unmatched')}</p>
        </Part>
      ) : (
        <OldGateway request={request} at={request.old_log_at} />
      )}
    </div>
  )
}

function OldGateway({ request, at }: { request: ShadowCall; at: number }) {
  const { t } = useTranslation('shadow')
  return (
    <>
      <Part
        title={t('detail.old')}
        facts={[
          { term: t('detail.began'), value: <Time unixSeconds={at} exact /> },
          {
            term: t('columns.oldChannel'),
            value: <ChannelName id={request.old_channel_id} name={request.old_channel_name} />,
          },
          { term: t('detail.prompt'), value: <TokenCount value={request.old_prompt_tokens} /> },
          { term: t('detail.completion'), value: <TokenCount value={request.old_completion_tokens} /> },
        ]}
      />
      <Part
        title={t('detail.comparison')}
        facts={[
          { term: t('columns.old'), value: <Charge quota={request.old_quota} /> },
          {
            term: t('columns.ours'),
            value: request.would_quota === null ? t('detail.noPrice') : <Charge quota={request.would_quota} />,
          },
          {
            term: t('columns.difference'),
            value: <ChargeDifference old={request.old_quota} ours={request.would_quota} />,
          },
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

function CopyableText({ text }: { text: string }) {
  const { t } = useTranslation()
  return (
    <span className={styles.copied}>
      <span className="mono">{text}</span>
      <CopyButton text={text} label={`${t('copy')} ${text}`} />
    </span>
  )
}

function RejectionReason({ code }: { code: string }) {
  const { t } = useTranslation('shadow')
  return (
    <span className={styles.lines}>
      {rejectionText(code, t)}
      <code className="mono secondary">{code}</code>
    </span>
  )
}
