import { channelTypeOf, type Channel } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { dollars, formatExactTime } from '../../../lib/format.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { InlineNumber } from '../../../ui/inline-number.tsx'
import { StatusTag, type Tone } from '../../../ui/status-tag.tsx'
import { typeName } from '../channel-type-name.ts'
import styles from '../channels.module.css'
import type { NumberField } from '../mutations.ts'
import { splitNames } from '../split-names.ts'
import { useActions } from './channel-actions.ts'
import type { TagRow } from './list-rows.ts'
import { useBusy } from '../../../ui/use-busy.ts'

/**
 * Facts of a channel or of a tag that read the same in a table and on a card. They explain themselves with plain titles:
 * the kit's tooltips, a dozen in each of a hundred rows, would be felt.
 */

export function TypeName({ type }: { type: number | null }) {
  const { t } = useTranslation('channels')
  if (type === null) return <span className="secondary">{t('types.several')}</span>
  const name = typeName(type, t)
  if (!channelTypeOf(type)?.legacy) return <>{name}</>
  return (
    <span className="secondary" title={t('types.legacy')}>
      {name}
    </span>
  )
}

const FEW_GROUPS = 2

/** Two by name, or the first of more. */
export function GroupTags({ groups }: { groups: readonly string[] }) {
  const shown = groups.length > FEW_GROUPS ? 1 : FEW_GROUPS
  const more = groups.length - shown
  return (
    <span className={styles.tags} title={more > 0 ? groups.join(', ') : undefined}>
      {groups.slice(0, shown).map((group) => (
        <StatusTag key={group} tone="neutral" plain>
          {group}
        </StatusTag>
      ))}
      {more > 0 && <span className="secondary">+{more}</span>}
    </span>
  )
}

const FEW_MODELS = 2

/** The first models by name, the rest by count; more of them on hover, all by copy. */
export function ModelNames({ models, owner }: { models: readonly string[]; owner: string }) {
  const { t } = useTranslation('channels')
  const isShort = models.length <= FEW_MODELS
  return (
    <span className={styles.models}>
      <span className={styles.modelNames} title={isShort ? undefined : models.slice(0, 60).join(', ')}>
        {models.slice(0, FEW_MODELS).map((model) => (
          <code key={model} className={`mono ${styles.model}`}>
            {model}
          </code>
        ))}
        {!isShort && <span className={styles.moreModels}>{t('moreModels', { count: models.length })}</span>}
      </span>
      <CopyButton text={models.join(',')} label={t('copyModels', { name: owner })} />
    </span>
  )
}

export function ResponseTime({ milliseconds, testedAt = 0 }: { milliseconds: number; testedAt?: number }) {
  const { t } = useTranslation('channels')
  if (milliseconds === 0) return <span className="secondary">{t('untested')}</span>
  return (
    <span title={testedAt > 0 ? t('testedAt', { time: formatExactTime(testedAt) }) : undefined}>
      <StatusTag tone={responseTone(milliseconds)} plain>
        <span className="number">{t('seconds', { seconds: (milliseconds / 1000).toFixed(2) })}</span>
      </StatusTag>
    </span>
  )
}

export function responseTone(milliseconds: number): Tone {
  if (milliseconds <= 1000) return 'good'
  if (milliseconds <= 3000) return 'info'
  return milliseconds <= 5000 ? 'warn' : 'bad'
}

/** What is left at the vendor; a click asks again. */
export function Balance({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  const { refreshBalance } = useActions()
  const { busy, run } = useBusy<'balance'>()
  const { name, balance, balance_updated_time: updated } = channel
  const isKnown = updated > 0
  return (
    <button
      type="button"
      title={isKnown ? t('balance.hint', { time: formatExactTime(updated) }) : t('balance.unknownHint')}
      className={styles.balance}
      disabled={busy !== null}
      data-tone={isKnown && balance <= 0 ? 'bad' : undefined}
      aria-label={t('balance.refresh', { name, balance: isKnown ? dollars(balance, 2, 2) : t('balance.unknown') })}
      onClick={() => run('balance', () => refreshBalance(channel))}
    >
      <span className={isKnown ? 'number' : 'secondary'}>
        {isKnown ? dollars(balance, 2, 2) : t('balance.unknown')}
      </span>
    </button>
  )
}

const LOWEST_PRIORITY = -999

interface Place {
  align?: 'start' | 'end'
}

export function ChannelNumber({ channel, field, ...place }: { channel: Channel; field: NumberField } & Place) {
  const { t } = useTranslation('channels')
  const { setNumber } = useActions()
  return (
    <InlineNumber
      label={t(`numberOf.${field}`, { name: channel.name })}
      value={channel[field]}
      check={useNumberCheck(field)}
      onSave={(value) => setNumber(channel, field, value)}
      {...place}
    />
  )
}

export function TagNumber({ row, field, ...place }: { row: TagRow; field: NumberField } & Place) {
  const { t } = useTranslation('channels')
  const { setTagNumber } = useActions()
  const check = useNumberCheck(field)
  if (row.tag === '') {
    return (
      <span className={`number ${styles.plainNumber}`} data-align={place.align}>
        {row[field] ?? t('mixed')}
      </span>
    )
  }
  return (
    <InlineNumber
      label={t(`numberOf.${field}`, { name: row.tag })}
      value={row[field]}
      placeholder={t('mixed')}
      check={check}
      onSave={(value) => setTagNumber(row.tag, field, value)}
      {...place}
    />
  )
}

function useNumberCheck(field: NumberField) {
  const { t } = useTranslation('channels')
  return (text: string): string | null => {
    if (field === 'weight') return /^\d{1,9}$/.test(text) ? null : t('weightInvalid')
    if (!/^-?\d{1,15}$/.test(text)) return t('priorityInvalid')
    return Number(text) < LOWEST_PRIORITY ? t('priorityLow', { min: LOWEST_PRIORITY }) : null
  }
}

export const groupsOf = (channel: Channel): string[] => splitNames(channel.group)
export const modelsOf = (channel: Channel): string[] => splitNames(channel.models)
