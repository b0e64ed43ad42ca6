import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { dollars, formatCount, moneyRules } from '../../../lib/format.ts'
import { formatPrice } from '../../../components/payment-orders/format-price.ts'
import { toast } from '../../../lib/toast.ts'
import { Facts } from '../../../ui/page/facts.tsx'
import { Modal } from '../../../ui/kit/index.ts'
import { goToPayment } from './go-to-payment.ts'
import { PaymentRefused, useStartTopUp, type Order } from './queries.ts'

export interface PricedOrder extends Order {
  money: string
  currency: string
}

interface Props {
  open: boolean
  order: PricedOrder
  onClose(): void
}

/** The last look before leaving for the payment page. */
export function ConfirmDialog({ open, order, onClose }: Props) {
  const { t, i18n } = useTranslation('wallet')
  const { t: common } = useTranslation()
  const { mutateAsync, isPending } = useStartTopUp()
  const isUnderWay = useRef(false)
  const { amount, method, money, currency } = order
  const pay = async () => {
    // Every order stands in the list: a second click must not place another.
    if (isUnderWay.current) return
    isUnderWay.current = true
    try {
      const payment = await mutateAsync({ amount, method })
      onClose() // whoever comes back by the browser's button finds the form
      goToPayment(payment, () => toast.error(t('topUp.failed')))
    } catch (error) {
      toast.error(error instanceof PaymentRefused ? error.message : t('topUp.failed'))
    } finally {
      isUnderWay.current = false
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
