import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { HumanCheckWidget } from '../../../components/auth/human-check-widget.tsx'
import { toast } from '../../../lib/toast.ts'
import { useUrlState } from '../../../lib/url-state.ts'
import { Button, Form, Input } from '../../../ui/kit/index.ts'
import { Card } from '../card.tsx'
import { topUpInfoQuery } from '../queries.ts'
import { webAddress } from '../web-address.ts'
import styles from '../wallet.module.css'
import { useRedeemForm, type RedeemValues } from './use-redeem-form.ts'

/** Turns a redemption code into balance. */
export function RedeemCard() {
  const { t } = useTranslation('wallet')
  const { search } = useUrlState()
  const { form, submit, isRedeeming, check } = useRedeemForm()
  const hasCode = Boolean(Form.useWatch('code', form)?.trim())
  return (
    <Card title={t('redeem.title')} hint={t('redeem.hint')}>
      <Form<RedeemValues>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ code: search.get('code') ?? '' }}
        onFinish={submit}
      >
        <Form.Item<RedeemValues>
          name="code"
          label={t('redeem.code')}
          rules={[{ required: true, whitespace: true, message: t('redeem.blank') }]}
          validateTrigger="onSubmit"
        >
          <Input className="mono" autoComplete="off" spellCheck={false} maxLength={128} allowClear />
        </Form.Item>
        {/* Most visits are for something else: the check is fetched once there is a code to redeem. */}
        {hasCode && check.isNeeded && (
          <div className={styles.check}>
            <HumanCheckWidget check={check} />
          </div>
        )}
        <div className={styles.buttons}>
          <Button type="primary" htmlType="submit" loading={isRedeeming}>
            {t('redeem.submit')}
          </Button>
          <GetCode />
        </div>
      </Form>
    </Card>
  )
}

/** Leads to where codes are sold. */
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
