import { InfoCircleOutlined } from '@ant-design/icons'
import type { TopUpInfo } from '@tidegate/contract/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../api/errors.ts'
import { formatPrice } from '../../components/payment-orders/format-price.ts'
import { Presets } from '../../components/presets.tsx'
import { dollars, formatCount, moneyRules } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { useLast } from '../../lib/use-last.ts'
import { SkeletonForm } from '../../ui/feedback/skeleton.tsx'
import { Button, Form, InputNumber, Radio } from '../../ui/kit/index.ts'
import { quoteQuery, topUpInfoQuery, type TopUp } from './api.ts'
import { Card } from './cards.tsx'
import { ConfirmDialog, type PricedTopUp } from './confirm-dialog.tsx'
import styles from './wallet.module.css'

/** Buys balance, if the operator has set up a payment method. */
export function TopUpCard() {
  const { t } = useTranslation('wallet')
  const { t: common } = useTranslation()
  const info = useQuery(topUpInfoQuery)
  if (info.data?.methods.length === 0) {
    return (
      <Card title={t('topUp.title')}>
        <p className={styles.closed}>
          <InfoCircleOutlined aria-hidden /> {t('topUp.closed')}
        </p>
      </Card>
    )
  }
  return (
    <Card title={t('topUp.title')} hint={info.error && !info.data ? errorText(info.error) : t('topUp.hint')}>
      {content()}
    </Card>
  )

  function content() {
    if (info.data) return <TopUpForm info={info.data} />
    if (!info.error) return <SkeletonForm fields={2} />
    return (
      <Button loading={info.isFetching} onClick={() => void info.refetch()}>
        {common('retry')}
      </Button>
    )
  }
}

interface Values extends Omit<TopUp, 'amount'> {
  amount: number | null
}

const PRESETS = [10, 20, 50, 100]

/** Amount, payment method and price. */
function TopUpForm({ info }: { info: TopUpInfo }) {
  const { t } = useTranslation('wallet')
  const { inCurrency, quotaPerUnit } = moneyRules()
  const client = useQueryClient()
  const [form] = Form.useForm<Values>()
  const amount = Form.useWatch('amount', form) ?? null
  const method = Form.useWatch('method', form)
  const [confirming, setConfirming] = useState<PricedTopUp | null>(null)
  const [isPricing, setPricing] = useState(false)
  const shown = useLast(confirming)
  const min = Math.max(1, info.min_amount)
  const currencyOf = (id: TopUp['method']) => info.methods.find((one) => one.id === id)?.currency ?? ''
  const presets = PRESETS.map((preset) => (inCurrency ? preset : preset * quotaPerUnit)).filter((one) => one >= min)

  const check = (_: unknown, value: number | null) =>
    value === null || value < min
      ? Promise.reject(new Error(t('topUp.tooLittle', { min: formatCount(min) })))
      : Promise.resolve()
  // Loads the price of this amount, because the shown price may be of an earlier one.
  const confirm = async ({ amount, method }: Values) => {
    const topUp = { amount: amount!, method }
    setPricing(true)
    try {
      setConfirming({ ...topUp, money: await client.fetchQuery(quoteQuery(topUp)), currency: currencyOf(method) })
    } catch (error) {
      toast.error(errorText(error))
    } finally {
      setPricing(false)
    }
  }
  return (
    <>
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ amount: presets[0] ?? min, method: info.methods[0]!.id }}
        onFinish={(values) => void confirm(values)}
        scrollToFirstError={{ focus: true }}
        className={styles.topUp}
      >
        <div>
          <Form.Item<Values>
            name="amount"
            label={t(inCurrency ? 'topUp.amountInDollars' : 'topUp.amountInQuota')}
            rules={[{ validator: check }]}
            className={styles.amount}
          >
            <InputNumber
              className={styles.wide}
              min={1}
              max={Number.MAX_SAFE_INTEGER}
              precision={0}
              {...(inCurrency && { prefix: '$' })}
            />
          </Form.Item>
          <Presets
            label={t('topUp.presets')}
            choices={presets.map((value) => ({ value, text: inCurrency ? dollars(value, 0, 0) : formatCount(value) }))}
            chosen={amount}
            onChoose={(value) => form.setFields([{ name: 'amount', value, errors: [] }])}
          />
        </div>
        <Form.Item<Values> name="method" label={t('topUp.method')}>
          <Radio.Group
            aria-label={t('topUp.method')}
            optionType="button"
            options={info.methods.map(({ id }) => ({ value: id, label: t(`methods.${id}`) }))}
          />
        </Form.Item>
        <div className={styles.buttons}>
          <Button type="primary" htmlType="submit" loading={isPricing}>
            {t('topUp.submit')}
          </Button>
          {amount !== null && amount >= min && method && (
            <PriceLine amount={amount} method={method} currency={currencyOf(method)} />
          )}
        </div>
      </Form>
      {shown && <ConfirmDialog open={confirming !== null} topUp={shown} onClose={() => setConfirming(null)} />}
    </>
  )
}

const TYPING_PAUSE_MS = 350

/** The price, updated when the user stops typing. */
function PriceLine({ amount, method, currency }: TopUp & { currency: string }) {
  const { t, i18n } = useTranslation('wallet')
  const settled = useDebounced(amount, TYPING_PAUSE_MS)
  const quote = useQuery(quoteQuery({ amount: settled, method }))
  const isOld = settled !== amount || quote.isPlaceholderData
  return (
    <output className={styles.price} data-old={isOld || undefined} data-bad={quote.error ? true : undefined}>
      {text()}
    </output>
  )

  function text() {
    if (quote.error) return errorText(quote.error)
    if (quote.data === undefined) return t('topUp.pricing')
    return t('topUp.price', { price: formatPrice(quote.data, currency, i18n.resolvedLanguage) })
  }
}
