import type { RequestTrail } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { joinSentences } from '../../lib/join-sentences.ts'
import styles from './request.module.css'
import { channelWords } from './step-words.ts'

const REASONS = ['cannot-serve', 'no-price', 'prompt-too-long', 'cooling-down', 'disabled', 'other-group'] as const

/** Why the call went where it went. Only administrators are told. */
export function Decision({ decision }: { decision: NonNullable<RequestTrail['decision']> }) {
  const { t } = useTranslation('request')
  const { candidates, kept, passed_over: passedOver, passed_over_count: count } = decision
  return (
    <section className={styles.panel} aria-labelledby="request-decision">
      <h2 id="request-decision">{t('decision.title')}</h2>
      <p>
        {joinSentences(
          t('decision.candidates', { count: candidates }),
          kept === undefined ? '' : t('decision.kept', { channel: `#${kept}` }),
          count === 0 ? t('decision.none') : t('decision.passedOver', { count }),
        )}
      </p>
      {passedOver.length > 0 && (
        <ul className={styles.passedOver}>
          {passedOver.map(({ channel, channel_name: name, reason }) => (
            <li key={channel}>
              <strong>{channelWords(channel, name)}</strong> <span className="secondary">{words(reason)}</span>
            </li>
          ))}
        </ul>
      )}
      {count > passedOver.length && (
        <p className="secondary">{t('decision.more', { count: count - passedOver.length })}</p>
      )}
    </section>
  )

  function words(reason: string): string {
    const known = REASONS.find((name) => name === reason)
    return known ? t(`decision.reasons.${known}`) : reason
  }
}
