import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/copy-button.tsx'
import styles from './connect.module.css'
import { clientFields, type Client } from './snippets/clients.ts'
import type { Connection } from './snippets/connection.ts'

interface Props {
  client: Client
  shown: Connection
  copied: Connection
}

/** In the order that most apps ask for them. */
const FIELDS = ['key', 'address', 'model'] as const

/** The fields of an app under the names that the app gives them. */
export function ClientCard({ client, shown, copied }: Props) {
  const { t } = useTranslation('connect')
  const app = t(`clients.${client}.name`)
  const shownFields = clientFields(client, shown)
  const copiedFields = clientFields(client, copied)
  return (
    <section className={styles.client} aria-label={app}>
      <h3 className={styles.clientName}>{app}</h3>
      <p className={styles.where}>{t(`clients.${client}.where`)}</p>
      <dl className={styles.fields}>
        {FIELDS.map((field) => {
          const label = t(`clients.${client}.${field}`)
          return (
            <div key={field} className={styles.field}>
              <dt>{label}</dt>
              <dd>
                <code className={`mono ${styles.factText}`}>{shownFields[field]}</code>
                <CopyButton text={copiedFields[field]} label={t('copyField', { app, field: label })} />
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}
