import type { Channel } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Facts } from '../../ui/facts.tsx'
import { Money } from '../../ui/money.tsx'
import { RowCard } from '../../ui/row-card.tsx'
import { ChannelModels, ChannelStatus, ChannelTypeName, ResponseTime } from './channel-parts.tsx'
import { splitNames } from './channel-types.ts'
import { DeleteChannelButton } from './delete-channel-button.tsx'

export function ChannelCard({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  return (
    <RowCard
      title={channel.name}
      aside={<ChannelStatus channel={channel} />}
      actions={<DeleteChannelButton channel={channel} />}
    >
      <ChannelModels channel={channel} />
      <Facts
        facts={[
          { term: t('columns.type'), value: <ChannelTypeName type={channel.type} /> },
          { term: t('columns.used'), value: <Money quota={channel.used_quota} /> },
          { term: t('columns.group'), value: splitNames(channel.group).join(', ') },
          { term: t('columns.responseTime'), value: <ResponseTime milliseconds={channel.response_time} /> },
          { term: t('columns.priority'), value: <span className="number">{channel.priority}</span> },
          { term: t('columns.weight'), value: <span className="number">{channel.weight}</span> },
        ]}
      />
    </RowCard>
  )
}
