import type { ApiToken } from '@tidegate/contract/api'
import type { TableProps } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Money } from '../../ui/money.tsx'
import { Time } from '../../ui/time.tsx'
import { DeleteTokenButton } from './delete-token-button.tsx'
import { Expiry, Group, Remaining } from './token-facts.tsx'
import { TokenKey } from './token-key.tsx'
import { TokenStatus } from './token-status.tsx'
import styles from './tokens.module.css'

type Columns = NonNullable<TableProps<ApiToken>['columns']>

export function useTokenColumns(): Columns {
  const { t } = useTranslation('tokens')
  return useMemo(
    (): Columns => [
      {
        key: 'name',
        title: t('columns.name'),
        width: 200,
        render: (_, token) => <span className={styles.name}>{token.name}</span>,
      },
      { key: 'key', title: t('columns.key'), width: 250, render: (_, token) => <TokenKey token={token} /> },
      { key: 'status', title: t('columns.status'), render: (_, token) => <TokenStatus token={token} /> },
      {
        key: 'remaining',
        title: t('columns.remaining'),
        align: 'right',
        render: (_, token) => <Remaining token={token} />,
      },
      {
        key: 'used',
        title: t('columns.used'),
        align: 'right',
        render: (_, token) => <Money quota={token.used_quota} />,
      },
      { key: 'group', title: t('columns.group'), render: (_, token) => <Group token={token} /> },
      {
        key: 'created',
        title: t('columns.created'),
        render: (_, token) => <Time unixSeconds={token.created_time} />,
      },
      { key: 'expires', title: t('columns.expires'), render: (_, token) => <Expiry token={token} /> },
      {
        key: 'actions',
        title: <span className="visually-hidden">{t('columns.actions')}</span>,
        align: 'right',
        fixed: 'right',
        width: 56,
        render: (_, token) => <DeleteTokenButton token={token} />,
      },
    ],
    [t],
  )
}
