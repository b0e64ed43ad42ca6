import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBalance } from '../../../lib/format.ts'
import { Button, Form, InputNumber, Space } from '../../../ui/kit/index.ts'
import styles from '../users.module.css'
import { AddQuotaDialog } from './add-quota-dialog.tsx'
import { quotaProblem } from './quota-problem.ts'
import { bothWays, groupDigits, signed, ungroupDigits } from './quota-words.ts'
import type { UserValues } from './user-values.ts'

interface Props {
  /** The balance when the form was opened. */
  seen: number
  mayOwe: boolean
}

/** The balance in quota, what it is worth, and what saving would change. */
export function QuotaField({ seen, mayOwe }: Props) {
  const { t } = useTranslation('users')
  const form = Form.useFormInstance<UserValues>()
  const quota = Form.useWatch('quota', form) ?? seen
  const [adding, setAdding] = useState(false)
  const check = (_: unknown, value: number | null = null) => {
    const problem = quotaProblem(value, { seen, mayOwe })
    return problem ? Promise.reject(new Error(t(`quota.${problem}`))) : Promise.resolve()
  }
  const add = (amount: number) => {
    form.setFields([{ name: 'quota', value: quota + amount, touched: true, errors: [] }])
    setAdding(false)
  }
  return (
    <Form.Item label={t('form.quota')} htmlFor="quota" extra={hint()}>
      <Space.Compact block>
        <Form.Item<UserValues> name="quota" noStyle rules={[{ validator: check }]}>
          <InputNumber
            id="quota"
            className={styles.wide}
            precision={0}
            controls={false}
            formatter={groupDigits}
            parser={ungroupDigits}
          />
        </Form.Item>
        <Button onClick={() => setAdding(true)}>{t('quota.add')}</Button>
      </Space.Compact>
      <AddQuotaDialog
        open={adding}
        current={quota}
        seen={seen}
        mayOwe={mayOwe}
        onAdd={add}
        onClose={() => setAdding(false)}
      />
    </Form.Item>
  )

  function hint(): string {
    if (quota === seen) return t('quota.worth', { money: formatBalance(quota) })
    return t('quota.change', { before: bothWays(seen), after: bothWays(quota), amount: signed(quota - seen) })
  }
}
