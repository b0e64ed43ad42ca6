import type { ShadowCall } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Facts } from '../../../ui/page/facts.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { RowCard } from '../../../ui/table/row-card.tsx'
import { Time } from '../../../ui/page/time.tsx'
import { Charge, ChargeDifference } from '../amounts.tsx'
import { ChannelName } from '../channel-name.tsx'
import { ModelName, OutcomeTag } from './cells.tsx'

interface Props {
  call: ShadowCall
  onOpen(call: ShadowCall): void
}

/** On a phone: what was asked for and what it would have cost more or less on top. */
export function CallCard({ call, onOpen }: Props) {
  const { t } = useTranslation('shadow')
  return (
    <RowCard
      title={<ModelName call={call} />}
      aside={call.old_log_at !== null && <ChargeDifference old={call.old_quota} ours={call.would_quota} />}
      actions={
        <Button
          size="small"
          aria-label={t('detail.open', { model: call.model_name, id: call.id })}
          onClick={() => onOpen(call)}
        >
          {t('columns.details')}
        </Button>
      }
    >
      <OutcomeTag call={call} />
      <Facts
        facts={[
          { term: t('columns.time'), value: <Time unixSeconds={call.created_at} exact /> },
          { term: t('columns.user'), value: call.username },
          ...(call.old_log_at === null
            ? []
            : [
                {
                  term: t('columns.oldChannel'),
                  value: <ChannelName id={call.old_channel_id} name={call.old_channel_name} />,
                },
              ]),
          { term: t('columns.channel'), value: <ChannelName id={call.channel_id} name={call.channel_name} /> },
          ...(call.old_log_at === null
            ? [{ term: t('columns.reserve'), value: <Charge quota={call.reserve} /> }]
            : [
                { term: t('columns.old'), value: <Charge quota={call.old_quota} /> },
                { term: t('columns.ours'), value: <Charge quota={call.would_quota} /> },
              ]),
        ]}
      />
    </RowCard>
  )
}
