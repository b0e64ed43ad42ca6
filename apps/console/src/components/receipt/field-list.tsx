import { useTranslation } from 'react-i18next'
import { Facts } from '../../ui/page/facts.tsx'
import { explainFields } from './explain-fields.ts'
import type { Fields } from './fields.ts'
import styles from './receipt.module.css'

/** All recorded fields of a row, collapsed by default. */
export function FieldList({ fields }: { fields: Fields }) {
  const { t } = useTranslation('logs')
  const explained = explainFields(fields, t)
  if (explained.length === 0) return null
  return (
    <details className={styles.fields}>
      <summary>{t('details.allFields', { number: explained.length })}</summary>
      <Facts facts={explained.map(({ label, value }) => ({ term: label, value }))} />
    </details>
  )
}
