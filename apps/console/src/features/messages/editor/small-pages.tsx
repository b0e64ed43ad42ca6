import { useTranslation } from 'react-i18next'
import { Pagination } from '../../../ui/kit/index.ts'
import styles from '../messages.module.css'

interface Props {
  page: number
  size: number
  shown: number
  total: number
  onTurn(page: number): void
}

/** Pages of a list inside a drawer, whose size is fixed. Absent while there is one. */
export function SmallPages({ page, size, shown, total, onTurn }: Props) {
  const { t } = useTranslation()
  if (total <= size) return null
  const before = (page - 1) * size
  return (
    <nav className={styles.pages} aria-label={t('pages')}>
      <span className="secondary number">
        {t('rangeOfTotal', { from: shown === 0 ? 0 : before + 1, to: shown === 0 ? 0 : before + shown, total })}
      </span>
      <Pagination
        size="small"
        current={page}
        pageSize={size}
        total={total}
        showSizeChanger={false}
        showLessItems
        onChange={onTurn}
      />
    </nav>
  )
}
