import type { Channel } from '@tidegate/contract/api'
import type { TableProps } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Money } from '../../ui/money.tsx'
import { ChannelModels, ChannelStatus, ChannelTypeName, ResponseTime } from './channel-parts.tsx'
import { splitNames } from './channel-types.ts'
import styles from './channels.module.css'
import { DeleteChannelButton } from './delete-channel-button.tsx'

type Columns = NonNullable<TableProps<Channel>['columns']>

export function useChannelColumns(): Columns {
  const { t } = useTranslation('channels')
  return useMemo(
    (): Columns => [
      { key: 'id', title: t('columns.id'), align: 'right', width: 56, render: (_, { id }) => number(id) },
      {
        key: 'name',
        title: t('columns.name'),
        width: 200,
        render: (_, { name }) => <span className={styles.name}>{name}</span>,
      },
      { key: 'type', title: t('columns.type'), render: (_, { type }) => <ChannelTypeName type={type} /> },
      { key: 'status', title: t('columns.status'), render: (_, channel) => <ChannelStatus channel={channel} /> },
      { key: 'models', title: t('columns.models'), render: (_, channel) => <ChannelModels channel={channel} /> },
      { key: 'group', title: t('columns.group'), render: (_, { group }) => splitNames(group).join(', ') },
      {
        key: 'responseTime',
        title: t('columns.responseTime'),
        align: 'right',
        render: (_, channel) => <ResponseTime milliseconds={channel.response_time} />,
      },
      {
        key: 'used',
        title: t('columns.used'),
        align: 'right',
        render: (_, channel) => <Money quota={channel.used_quota} />,
      },
      { key: 'priority', title: t('columns.priority'), align: 'right', render: (_, { priority }) => number(priority) },
      { key: 'weight', title: t('columns.weight'), align: 'right', render: (_, { weight }) => number(weight) },
      {
        key: 'actions',
        title: <span className="visually-hidden">{t('columns.actions')}</span>,
        align: 'right',
        fixed: 'right',
        width: 56,
        render: (_, channel) => <DeleteChannelButton channel={channel} />,
      },
    ],
    [t],
  )
}

const number = (value: number) => <span className="number">{value}</span>
