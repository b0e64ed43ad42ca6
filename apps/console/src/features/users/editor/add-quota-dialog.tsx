import { useId, useRef, useState, type ComponentRef } from 'react'
import { useTranslation } from 'react-i18next'
import { dollars, moneyRules } from '../../../lib/format.ts'
import { Button, InputNumber, Modal } from '../../../ui/kit/index.ts'
import styles from '../users.module.css'
import { quotaProblem } from './quota-problem.ts'
import { bothWays, groupDigits, signed, ungroupDigits } from './quota-words.ts'

const PRESETS = [1, 10, 50, 100]

interface Props {
  open: boolean
  /** What the form says now, which the amount is added to. */
  current: number
  seen: number
  mayOwe: boolean
  onAdd(amount: number): void
  onClose(): void
}

/** Asks how much to add, or to take with a minus, and shows the balance before and after. */
export function AddQuotaDialog({ open, current, seen, mayOwe, onAdd, onClose }: Props) {
  const { t } = useTranslation('users')
  const { t: common } = useTranslation()
  const id = useId()
  const field = useRef<ComponentRef<typeof InputNumber>>(null)
  const [amount, setAmount] = useState<number | null>(null)
  const after = current + (amount ?? 0)
  const problem = amount === null ? null : quotaProblem(after, { seen, mayOwe })
  const canAdd = amount !== null && amount !== 0 && problem === null
  const add = () => canAdd && onAdd(amount)
  return (
    <Modal
      title={t('quota.addTitle')}
      open={open}
      onCancel={onClose}
      onOk={add}
      okText={t('quota.apply')}
      okButtonProps={{ disabled: !canAdd }}
      cancelText={common('cancel')}
      width={420}
      destroyOnHidden
      afterClose={() => setAmount(null)}
      afterOpenChange={(isOpen) => isOpen && field.current?.focus()}
    >
      <label className={styles.label} htmlFor={id}>
        {t('quota.amount')}
      </label>
      <InputNumber
        id={id}
        ref={field}
        className={styles.wide}
        precision={0}
        controls={false}
        aria-describedby={`${id}-help`}
        value={amount}
        onChange={(value) => setAmount(typeof value === 'number' ? value : null)}
        onPressEnter={(event) => {
          // The focus goes back to the button that opened the dialog, which the same key would press again.
          event.preventDefault()
          add()
        }}
        formatter={groupDigits}
        parser={ungroupDigits}
      />
      <fieldset className={styles.presets} aria-label={t('quota.presets')}>
        {PRESETS.map((preset) => (
          <Button key={preset} size="small" onClick={() => setAmount(preset * moneyRules().quotaPerUnit)}>
            +{dollars(preset, 0, 0)}
          </Button>
        ))}
      </fieldset>
      <dl className={styles.sum}>
        <dt>{t('quota.before')}</dt>
        <dd>{bothWays(current)}</dd>
        <dt>{t('quota.difference')}</dt>
        <dd>{signed(amount ?? 0)}</dd>
        <dt className={styles.result}>{t('quota.after')}</dt>
        <dd className={styles.result}>{bothWays(after)}</dd>
      </dl>
      <p id={`${id}-help`} className={problem ? styles.problem : styles.help} role={problem ? 'alert' : undefined}>
        {problem ? t(`quota.${problem}`) : t(after < 0 ? 'quota.owes' : 'quota.help')}
      </p>
    </Modal>
  )
}
