import { useTranslation } from 'react-i18next'
import { formatRowTime } from '../../../lib/format.ts'
import { Tooltip } from '../../../ui/kit/index.ts'
import styles from '../pricing.module.css'
import { formatAvailability, lastDay, type Hour } from './availability.ts'

/** A bar for each of the last 24 hours; what failed is cut out of it from the top. */
export function HourStrip({ hours }: { hours: readonly Hour[] }) {
  const { t } = useTranslation('pricing')
  const day = lastDay(hours)
  const busy = day.filter(({ calls }) => calls > 0).length
  const bad = day.filter(({ failed }) => failed > 0).length
  return (
    <figure className={styles.strip} aria-label={t('measured.strip', { busy, bad })}>
      <div className={styles.bars} aria-hidden>
        {day.map((hour) => (
          <Tooltip key={hour.hour} title={words(hour)}>
            <div className={styles.bar} data-idle={hour.calls === 0 || undefined}>
              <div className={styles.failed} style={{ height: `${failedShare(hour) * 100}%` }} />
            </div>
          </Tooltip>
        ))}
      </div>
      <figcaption className={styles.stripEnds} aria-hidden>
        <span>{t('measured.dayAgo')}</span>
        <span>{t('measured.now')}</span>
      </figcaption>
    </figure>
  )

  function words({ hour, calls, failed }: Hour): string {
    const time = formatRowTime(hour).slice(0, -3) // hours need no seconds
    if (calls === 0) return t('measured.idleHour', { time })
    return t('measured.hour', { time, calls, share: formatAvailability(1 - failed / calls) })
  }
}

/** Seen even when it is one call of thousands. */
const failedShare = ({ calls, failed }: Hour) => (failed === 0 ? 0 : Math.max(failed / calls, 0.12))
