import type { Dayjs } from 'dayjs'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { DatePicker, Form } from '../../../ui/kit/index.ts'
import styles from '../coupons.module.css'
import { windowProblem } from './coupon-rules.ts'
import type { CouponValues } from './coupon-values.ts'
import { useRule } from './use-rule.ts'

/** From when and until when a code can be used; either end can stay open. */
export function WindowFields() {
  const { t } = useTranslation('coupons')
  const form = Form.useFormInstance<CouponValues>()
  const rule = useRule()
  const endProblem = (until: Dayjs | null) => {
    const from = form.getFieldValue('from') as Dayjs | null
    return windowProblem(from?.unix() ?? null, until?.unix() ?? null)
  }
  return (
    <div className={styles.pair}>
      <Form.Item<CouponValues> name="from" label={t('form.from')} extra={t('form.fromHint')}>
        <DatePicker showTime className={styles.wide} placeholder={t('form.fromNow')} onKeyDown={keepForm} />
      </Form.Item>
      <Form.Item<CouponValues>
        name="until"
        label={t('form.until')}
        extra={t('form.untilHint')}
        dependencies={['from']}
        rules={[rule(endProblem)]}
      >
        <DatePicker showTime className={styles.wide} placeholder={t('form.untilEver')} onKeyDown={keepForm} />
      </Form.Item>
    </div>
  )
}

/** Enter takes the time that was typed, which is not yet a wish to submit the form. */
function keepForm(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault()
}
