import type { ListPrice as ListPriceReply, RateCard, Schedule } from '@tidegate/contract/api'
import { PlusOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dollars } from '../../lib/format.ts'
import { Alert, Button } from '../../ui/kit/index.ts'
import { cardEntryOf, newTier, type CardEntry, type CardFieldProblem, type CardProblems } from './card-entry.ts'
import { RateFields } from './fields.tsx'
import styles from './prices.module.css'
import { FeeFields, TierFields } from './tier-fields.tsx'

interface Props {
  entry: CardEntry
  onChange(entry: CardEntry): void
  problems: CardProblems
  /** The form was submitted, so missing values are errors too. */
  tried: boolean
  list: { data: ListPriceReply | undefined; error: Error | null }
  schedules: Readonly<Record<string, Schedule>>
}

/** Problems of typed text are shown immediately, the others after the form was submitted. */
const AT_ONCE: ReadonlySet<CardFieldProblem> = new Set(['number', 'negative', 'tooLarge', 'whole', 'repeated'])

/** The fields of a rate card. */
export function CardFields({ entry, onChange, problems, tried, list, schedules }: Props) {
  const { t } = useTranslation('settings')
  // Filling in a card resets the fields.
  const [fills, setFills] = useState(0)
  const problemText = (field: string): string | undefined => {
    const problem = problems.get(field)
    if (!problem || (!tried && !AT_ONCE.has(problem))) return undefined
    if (problem === 'number' || problem === 'negative' || problem === 'required') return t(`prices.errors.${problem}`)
    return t(`prices.card.problems.${problem}`)
  }
  const useCard = (card: RateCard) => {
    onChange(cardEntryOf(card))
    setFills(fills + 1)
  }
  const problemOfCard = problemText('card')
  return (
    <div key={fills}>
      <p className={styles.lead}>{t('prices.card.hint')}</p>
      <ListPrice reply={list.data} error={list.error} onUse={useCard} />
      {problemOfCard && <Alert className={styles.refusals} type="error" showIcon title={problemOfCard} />}
      <h3 className={styles.part}>{t('prices.card.ratesTitle')}</h3>
      <RateFields
        rates={entry.rates}
        onChange={(rates) => onChange({ ...entry, rates })}
        listed={list.data?.list?.rates}
        problemOf={(bucket) => problemText(`rates.${bucket}`)}
        sign="$"
        hasFallbacks
      />
      <h3 className={styles.part}>{t('prices.card.tiers')}</h3>
      <p className={styles.lead}>{t('prices.card.tiersHint')}</p>
      {entry.tiers.map((tier, index) => (
        <TierFields
          key={tier.id}
          number={index + 1}
          tier={tier}
          schedules={schedules}
          onChange={(next) =>
            onChange({ ...entry, tiers: entry.tiers.map((one) => (one.id === tier.id ? next : one)) })
          }
          onRemove={() => onChange({ ...entry, tiers: entry.tiers.filter(({ id }) => id !== tier.id) })}
          problemOf={(field) => problemText(field === undefined ? `tiers.${tier.id}` : `tiers.${tier.id}.${field}`)}
        />
      ))}
      <Button
        size="small"
        icon={<PlusOutlined aria-hidden />}
        onClick={() => onChange({ ...entry, tiers: [...entry.tiers, newTier()] })}
      >
        {t('prices.card.addTier')}
      </Button>
      <h3 className={styles.part}>{t('prices.card.fees')}</h3>
      <p className={styles.lead}>{t('prices.card.feesHint')}</p>
      <FeeFields
        fees={entry.fees}
        onChange={(fees) => onChange({ ...entry, fees })}
        problemOf={(id, field) => problemText(`fees.${id}.${field}`)}
      />
    </div>
  )
}

interface ListPriceProps {
  reply: ListPriceReply | undefined
  error: Error | null
  onUse(card: RateCard): void
}

/** The list price of the model, as a start. */
function ListPrice({ reply, error, onUse }: ListPriceProps) {
  const { t } = useTranslation('settings')
  const { t: names } = useTranslation('rates')
  if (error && !reply) return <p className={styles.lead}>{t('prices.card.listFailed')}</p>
  if (!reply) return null
  const { list, next, current, model, version } = reply
  const main =
    list && (['input', 'cacheRead', 'output'] as const).filter((bucket) => list.rates?.[bucket] !== undefined)
  return (
    <section className={styles.listPrice}>
      <div>
        <div className={styles.listTitle}>
          {model && list ? t('prices.card.listTitle', { model }) : t('prices.card.listNone')}
        </div>
        {list && (
          <p className={styles.lead}>
            {[
              ...main!.map((bucket) => `${names(`buckets.${bucket}`)} ${dollars(list.rates![bucket]!, 2, 6)}`),
              ...countTexts(list),
              t('prices.card.listOf', { date: version }),
            ].join(' · ')}
            {next?.effective && ` ${t('prices.card.listNext', { date: next.effective.slice(0, 10) })}`}
          </p>
        )}
      </div>
      <div className={styles.listActions}>
        {list && <Button onClick={() => onUse(list)}>{t('prices.card.useList')}</Button>}
        {current && <Button onClick={() => onUse(current)}>{t('prices.card.useCurrent')}</Button>}
      </div>
    </section>
  )

  function countTexts({ tiers = [], fees = {} }: RateCard): string[] {
    const feeCount = Object.keys(fees).length
    return [
      ...(tiers.length > 0 ? [t('prices.card.tiersCount', { count: tiers.length })] : []),
      ...(feeCount > 0 ? [t('prices.card.feesCount', { count: feeCount })] : []),
    ]
  }
}
