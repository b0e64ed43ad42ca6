import { WEBHOOK_HEADERS } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { useIsNarrow } from '../../../lib/use-media.ts'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import account from '../account.module.css'
import styles from './notifications.module.css'

const PLACEHOLDER = '{{value}}'

/** Describes webhook requests for developers. */
export function WebhookGuide() {
  const { t } = useTranslation('me')
  const { t: common } = useTranslation()
  const isNarrow = useIsNarrow()
  const example = JSON.stringify(
    {
      type: 'quota_exceed',
      title: t('guide.example.title'),
      content: t('guide.example.content', { value: PLACEHOLDER }),
      values: [t('guide.example.warning'), '$0.86', ...wallets()],
      timestamp: 1_760_000_000,
    },
    null,
    2,
  )
  return (
    <details className={styles.guide} open={!isNarrow}>
      <summary>{t('guide.title')}</summary>
      <p>{t('guide.purpose')}</p>
      <h3>{t('guide.headers')}</h3>
      <Terms
        terms={{
          Authorization: t('guide.authorization'),
          [WEBHOOK_HEADERS.signature]: t('guide.signature'),
          [WEBHOOK_HEADERS.timestamp]: t('guide.sentAt'),
          [WEBHOOK_HEADERS.timestampedSignature]: t('guide.timestampedSignature'),
          [WEBHOOK_HEADERS.id]: t('guide.id'),
        }}
      />
      <h3>{t('guide.fields')}</h3>
      <Terms
        terms={{
          type: t('guide.type'),
          title: t('guide.titleField'),
          content: t('guide.content', { placeholder: PLACEHOLDER }),
          values: t('guide.values', { placeholder: PLACEHOLDER }),
          timestamp: t('guide.timestamp'),
        }}
      />
      <h3>
        {t('guide.exampleTitle')} <CopyButton text={example} label={t('guide.copyExample')} words={common('copy')} />
      </h3>
      <pre className={account.code}>{example}</pre>
    </details>
  )
}

function wallets(): string[] {
  const link = `${window.location.origin}/app/wallet`
  return [link, link]
}

function Terms({ terms }: { terms: Record<string, string> }) {
  return (
    <dl className={styles.terms}>
      {Object.entries(terms).map(([term, meaning]) => (
        <div key={term}>
          <dt className="mono">{term}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}
