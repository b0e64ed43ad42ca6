import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../api/errors.ts'
import { HumanCheckWidget, useHumanCheck } from '../../components/auth/human-check.tsx'
import { formatCallPrice } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button, Form, Input } from '../../ui/kit/index.ts'
import { topUpInfoQuery, useRedeem } from './api.ts'
import { Card } from './cards.tsx'
import { webAddress } from './payment-redirect.ts'
import styles from './wallet.module.css'

interface RedeemValues {
  code: string
}

/** Redeems a code. */
export function RedeemCard() {
  const { t } = useTranslation('wallet')
  const { search } = useUrlState()
  const { form, submit, isPending, check } = useRedeemForm()
  const hasCode = Boolean(Form.useWatch('code', form)?.trim())
  return (
    <Card title={t('redeem.title')} hint={t('redeem.hint')}>
      <Form<RedeemValues> form={form} initialValues={{ code: search.get('code') ?? '' }} onFinish={submit}>
        <div className={styles.redeem}>
          <Form.Item<RedeemValues>
            name="code"
            className={styles.code}
            rules={[{ required: true, whitespace: true, message: t('redeem.blank') }]}
            validateTrigger="onSubmit"
          >
            <Input
              className="mono"
              aria-label={t('redeem.code')}
              placeholder={t('redeem.code')}
              autoComplete="off"
              spellCheck={false}
              maxLength={128}
              allowClear
            />
          </Form.Item>
          <Button type="primary" htmlType="submit" loading={isPending}>
            {t('redeem.submit')}
          </Button>
          <GetCode />
        </div>
        {/* Loaded only once there is a code, because most visits are not for redeeming. */}
        {hasCode && check.isNeeded && (
          <div className={styles.check}>
            <HumanCheckWidget check={check} />
          </div>
        )}
      </Form>
    </Card>
  )
}

/** Sends a code once. Errors are shown at the field. */
function useRedeemForm() {
  const { t } = useTranslation('wallet')
  const [form] = Form.useForm<RedeemValues>()
  const { change } = useUrlState()
  const check = useHumanCheck('redeem')
  const redemption = useRedeem()
  // Enter can be pressed again before the button shows its loading state.
  const isRedeeming = useRef(false)

  const submit = ({ code }: RedeemValues) => {
    if (isRedeeming.current) return
    if (!check.isPassed) {
      toast.error(t('redeem.unchecked'))
      return
    }
    isRedeeming.current = true
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
          isRedeeming.current = false
          check.renew() // a token is valid once
        },
      },
    )
  }
  return { form, submit, isPending: redemption.isPending, check }
}

/** Links to the shop for codes. */
function GetCode() {
  const { t } = useTranslation('wallet')
  const info = useQuery(topUpInfoQuery)
  const link = webAddress(info.data?.top_up_link ?? '')
  if (link) {
    return (
      <Button href={link} target="_blank" rel="noopener noreferrer">
        {t('redeem.get')}
      </Button>
    )
  }
  return (
    <Button loading={info.isPending} onClick={() => toast.error(t('redeem.noLink'))}>
      {t('redeem.get')}
    </Button>
  )
}
