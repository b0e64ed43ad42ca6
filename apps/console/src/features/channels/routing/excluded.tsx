import type { RoutePlan } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { ProviderMark } from '../../../components/provider-mark.tsx'
import { formatCount } from '../../../lib/format.ts'
import { useActions } from '../list/actions.tsx'
import styles from './routing.module.css'

/** Longer lists of channels with the same reason are collapsed. */
const FEW_CHANNELS = 6

/** Channels that have the model and cannot serve the request, by reason. */
export function Excluded({ channels }: { channels: RoutePlan['excluded'] }) {
  const { t } = useTranslation('channels')
  const { open } = useActions()
  return (
    <section className={styles.tier} aria-label={t('routing.excluded')}>
      <header className={styles.tierHead}>
        <h2 className={styles.heading}>{t('routing.excluded')}</h2>
        <span className="secondary number">{channels.length}</span>
      </header>
      {[...Map.groupBy(channels, ({ reason }) => reason)].map(([reason, group]) => (
        <details key={reason} className={styles.reason} open={group.length <= FEW_CHANNELS}>
          <summary>
            {t(`routing.reasons.${reason}`)} <span className="secondary number">{group.length}</span>
          </summary>
          {list(group)}
        </details>
      ))}
    </section>
  )

  function list(group: RoutePlan['excluded']) {
    return (
      <ul className={styles.excluded}>
        {group.map((channel) => (
          <li key={`${channel.group} ${channel.model} ${channel.channel_id}`}>
            <ProviderMark type={channel.type} />
            <span>
              <button
                type="button"
                className={styles.name}
                title={channel.name}
                onClick={() => open(channel.channel_id)}
              >
                {channel.name}
              </button>
              <span className="secondary">{detailsOf(channel)}</span>
            </span>
          </li>
        ))}
      </ul>
    )
  }

  function detailsOf({ max_input_tokens: limit, retry_in_ms: wait }: RoutePlan['excluded'][number]) {
    const parts: string[] = []
    if (limit !== undefined) parts.push(t('routing.maxInput', { count: formatCount(limit) as never }))
    if (wait !== undefined) parts.push(t('panel.retryIn', { seconds: Math.ceil(wait / 1000) }))
    return parts.join(' · ')
  }
}
