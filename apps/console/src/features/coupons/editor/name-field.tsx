import { useTranslation } from 'react-i18next'
import { Form, Input } from '../../../ui/kit/index.ts'
import { useFirstFocus } from '../../../ui/use-first-focus.ts'
import { knownNameProblem, nameProblem } from './coupon-rules.ts'
import { nameFor, type CouponValues } from './coupon-values.ts'
import { useRule } from './use-rule.ts'

/** A new code that has no name is called by what it is worth. */
export function NameField({ isNew = false }: { isNew?: boolean }) {
  const { t } = useTranslation('coupons')
  const first = useFirstFocus()
  const rule = useRule()
  const quota = Form.useWatch<number | null | undefined>('quota') ?? 0
  return (
    <Form.Item<CouponValues>
      name="name"
      label={t('form.name')}
      extra={t(isNew ? 'form.newNameHint' : 'form.nameHint')}
      rules={[rule(isNew ? nameProblem : knownNameProblem)]}
    >
      <Input ref={first} autoComplete="off" {...(isNew && quota > 0 && { placeholder: nameFor(quota) })} />
    </Form.Item>
  )
}
