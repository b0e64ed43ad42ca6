import { useTranslation } from 'react-i18next'
import { formatCallPrice } from '../../../../lib/format.ts'
import styles from '../prices.module.css'

/** How much more or less is asked, in words, money and percent; the colour only repeats it. */
export function Change({ before, after }: { before: number; after: number }) {
  const { t } = useTranslation('settings')
  const difference = after - before
  if (difference === 0) return <span className={styles.note}>{t('prices.simulation.same')}</span>
  const direction = difference > 0 ? 'more' : 'less'
  const money = formatCallPrice(Math.abs(difference))
  const percent = percentOf(difference, before)
  return (
    <span className={`number ${styles.note}`} data-tone={direction}>
      {percent === null
        ? t(`prices.simulation.${direction}Only`, { money })
        : t(`prices.simulation.${direction}`, { money, percent })}
    </span>
  )
}

/** `+12.5%`; null where there was nothing to begin with. */
function percentOf(difference: number, before: number): string | null {
  if (before === 0) return null
  return (difference / before).toLocaleString('en-US', {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'always',
  })
}
