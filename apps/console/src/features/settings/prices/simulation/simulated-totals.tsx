import type { ReplyOf, simulatePrices } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatExactTime } from '../../../../lib/format.ts'
import { Money } from '../../../../ui/money.tsx'
import styles from '../prices.module.css'
import { Change } from './change.tsx'

export type Simulation = ReplyOf<typeof simulatePrices>

/** What all calls together cost, and would cost. */
export function SimulatedTotals({ simulation: { billed, before, after, from, rows } }: { simulation: Simulation }) {
  const { t } = useTranslation('settings')
  const isExact = rows.every(({ basis }) => basis === 'requests')
  return (
    <>
      <dl className={styles.totals}>
        <div>
          <dt>{t('prices.simulation.billed')}</dt>
          <dd>
            <Money quota={billed} kind="call" />
            <span className={styles.note}>{t('prices.simulation.billedHint')}</span>
          </dd>
        </div>
        <div>
          <dt>{t('prices.simulation.before')}</dt>
          <dd>
            <Money quota={before} kind="call" />
          </dd>
        </div>
        <div>
          <dt>{t('prices.simulation.after')}</dt>
          <dd>
            <Money quota={after} kind="call" />
            <Change before={before} after={after} />
          </dd>
        </div>
      </dl>
      <p className={styles.lead}>
        {t('prices.simulation.since', { time: formatExactTime(from).slice(0, 10) })}{' '}
        {t(isExact ? 'prices.simulation.exact' : 'prices.simulation.approximate')}
      </p>
    </>
  )
}
