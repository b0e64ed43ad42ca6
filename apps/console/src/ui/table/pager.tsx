import { useTranslation } from 'react-i18next'
import { formatCount } from '../../lib/format.ts'
import { PAGE_SIZES } from '../../lib/stored.ts'
import type { PageState } from '../../lib/url-state.ts'
import { Pagination } from '../kit/index.ts'
import styles from './pager.module.css'

interface Props {
  state: PageState
  /** Number of rows on this page. */
  shown: number
  /** Unknown for some lists. Then a full page implies that another may follow. */
  total?: number
  /** Counting stopped at `total`, and there are more rows. */
  capped?: boolean
  /** The page size cannot be changed. */
  isFixed?: boolean
  /** Shows a field to jump to a page. */
  jumps?: boolean
}

/** Row range, page links and page size. Hidden if all rows fit on one page of the smallest size. */
export function Pager({
  state: { page, size, turn },
  shown,
  total,
  capped = false,
  isFixed = false,
  jumps = false,
}: Props) {
  const { t } = useTranslation()
  const before = (page - 1) * size
  const seen = before + shown + (shown === size ? 1 : 0)
  const known = capped ? Math.max(total ?? 0, seen) : (total ?? seen)
  if (page === 1 && known <= PAGE_SIZES[0]) return null
  const range = {
    from: formatCount(shown === 0 ? 0 : before + 1),
    to: formatCount(before + shown),
    total: `${formatCount(total ?? 0)}${capped ? '+' : ''}`,
  }
  return (
    <nav className={styles.pager} aria-label={t('pages')}>
      <span className={styles.range}>{total === undefined ? t('range', range) : t('rangeOfTotal', range)}</span>
      <Pagination
        size="small"
        current={page}
        pageSize={size}
        total={Math.max(known, before + 1)}
        showSizeChanger={!isFixed && { 'aria-label': t('pageSize') }}
        pageSizeOptions={[...PAGE_SIZES]}
        showLessItems
        showQuickJumper={jumps}
        onChange={turn}
      />
    </nav>
  )
}
