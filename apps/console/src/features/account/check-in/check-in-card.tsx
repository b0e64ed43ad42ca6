import { CheckCircleOutlined, GiftOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../api/errors.ts'
import { HumanCheckWidget } from '../../../components/auth/human-check-widget.tsx'
import { Button, Skeleton } from '../../../ui/kit/index.ts'
import { Card } from '../card.tsx'
import { checkInQuery } from './queries.ts'
import { useTakeReward } from './use-take-reward.ts'

/** The reward of the day. */
export function CheckInCard() {
  const { t } = useTranslation('me')
  const { t: common } = useTranslation()
  const status = useQuery(checkInQuery)
  if (!status.data) {
    return (
      <Card title={t('checkIn.title')} {...(status.error && { hint: errorText(status.error) })}>
        {status.error ? (
          <Button loading={status.isFetching} onClick={() => void status.refetch()}>
            {common('retry')}
          </Button>
        ) : (
          <Skeleton active title={false} paragraph={{ rows: 2 }} />
        )}
      </Card>
    )
  }
  return <Reward canCheckIn={status.data.can_check_in} nextDay={status.data.next_check_in_at} />
}

function Reward({ canCheckIn, nextDay }: { canCheckIn: boolean; nextDay: string | null }) {
  const { t, i18n } = useTranslation('me')
  const { take, isTaking, check } = useTakeReward()
  const time = nextDay && timeOfDay(nextDay, i18n.resolvedLanguage)
  const hint = time ? t(canCheckIn ? 'checkIn.renews' : 'checkIn.again', { time }) : t('checkIn.hint')
  return (
    <Card title={t('checkIn.title')} hint={hint}>
      {check && <HumanCheckWidget check={check} />}
      <Button
        type="primary"
        disabled={!canCheckIn}
        loading={isTaking}
        icon={canCheckIn ? <GiftOutlined aria-hidden /> : <CheckCircleOutlined aria-hidden />}
        onClick={take}
      >
        {canCheckIn ? t('checkIn.take') : t('checkIn.done')}
      </Button>
    </Card>
  )
}

function timeOfDay(iso: string, language: string | undefined): string {
  return new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    new Date(iso),
  )
}
