import type { ListPrice as Reply, RateCard } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { dollars } from '../../../../lib/format.ts'
import { Button } from '../../../../ui/kit/index.ts'
import { useCardWords } from '../list/card-words.ts'
import styles from '../prices.module.css'

interface Props {
  reply: Reply | undefined
  error: Error | null
  onUse(card: RateCard): void
}

/** What the price list says about the model, to start from. */
export function ListPrice({ reply, error, onUse }: Props) {
  const { t } = useTranslation('settings')
  const { t: names } = useTranslation('rates')
  const cardWords = useCardWords()
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
              ...cardWords(list),
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
}
