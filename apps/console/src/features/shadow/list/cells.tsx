import type { ShadowCall } from '@tidegate/contract/api'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { Nothing } from '../amounts.tsx'
import { ChannelName } from '../channel-name.tsx'
import { OUTCOME_TONES, outcomeOf } from '../outcome.ts'
import { refusalWords } from '../refusal-words.ts'
import styles from '../shadow.module.css'

/** Facts of a call that read the same in a table, on a card and in its details. */

interface Props {
  call: ShadowCall
}

/** How it compares; of a refusal also why, which is what there is to do something about. */
export function OutcomeTag({ call }: Props) {
  const { t } = useTranslation('shadow')
  const outcome = outcomeOf(call)
  return (
    <span className={styles.lines}>
      <StatusTag tone={OUTCOME_TONES[outcome]}>{t(`outcomes.${outcome}`)}</StatusTag>
      {call.refusal !== null && <span className={styles.reason}>{refusalWords(call.refusal, t)}</span>}
    </span>
  )
}

/** The name asked for and, where the channel has another for it, that one as well. */
export function ModelName({ call: { model_name: name, upstream_model: upstream } }: Props) {
  const { t } = useTranslation('shadow')
  return (
    <span className={styles.lines}>
      <span className={`mono ${styles.name}`}>{name}</span>
      {upstream !== '' && upstream !== name && (
        <span className={`mono secondary ${styles.under}`} title={t('upstream', { name: upstream })}>
          → {upstream}
        </span>
      )}
    </span>
  )
}

/** A name as long as there is room for it. */
export function Name({ text }: { text: string }) {
  if (text === '') return <Nothing />
  return (
    <span className={styles.short} title={text}>
      {text}
    </span>
  )
}

/** The channel the old gateway took and, beneath it, the one we would have taken where that is another. */
export function CallRoute({ call }: Props) {
  const { t } = useTranslation('shadow')
  const ours = <ChannelName id={call.channel_id} name={call.channel_name} />
  if (call.old_log_at === null || call.old_channel_id === call.channel_id) return ours
  return (
    <span className={styles.lines}>
      <span>
        <span className="visually-hidden">{t('columns.oldChannel')}: </span>
        <ChannelName id={call.old_channel_id} name={call.old_channel_name} />
      </span>
      <span>
        <span className="visually-hidden">{t('columns.channel')}: </span>
        <span aria-hidden className="secondary">
          →{' '}
        </span>
        {ours}
      </span>
    </span>
  )
}

/** May be broken where its parts meet, not within them. */
export function PathText({ path }: { path: string }) {
  const [first = '', ...rest] = path.split('/')
  return (
    <span className="mono">
      {first}
      {rest.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts of one text that never move
        <Fragment key={index}>
          /<wbr />
          {part}
        </Fragment>
      ))}
    </span>
  )
}

export function CallPath({ call: { path, is_stream: isStream } }: Props) {
  const { t } = useTranslation('shadow')
  return (
    <span className={styles.lines}>
      <span className={styles.name}>
        <PathText path={path} />
      </span>
      <span className={`secondary ${styles.under}`}>{t(isStream ? 'stream' : 'notStream')}</span>
    </span>
  )
}

export function OldTokens({ call: { old_prompt_tokens: prompt, old_completion_tokens: completion } }: Props) {
  const { t } = useTranslation('shadow')
  if (prompt === null || completion === null) return <Nothing />
  const words = t('inAndOut', { prompt: formatCount(prompt), completion: formatCount(completion) })
  return <span className="number">{words}</span>
}

export function TokenCount({ value }: { value: number | null }) {
  return value === null ? <Nothing /> : <span className="number">{formatCount(value)}</span>
}
