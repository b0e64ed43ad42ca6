import { useTranslation } from 'react-i18next'
import { Form, Input, InputNumber } from '../../../ui/kit/index.ts'
import styles from '../coupons.module.css'
import { countProblem, keyProblem } from './coupon-rules.ts'
import type { NewCouponValues } from './coupon-values.ts'
import { useRule } from './use-rule.ts'

/** Either a key of one's own, or how many keys to make up. */
export function MakingFields() {
  const { t } = useTranslation('coupons')
  const form = Form.useFormInstance<NewCouponValues>()
  const rule = useRule()
  const hasKey = (Form.useWatch('key', form) ?? '').trim() !== ''
  return (
    <>
      <Form.Item<NewCouponValues> name="key" label={t('form.key')} extra={t('form.keyHint')} rules={[rule(keyProblem)]}>
        <Input className="mono" autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      {hasKey ? (
        <Form.Item label={t('form.count')} htmlFor="one" extra={t('form.countWithKey')}>
          <InputNumber id="one" className={styles.wide} value={1} disabled />
        </Form.Item>
      ) : (
        <Form.Item<NewCouponValues>
          name="count"
          label={t('form.count')}
          extra={t('form.countHint')}
          rules={[rule(countProblem)]}
          preserve
        >
          <InputNumber className={styles.wide} precision={0} />
        </Form.Item>
      )}
    </>
  )
}
