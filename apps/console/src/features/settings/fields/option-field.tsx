import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { Form } from '../../../ui/kit/index.ts'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { HistoryButton } from '../history/history-button.tsx'
import { problemOf } from '../option-problem.ts'
import { anchorOf, textKeyOf } from '../option-text.ts'
import type { FieldValue, FormValues, KnownField } from '../option-values.ts'
import styles from '../settings.module.css'
import { OptionControl } from './option-control.tsx'
import { SwitchRow } from './switch-row.tsx'

/** One option: its name, its control, and a line on what it is for. */
export function OptionField({ field }: { field: KnownField }) {
  const { t } = useTranslation('settings')
  const { key, facts } = field
  const textKey = textKeyOf(key)
  const label = t(`options.${textKey}.label`)
  const help = t(`options.${textKey}.help`)
  const rule = {
    validator: (_: unknown, value: FieldValue | undefined) => {
      const problem = problemOf(field, value)
      return problem ? Promise.reject(new Error(t(`errors.${problem.message}`, problem.blanks))) : Promise.resolve()
    },
  }
  return (
    <div id={anchorOf(key)} className={styles.option} data-option={key} data-kind={facts.kind}>
      {facts.kind === 'boolean' ? (
        <Form.Item<FormValues> name={key} valuePropName="checked">
          <SwitchRow label={label} help={help} />
        </Form.Item>
      ) : (
        <Form.Item<FormValues>
          name={key}
          label={
            <span className={styles.label}>
              {label}
              {facts.secret && (
                <StatusTag tone={facts.is_set ? 'good' : 'neutral'}>
                  {t(facts.is_set ? 'secret.set' : 'secret.notSet')}
                </StatusTag>
              )}
            </span>
          }
          extra={helpWithDefault()}
          rules={[rule]}
          validateTrigger="onBlur"
        >
          <OptionControl field={field} label={label} />
        </Form.Item>
      )}
      <HistoryButton optionKey={key} label={label} />
    </div>
  )

  /** Short defaults are said; long ones have a button of their own. */
  function helpWithDefault(): string {
    const isFigure = facts.kind === 'integer' || facts.kind === 'number'
    if (!isFigure || facts.default === '') return help
    return `${help} · ${t('defaultIs', { value: formatCount(Number(facts.default)) })}`
  }
}
