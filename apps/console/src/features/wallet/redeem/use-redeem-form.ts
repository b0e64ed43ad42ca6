import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../api/errors.ts'
import { formatCallPrice } from '../../../lib/format.ts'
import { useHumanCheck } from '../../../components/auth/use-human-check.ts'
import { toast } from '../../../lib/toast.ts'
import { useUrlState } from '../../../lib/url-state.ts'
import { Form } from '../../../ui/kit/index.ts'
import { useRedeem } from '../queries.ts'

export interface RedeemValues {
  code: string
}

/** Sends a code once, and tells beside the field why it was refused. */
export function useRedeemForm() {
  const { t } = useTranslation('wallet')
  const [form] = Form.useForm<RedeemValues>()
  const { change } = useUrlState()
  const check = useHumanCheck('redeem')
  const redemption = useRedeem()
  // Enter can be pressed again before the button shows that it waits.
  const isUnderWay = useRef(false)

  const submit = ({ code }: RedeemValues) => {
    if (isUnderWay.current) return
    if (!check.isPassed) {
      toast.error(t('redeem.unchecked'))
      return
    }
    isUnderWay.current = true
    redemption.mutate(
      { key: code.trim(), turnstile: check.token },
      {
        onSuccess({ quota, is_gift: isGift }) {
          toast.success(t(isGift ? 'redeem.gift' : 'redeem.done', { amount: formatCallPrice(quota) }))
          form.setFieldsValue({ code: '' })
          change({ code: null }, { replace: true })
        },
        onError: (error) => form.setFields([{ name: 'code', errors: [errorText(error)] }]),
        onSettled() {
          isUnderWay.current = false
          check.renew() // a token is good once
        },
      },
    )
  }
  return { form, submit, isRedeeming: redemption.isPending, check }
}
