import { useTranslation } from 'react-i18next'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { ConfigProvider, Form, Switch } from '../../../ui/kit/index.ts'
import { HistoryButton } from '../history/history-button.tsx'
import { anchorOf, textKeyOf, type FieldValue, type FormValues, type KnownField } from '../option-values.ts'
import styles from '../settings.module.css'
import { OptionControl } from './option-control.tsx'
import { validateOption } from './validate-option.ts'

/** An option with its label, control and help text. */
export function OptionField({ field }: { field: KnownField }) {
  const { t } = useTranslation('settings')
  const { key, facts } = field
  const textKey = textKeyOf(key)
  const label = t(`options.${textKey}.label`)
  const help = t(`options.${textKey}.help`)
  const isOff = useIsOff(field)
  const rule = {
    validator: (_: unknown, value: FieldValue | undefined) => {
      const error = validateOption(field, value)
      return error ? Promise.reject(new Error(t(`errors.${error.message}`, error.values))) : Promise.resolve()
    },
  }
  return (
    <div
      id={anchorOf(key)}
      className={styles.option}
      data-option={key}
      data-kind={facts.kind}
      data-beside={isShort(field) || undefined}
      data-off={isOff || undefined}
    >
      <ConfigProvider componentDisabled={isOff}>{facts.kind === 'boolean' ? aSwitch() : aField()}</ConfigProvider>
      <HistoryButton optionKey={key} label={label} />
    </div>
  )

  function aSwitch() {
    return (
      <Form.Item<FormValues> name={key} valuePropName="checked">
        <SwitchRow label={label} help={help} />
      </Form.Item>
    )
  }

  function aField() {
    return (
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
        extra={help}
        rules={[rule]}
        validateTrigger="onBlur"
      >
        <OptionControl field={field} label={label} />
      </Form.Item>
    )
  }
}

/** An option whose switch is off has no effect. A switch that is not in the form counts as on. */
function useIsOff({ needs }: KnownField): boolean {
  const form = Form.useFormInstance<FormValues>()
  const isOn = Form.useWatch<FieldValue | undefined>(needs ?? [], form)
  return needs !== undefined && isOn === false
}

/** Whether the control fits beside the label. */
const isShort = ({ facts: { kind }, lines, control }: KnownField): boolean =>
  control === 'groups' || (kind !== 'boolean' && kind !== 'json' && kind !== 'lines' && !lines)

interface SwitchProps {
  /** The form sets these three. */
  id?: string
  checked?: boolean
  onChange?(checked: boolean): void
  label: string
  help: string
}

/** The label is inside the form item, so that an error appears below it. */
function SwitchRow({ id = '', checked = false, onChange, label, help }: SwitchProps) {
  return (
    <div className={styles.switch}>
      <div>
        <label htmlFor={id}>{label}</label>
        <p id={`${id}-help`} className={styles.help}>
          {help}
        </p>
      </div>
      <Switch id={id} aria-describedby={`${id}-help`} checked={checked} onChange={(next) => onChange?.(next)} />
    </div>
  )
}
