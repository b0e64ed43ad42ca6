import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, errorText } from '../../../api/errors.ts'
import { dollars, moneyRules } from '../../../lib/format.ts'
import { useHumanCheck, type HumanCheck } from '../../../components/auth/use-human-check.ts'
import { toast } from '../../../lib/toast.ts'
import { useCheckIn } from './queries.ts'

interface TakeReward {
  take(): void
  isTaking: boolean
  /** To be drawn once it is there: the person has asked for the reward, and the site wants to see a person. */
  check: HumanCheck | null
}

/**
 * Takes the reward, after the human check where the site asks for one. The check comes with the click and not with the
 * page, which most visits open for something else; passing it takes the reward without another click.
 */
export function useTakeReward(): TakeReward {
  const { t } = useTranslation('me')
  const check = useHumanCheck('check_in')
  const [isChecking, setChecking] = useState(false)
  const { mutate, isPending } = useCheckIn()
  const { setToken, renew } = check

  const send = useCallback(
    (token: string) =>
      mutate(token, {
        onSuccess: ({ quota }) => toast.success(t('checkIn.success', { amount: amountOf(quota) })),
        onError: (error) => toast.error(isRefusal(error) ? errorText(error) : t('checkIn.failed')),
        onSettled() {
          setChecking(false) // a token is good once: the next click asks for another
          renew()
        },
      }),
    [mutate, t, renew],
  )
  const takeToken = useCallback(
    (token: string) => {
      setToken(token)
      if (token !== '') send(token)
    },
    [setToken, send],
  )
  return {
    take: () => (check.isNeeded ? setChecking(true) : send('')),
    isTaking: isPending,
    check: isChecking ? { ...check, setToken: takeToken } : null,
  }
}

/** A reason of the server's own, which says more than that it did not work. */
const isRefusal = (error: Error) =>
  error instanceof ApiError && !['network', 'unknown', 'internal_error'].includes(error.code)

function amountOf(quota: number): string {
  const amount = quota / moneyRules().quotaPerUnit
  return dollars(amount, 2, amount < 0.01 ? 6 : 2)
}
