import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../lib/format.ts'
import { PAGE_SIZES } from '../../lib/stored.ts'
import { Button, Select } from '../kit/index.ts'
import styles from './pager.module.css'

interface Props {
  /** 1-based. */
  page: number
  size: number
  /** Number of rows on this page. */
  shown: number
  total: number
  /** Counting stopped at `total`, and there are more rows. */
  capped: boolean
  /** Missing on the last page. */
  onOlder?: (() => unknown) | undefined
  onNewer(): void
  onNewest(): void
  onSize(size: number): void
}

/** Pages of a list that is read by cursor: newer, older and page size. Hidden if all rows fit on the smallest page. */
export function CursorPager({ page, size, shown, total, capped, onOlder, onNewer, onNewest, onSize }: Props) {
  const { t } = useTranslation()
  if (page === 1 && !onOlder && !capped && total <= PAGE_SIZES[0]) return null
  const amount = `${formatCount(total)}${capped ? '+' : ''}`
  const range = { from: formatCount(Math.min(shown, 1)), to: formatCount(shown), total: amount }
  return (
    <nav className={styles.pager} aria-label={t('pages')}>
      <span className={styles.range}>
        {page === 1 ? t('rangeOfTotal', range) : t('pageOfTotal', { page: formatCount(page), total: amount })}
      </span>
      <span className={styles.steps}>
        {page > 1 && (
          <Button size="small" type="text" onClick={onNewest}>
            {t('newest')}
          </Button>
        )}
        <Button size="small" icon={<LeftOutlined aria-hidden />} disabled={page === 1} onClick={onNewer}>
          {t('newer')}
        </Button>
        <Button
          size="small"
          icon={<RightOutlined aria-hidden />}
          iconPlacement="end"
          disabled={!onOlder}
          onClick={() => void onOlder?.()}
        >
          {t('older')}
        </Button>
        <Select<number>
          size="small"
          aria-label={t('pageSize')}
          value={size}
          options={PAGE_SIZES.map((value) => ({ value, label: formatCount(value) }))}
          onChange={onSize}
        />
      </span>
    </nav>
  )
}
