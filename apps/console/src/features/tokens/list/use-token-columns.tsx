import type { ApiToken } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableProps } from '../../../ui/kit/index.ts'
import { Money } from '../../../ui/money.tsx'
import { Time } from '../../../ui/time.tsx'
import styles from '../tokens.module.css'
import { TokenExpiry, TokenKey, TokenName, TokenStatus } from './cells.tsx'
import { TokenActionButtons } from './row-actions.tsx'
import { TokenGroup } from './token-group.tsx'
import { TokenQuota } from './token-quota.tsx'

type Columns = NonNullable<TableProps<ApiToken>['columns']>

export function useTokenColumns(): Columns {
  const { t } = useTranslation('tokens')
  return useMemo(() => {
    const columns: Columns = [
      {
        key: 'name',
        title: t('columns.name'),
        fixed: 'left',
        render: (_, token) => <TokenName token={token} />,
      },
      {
        key: 'status',
        title: t('columns.status'),
        render: (_, token) => (
          <span className={styles.status}>
            <TokenStatus token={token} />
          </span>
        ),
      },
      { key: 'group', title: t('columns.group'), render: (_, token) => <TokenGroup token={token} /> },
      { key: 'key', title: t('columns.key'), render: (_, token) => <TokenKey token={token} /> },
      { key: 'quota', title: t('columns.remaining'), render: (_, token) => <TokenQuota token={token} /> },
      {
        key: 'used',
        title: t('columns.used'),
        align: 'right',
        render: (_, token) => <Money quota={token.used_quota} />,
      },
      {
        key: 'expires',
        title: t('columns.expires'),
        render: (_, token) => (
          <span className={styles.expiry}>
            <TokenExpiry token={token} />
          </span>
        ),
      },
      {
        key: 'created',
        title: t('columns.created'),
        // The least of them: with it the table would not fit beside the sidebar on a screen of 1440 px.
        responsive: ['xxl'],
        render: (_, token) => <Time unixSeconds={token.created_time} />,
      },
      {
        key: 'actions',
        title: <span className="visually-hidden">{t('columns.actions')}</span>,
        align: 'right',
        fixed: 'right',
        render: (_, token) => <TokenActionButtons token={token} />,
      },
    ]
    return columns.map((column) => ({ ...ONLY_WHEN_CHANGED, ...column }))
  }, [t])
}

/** A row that is the same looks the same, whatever else of the page changed. */
const ONLY_WHEN_CHANGED = { shouldCellUpdate: (row: ApiToken, before: ApiToken) => row !== before }
