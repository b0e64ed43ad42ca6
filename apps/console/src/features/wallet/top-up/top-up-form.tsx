import { useQueryClient } from '@tanstack/react-query'
import type { TopUpInfo } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../api/errors.ts'
import { dollars, formatCount, moneyRules } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { Button, Form, InputNumber, Radio } from '../../../ui/kit/index.ts'
import { useLast } from '../../../lib/use-last.ts'
import styles from '../wallet.module.css'
import { ConfirmDialog, type PricedOrder } from './confirm-dialog.tsx'
import { PriceLine } from './price-line.tsx'
import { quoteQuery, type Order } from './queries.ts'

interface Values extends Omit<Order, 'amount'> {
  amount: number | null
}

const PRESETS = [10, 20, 50, 100]

/** Amount, way to pay and what it costs. */
export function TopUpForm({ info }: { info: TopUpInfo }) {
  const { t } = useTranslation('wallet')
  const { inCurrency, quotaPerUnit } = moneyRules()
  const client = useQueryClient()
  const [form] = Form.useForm<Values>()
  const amount = Form.useWatch('amount', form) ?? null
  const method = Form.useWatch('method', form)
  const [asked, setAsked] = useState<PricedOrder | null>(null)
  const [isAsking, setAsking] = useState(false)
  const shown = useLast(asked)
  const least = Math.max(1, info.min_amount)
  const currencyOf = (id: Order['method']) => info.methods.find((one) => one.id === id)?.currency ?? ''
  const presets = PRESETS.map((preset) => (inCurrency ? preset : preset * quotaPerUnit)).filter((one) => one >= least)

  const check = (_: unknown, value: number | null) =>
    value === null || value < least
      ? Promise.reject(new Error(t('topUp.tooLittle', { min: formatCount(least) })))
      : Promise.resolve()
  // The price of exactly this amount, which the preview may not have reached yet.
  const ask = async ({ amount, method }: Values) => {
    const order = { amount: amount!, method }
    setAsking(true)
    try {
      setAsked({ ...order, money: await client.fetchQuery(quoteQuery(order)), currency: currencyOf(method) })
    } catch (error) {
      toast.error(errorText(error))
    } finally {
      setAsking(false)
    }
  }
  return (
    <>
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ amount: least, method: info.methods[0]!.id }}
        onFinish={(values) => void ask(values)}
        scrollToFirstError={{ focus: true }}
      >
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
        <fieldset className={styles.presets} aria-label={t('topUp.presets')}>
          {presets.map((preset) => (
            <Button
              key={preset}
              size="small"
              onClick={() => form.setFields([{ name: 'amount', value: preset, errors: [] }])}
            >
              {inCurrency ? dollars(preset, 0, 0) : formatCount(preset)}
            </Button>
          ))}
        </fieldset>
        <Form.Item<Values> name="method" label={t('topUp.method')}>
          <Radio.Group
            aria-label={t('topUp.method')}
            optionType="button"
            options={info.methods.map(({ id }) => ({ value: id, label: t(`methods.${id}`) }))}
          />
        </Form.Item>
        <div className={styles.buttons}>
          <Button type="primary" htmlType="submit" loading={isAsking}>
            {t('topUp.submit')}
          </Button>
          {amount !== null && amount >= least && method && (
            <PriceLine amount={amount} method={method} currency={currencyOf(method)} />
          )}
        </div>
      </Form>
      {shown && <ConfirmDialog open={asked !== null} order={shown} onClose={() => setAsked(null)} />}
    </>
  )
}
