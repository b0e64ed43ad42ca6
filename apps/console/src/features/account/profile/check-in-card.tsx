import { CheckCircleOutlined, GiftOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, errorText } from '../../../api/errors.ts'
import { HumanCheckWidget, useHumanCheck, type HumanCheck } from '../../../components/auth/human-check.tsx'
import { dollars, moneyRules } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { checkInQuery, useCheckIn } from '../api.ts'
import { Card } from '../card.tsx'

/** The daily check-in reward. */
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
          <SkeletonLines lines={2} />
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

interface RewardState {
  take(): void
  isTaking: boolean
  /** The CAPTCHA to show. Null before the click. */
  check: HumanCheck | null
}

/**
 * Takes the reward. A CAPTCHA appears after the click, because most visits to the page have another purpose. Passing it
 * takes the reward without another click.
 */
function useTakeReward(): RewardState {
  const { t } = useTranslation('me')
  const check = useHumanCheck('check_in')
  const [isChecking, setChecking] = useState(false)
  const { mutate, isPending } = useCheckIn()
  const { setToken, renew } = check

  const send = useCallback(
    (token: string) =>
      mutate(token, {
        onSuccess: ({ quota }) => toast.success(t('checkIn.success', { amount: formatReward(quota) })),
        onError: (error) => toast.error(hasReason(error) ? errorText(error) : t('checkIn.failed')),
        onSettled() {
          setChecking(false) // a token is valid once
          renew()
        },
      }),
    [mutate, t, renew],
  )
  const setTokenAndSend = useCallback(
    (token: string) => {
      setToken(token)
      if (token !== '') send(token)
    },
    [setToken, send],
  )
  return {
    take: () => (check.isNeeded ? setChecking(true) : send('')),
    isTaking: isPending,
    check: isChecking ? { ...check, setToken: setTokenAndSend } : null,
  }
}

/** The server gave a reason that helps the user. */
const hasReason = (error: Error) =>
  error instanceof ApiError && !['network', 'unknown', 'internal_error'].includes(error.code)

function formatReward(quota: number): string {
  const amount = quota / moneyRules().quotaPerUnit
  return dollars(amount, 2, amount < 0.01 ? 6 : 2)
}
