import { DeleteOutlined, EditOutlined, RollbackOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { RowButton } from '../../../../ui/row-button.tsx'
import { StatusTag, type Tone } from '../../../../ui/status-tag.tsx'
import type { PriceRow, RowState } from '../draft.ts'
import { hasConflict, isPerCall } from '../price-list.ts'
import styles from '../prices.module.css'
import { billedCompletionsQuery } from '../queries.ts'
import type { PriceDraft } from '../use-price-draft.ts'
import { useCardWords } from './card-words.ts'

const TONES: Record<Exclude<RowState, 'same'>, Tone> = { new: 'good', changed: 'info', removed: 'bad' }

export function ModelName({ name }: { name: string }) {
  const { t } = useTranslation('settings')
  return (
    <span className={styles.name}>
      <span className="mono">{name}</span>
      <CopyButton text={name} label={t('prices.copyOf', { name })} />
    </span>
  )
}

/** How a model is billed, what was done to it, and whether its figures contradict each other. */
export function RowTags({ row: { prices, state } }: { row: PriceRow }) {
  const { t } = useTranslation('settings')
  const cardWords = useCardWords()
  return (
    <span className={styles.tags}>
      <StatusTag tone="neutral" plain>
        {prices.card ? t('prices.card.tag') : t(isPerCall(prices) ? 'prices.modes.call' : 'prices.modes.tokens')}
      </StatusTag>
      {prices.card && <span className={styles.note}>{cardWords(prices.card).join(' · ')}</span>}
      {state !== 'same' && <StatusTag tone={TONES[state]}>{t(`prices.states.${state}`)}</StatusTag>}
      {hasConflict(prices) && (
        <span title={t('prices.conflictHint')}>
          <StatusTag tone="warn">{t('prices.conflict')}</StatusTag>
        </span>
      )}
    </span>
  )
}

/** The built-in completion ratio, where none is set. Known for models on offer only. */
export function BilledCompletion({ row: { name, prices }, draft }: { row: PriceRow; draft: PriceDraft }) {
  const { t } = useTranslation('settings')
  const billed = useQuery(billedCompletionsQuery).data?.get(name)
  const isSet = prices.completion !== undefined || draft.stored.get(name)?.completion !== undefined
  if (billed === undefined || isSet || isPerCall(prices) || prices.card) return null
  return <span className={styles.note}>{t('prices.builtIn', { ratio: Number(billed.toPrecision(10)) })}</span>
}

interface ActionsProps {
  row: PriceRow
  draft: PriceDraft
  onEdit(row: PriceRow): void
}

export function RowActions({ row, draft, onEdit }: ActionsProps) {
  const { t } = useTranslation('settings')
  const { name, state } = row
  const named = (what: 'undoOf' | 'editOf' | 'removeOf') => {
    const label = t(`prices.${what}`, { name })
    return { label, title: label }
  }
  return (
    <span className={styles.actions}>
      {state !== 'same' && (
        <RowButton {...named('undoOf')} onClick={() => draft.undo(name)}>
          <RollbackOutlined aria-hidden />
        </RowButton>
      )}
      {state !== 'removed' && (
        <RowButton {...named('editOf')} onClick={() => onEdit(row)}>
          <EditOutlined aria-hidden />
        </RowButton>
      )}
      {state !== 'removed' && state !== 'new' && (
        <RowButton {...named('removeOf')} onClick={() => draft.enter([[name, null]])}>
          <DeleteOutlined aria-hidden />
        </RowButton>
      )}
    </span>
  )
}
