import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatCount } from '../../../lib/format.ts'
import { Money } from '../../../components/money.tsx'
import type { Answer } from '../conversation/types.ts'
import { tokensPerSecond } from './tokens-per-second.ts'
import styles from './view.module.css'

/** What an answer took: tokens, time and money. */
export function AnswerFacts({ answer }: { answer: Answer }) {
  const { t } = useTranslation('playground')
  const { inputTokens, outputTokens, firstTokenMs, quota, requestId } = answer
  const speed = tokensPerSecond(answer)
  return (
    <p className={styles.facts}>
      {inputTokens !== null && outputTokens !== null && (
        <span title={t('facts.tokensTitle')}>
          {t('facts.tokens', { input: formatCount(inputTokens), output: formatCount(outputTokens) })}
        </span>
      )}
      {firstTokenMs !== null && (
        <span title={t('facts.firstTokenTitle')}>
          {t('facts.firstToken', { seconds: (firstTokenMs / 1000).toFixed(2) })}
        </span>
      )}
      {speed !== null && <span>{t('facts.speed', { speed })}</span>}
      {quota !== null && <Money quota={quota} kind="call" />}
      {requestId !== '' && quota !== null && <Link to={`/app/logs/request/${requestId}`}>{t('facts.details')}</Link>}
    </p>
  )
}
