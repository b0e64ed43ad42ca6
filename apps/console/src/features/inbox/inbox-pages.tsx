import { useTranslation } from 'react-i18next'
import { Pagination } from '../../ui/kit/index.ts'
import styles from './inbox.module.css'
import { INBOX_PAGE_SIZE } from './queries.ts'

interface Props {
  page: number
  shown: number
  total: number
  onTurn(page: number): void
}

/** Range text, pages and a field to jump to one. Absent while everything fits on one page. */
export function InboxPages({ page, shown, total, onTurn }: Props) {
  const { t } = useTranslation()
  if (total <= INBOX_PAGE_SIZE) return null
  const before = (page - 1) * INBOX_PAGE_SIZE
  const range = { from: shown === 0 ? 0 : before + 1, to: shown === 0 ? 0 : before + shown, total }
  return (
    <nav className={styles.pages} aria-label={t('pages')}>
      <span className="secondary number">{t('rangeOfTotal', range)}</span>
      <Pagination
        size="small"
        current={page}
        pageSize={INBOX_PAGE_SIZE}
        total={total}
        showSizeChanger={false}
        showLessItems
        showQuickJumper
        onChange={onTurn}
      />
    </nav>
  )
}
