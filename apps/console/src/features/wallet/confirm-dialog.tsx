import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatPrice } from '../../components/payment-orders/format-price.ts'
import { dollars, formatCount, moneyRules } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { Modal } from '../../ui/kit/index.ts'
import { Facts } from '../../ui/page/facts.tsx'
import { PaymentRejected, useStartTopUp, type TopUp } from './api.ts'
import { openPaymentPage } from './payment-redirect.ts'

export interface PricedTopUp extends TopUp {
  money: string
  currency: string
}

interface Props {
  open: boolean
  topUp: PricedTopUp
  onClose(): void
}

/** Confirms a top-up before the payment page opens. */
export function ConfirmDialog({ open, topUp, onClose }: Props) {
  const { t, i18n } = useTranslation('wallet')
  const { t: common } = useTranslation()
  const { mutateAsync, isPending } = useStartTopUp()
  const isStarting = useRef(false)
  const { amount, method, money, currency } = topUp
  const pay = async () => {
    // A second click must not create another order.
    if (isStarting.current) return
    isStarting.current = true
    try {
      const payment = await mutateAsync({ amount, method })
      onClose() // going back in the browser shows the form
      openPaymentPage(payment, () => toast.error(t('topUp.failed')))
    } catch (error) {
      toast.error(error instanceof PaymentRejected ? error.message : t('topUp.failed'))
    } finally {
      isStarting.current = false
    }
  }
  return (
    <Modal
      title={t('topUp.confirmTitle')}
      open={open}
      onCancel={() => !isPending && onClose()}
      onOk={() => void pay()}
      okText={t('topUp.pay')}
      cancelText={common('cancel')}
      confirmLoading={isPending}
      destroyOnHidden
      width={420}
    >
      <Facts
        facts={[
          {
            term: t('topUp.amount'),
            value: moneyRules().inCurrency ? dollars(amount, 2, 2) : t('topUp.quota', { quota: formatCount(amount) }),
          },
          { term: t('topUp.cost'), value: <strong>{formatPrice(money, currency, i18n.resolvedLanguage)}</strong> },
          { term: t('topUp.method'), value: t(`methods.${method}`) },
        ]}
      />
    </Modal>
  )
}
