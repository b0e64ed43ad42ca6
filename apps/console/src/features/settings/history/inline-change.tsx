import { ArrowRightOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import styles from './history.module.css'

/** An old value and a new one beside it. Null is said to be new, or gone. */
export function InlineChange({ before, after }: { before: string | null; after: string | null }) {
  const { t } = useTranslation('settings')
  return (
    <span className={styles.inline}>
      {before === null ? (
        <span className="secondary">{t('history.added')}</span>
      ) : (
        <>
          <span className="visually-hidden">{t('history.from')}</span>
          <del className={styles.old}>{before}</del>
        </>
      )}
      <ArrowRightOutlined className={styles.arrow} aria-hidden />
      {after === null ? (
        <span className="secondary">{t('history.gone')}</span>
      ) : (
        <>
          <span className="visually-hidden">{t('history.to')}</span>
          <ins className={styles.now}>{after}</ins>
        </>
      )}
    </span>
  )
}
