import type { ListedUser } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableProps } from '../../../ui/kit/index.ts'
import { StatusTag } from '../../../ui/status-tag.tsx'
import styles from '../messages.module.css'

type Columns = NonNullable<TableProps<ListedUser>['columns']>

export function useUserColumns(): Columns {
  const { t } = useTranslation('messages')
  return useMemo(
    () => [
      {
        key: 'id',
        title: t('picker.columns.id'),
        align: 'right',
        width: 72,
        render: (_, { id }) => <span className="number">{id}</span>,
      },
      {
        key: 'username',
        title: t('picker.columns.username'),
        className: styles.words!,
        render: (_, { username, DeletedAt: gone }) => (
          <>
            {username}{' '}
            {gone !== null && (
              <StatusTag tone="neutral" plain>
                {t('picker.gone')}
              </StatusTag>
            )}
          </>
        ),
      },
      {
        key: 'displayName',
        title: t('picker.columns.displayName'),
        className: styles.words!,
        render: (_, { display_name: name }) => name || <span className="secondary">–</span>,
      },
    ],
    [t],
  )
}
