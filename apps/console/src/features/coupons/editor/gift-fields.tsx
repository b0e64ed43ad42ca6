import { UNLIMITED_USES } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Button, Form, InputNumber, Space, Switch } from '../../../ui/kit/index.ts'
import styles from '../coupons.module.css'
import { usesProblem } from './coupon-rules.ts'
import type { CouponValues } from './coupon-values.ts'
import { groupDigits, ungroupDigits } from './group-digits.ts'
import { useRule } from './use-rule.ts'

/** A gift can be used once by each of many people; any other code by one person. */
export function GiftFields({ disabled = false }: { disabled?: boolean }) {
  const { t } = useTranslation('coupons')
  const form = Form.useFormInstance<CouponValues>()
  const isGift = Form.useWatch('is_gift', form) ?? false
  const rule = useRule()
  const unlimit = () => form.setFields([{ name: 'max_uses', value: UNLIMITED_USES, touched: true, errors: [] }])
  return (
    <>
      <div className={styles.switch}>
        <Form.Item<CouponValues> name="is_gift" valuePropName="checked" noStyle>
          <Switch id="is_gift" aria-label={t('form.gift')} disabled={disabled} />
        </Form.Item>
        <label htmlFor="is_gift">{t('form.gift')}</label>
        <span className="secondary">{t('form.giftHint')}</span>
      </div>
      {isGift && (
        <Form.Item label={t('form.uses')} htmlFor="max_uses" extra={t('form.usesHint')}>
          <Space.Compact block>
            <Form.Item<CouponValues> name="max_uses" noStyle rules={[rule(usesProblem)]}>
              <InputNumber
                id="max_uses"
                className={styles.wide}
                precision={0}
                controls={false}
                disabled={disabled}
                formatter={groupDigits}
                parser={ungroupDigits}
              />
            </Form.Item>
            <Button onClick={unlimit} disabled={disabled}>
              {t('form.unlimited')}
            </Button>
          </Space.Compact>
        </Form.Item>
      )}
    </>
  )
}
