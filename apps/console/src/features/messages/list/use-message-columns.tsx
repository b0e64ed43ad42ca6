import type { Message } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableProps } from '../../../ui/kit/index.ts'
import styles from '../messages.module.css'
import { CreatedTime, FormatTag, Recipients, RowActions, SendState } from './cells.tsx'
import type { MessageActions } from './use-message-actions.ts'

type Columns = NonNullable<TableProps<Message>['columns']>

export function useMessageColumns(actions: MessageActions): Columns {
  const { t } = useTranslation('messages')
  return useMemo(
    () => [
      {
        key: 'id',
        title: t('columns.id'),
        align: 'right',
        render: (_, { id }) => <span className="number">{id}</span>,
      },
      {
        key: 'title',
        title: t('columns.title'),
        render: (_, { title }) => (
          <span className={styles.title} title={title}>
            {title}
          </span>
        ),
      },
      { key: 'format', title: t('columns.format'), render: (_, { format }) => <FormatTag format={format} /> },
      {
        key: 'recipients',
        title: t('columns.recipients'),
        align: 'right',
        render: (_, message) => <Recipients message={message} />,
      },
      { key: 'created', title: t('columns.created'), render: (_, message) => <CreatedTime message={message} /> },
      { key: 'state', title: t('columns.state'), render: (_, message) => <SendState message={message} /> },
      {
        key: 'actions',
        title: <span className="visually-hidden">{t('columns.actions')}</span>,
        align: 'right',
        fixed: 'right',
        render: (_, message) => <RowActions message={message} actions={actions} />,
      },
    ],
    [t, actions],
  )
}
