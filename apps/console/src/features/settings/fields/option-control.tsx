import { useTranslation } from 'react-i18next'
import { JsonField } from '../../../ui/form/json-field.tsx'
import { Input, Radio, Select } from '../../../ui/kit/index.ts'
import { valueOf, type FieldValue, type KnownField } from '../option-values.ts'
import { textKeyOf } from '../option-text.ts'
import styles from '../settings.module.css'
import { DefaultButton } from './default-button.tsx'
import { FigureInput } from './figure-input.tsx'
import { SecretInput } from './secret-input.tsx'

interface Props {
  /** These three are given by the form. */
  id?: string
  value?: FieldValue
  onChange?(value: FieldValue): void
  field: KnownField
  label: string
}

/** What an option is edited with, by its kind. Switches stand beside their label and are not among them. */
export function OptionControl({ field, label, ...control }: Props) {
  const { t, i18n } = useTranslation('settings')
  const { facts } = field
  const text = typeof control.value === 'string' ? control.value : ''
  const write = (event: { target: { value: string } }) => control.onChange?.(event.target.value)
  const useDefault = <DefaultButton label={label} onUse={() => control.onChange?.(valueOf(field, facts.default))} />
  if (facts.secret) {
    const value = control.value === null ? null : text
    return <SecretInput {...control} value={value} label={label} isSet={facts.is_set} />
  }
  switch (facts.kind) {
    case 'integer':
    case 'number': {
      const value = typeof control.value === 'number' ? control.value : null
      const showsWorth = field.unit === 'quota' && facts.kind === 'integer'
      return (
        <FigureInput {...control} value={value} showsWorth={showsWorth} {...(field.unit && { unit: field.unit })} />
      )
    }
    case 'json':
      return (
        <JsonField
          {...control}
          value={text}
          label={label}
          isList={field.isList ?? false}
          blankText={t('json.blank')}
          tools={useDefault}
        />
      )
    case 'lines':
      return (
        <div>
          <Input.TextArea
            id={control.id}
            className="mono"
            autoSize={{ minRows: 4, maxRows: 14 }}
            spellCheck={false}
            value={text}
            onChange={write}
          />
          <div className={styles.tools}>{useDefault}</div>
        </div>
      )
    case 'list':
      return (
        <Select<string[]>
          id={control.id}
          mode="tags"
          open={false}
          suffixIcon={null}
          tokenSeparators={[',', '，', ';', ' ', '\n']}
          value={Array.isArray(control.value) ? control.value : []}
          onChange={(entries) => control.onChange?.(entries.map((entry) => entry.trim()).filter(Boolean))}
        />
      )
    case 'choice':
      return (
        <Radio.Group
          id={control.id}
          aria-label={label}
          optionType="button"
          value={text}
          onChange={(event) => control.onChange?.(event.target.value as string)}
          options={facts.choices.map((value) => ({ value, label: choiceName(value) }))}
        />
      )
    default:
      if (!field.lines) return <Input id={control.id} autoComplete="off" value={text} onChange={write} />
      return (
        <Input.TextArea
          id={control.id}
          {...(field.lines === 'code' && { className: 'mono', spellCheck: false })}
          autoSize={{ minRows: 3, maxRows: 16 }}
          value={text}
          onChange={write}
        />
      )
  }

  function choiceName(value: string): string {
    const name = `choices.${textKeyOf(field.key)}.${value}`
    return i18n.exists(`settings:${name}`) ? t(name as 'choices.DataExportDefaultTime.hour') : value
  }
}
