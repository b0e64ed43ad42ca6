import { useTranslation } from 'react-i18next'
import { useUnitText } from '../option-names.ts'
import { MoneyInput } from '../../../components/money-input.tsx'
import { formatCallPrice, formatCount } from '../../../lib/format.ts'
import { JsonField } from '../../../ui/form/json-field.tsx'
import { Button, Input, InputNumber, Popconfirm, Radio, Select, Tooltip } from '../../../ui/kit/index.ts'
import { textKeyOf, valueOf, type FieldValue, type KnownField } from '../option-values.ts'
import type { Unit } from '../sections/section.ts'
import styles from '../settings.module.css'
import { ChatLinkList } from './chat-link-list.tsx'
import { GroupListSelect, GroupSelect } from './group-select.tsx'
import { RatioPrice } from './ratio-price.tsx'
import { SecretInput } from './secret-input.tsx'

interface Props {
  /** The form sets these three. */
  id?: string
  value?: FieldValue
  onChange?(value: FieldValue): void
  field: KnownField
  label: string
}

/** The control of an option, by its kind. Switches are in `OptionField`, beside their label. */
export function OptionControl({ field, label, ...control }: Props) {
  const { t, i18n } = useTranslation('settings')
  const { facts } = field
  const text = typeof control.value === 'string' ? control.value : ''
  const change = (event: { target: { value: string } }) => control.onChange?.(event.target.value)
  const useDefault = <DefaultButton label={label} onUse={() => control.onChange?.(valueOf(field, facts.default))} />
  if (facts.secret) {
    const value = control.value === null ? null : text
    return <SecretInput {...control} value={value} label={label} isSet={facts.is_set} />
  }
  switch (field.control) {
    case 'group':
      return <GroupSelect {...control} value={text} />
    case 'groups':
      return <GroupListSelect {...control} value={text} />
    case 'chats':
      return <ChatLinkList {...control} value={text} label={label} tools={useDefault} />
    case 'inputPrice':
    case 'outputPrice':
      return (
        <RatioPrice
          {...control}
          value={typeof control.value === 'number' ? control.value : null}
          isOutput={field.control === 'outputPrice'}
        />
      )
  }
  switch (facts.kind) {
    case 'integer':
    case 'number': {
      const value = typeof control.value === 'number' ? control.value : null
      if (field.unit === 'quota' && facts.kind === 'integer') {
        return <AmountInput {...control} value={value} usual={facts.default} />
      }
      return <NumberInput {...control} value={value} usual={facts.default} {...(field.unit && { unit: field.unit })} />
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
            onChange={change}
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
      if (!field.lines) return <Input id={control.id} autoComplete="off" value={text} onChange={change} />
      return (
        <Input.TextArea
          id={control.id}
          {...(field.lines === 'code' && { className: 'mono', spellCheck: false })}
          autoSize={{ minRows: 3, maxRows: 16 }}
          value={text}
          onChange={change}
        />
      )
  }

  function choiceName(value: string): string {
    const name = `choices.${textKeyOf(field.key)}.${value}`
    return i18n.exists(`settings:${name}`) ? t(name as 'choices.DataExportDefaultTime.hour') : value
  }
}

interface NumberProps {
  id?: string
  value?: number | null
  onChange?(value: number | null): void
  unit?: Unit
  /** The default, as text. Blank if there is none. */
  usual: string
}

/** A number with its unit. Limits are validated on blur, not enforced while typing. */
function NumberInput({ id, value = null, onChange, unit, usual }: NumberProps) {
  const { t } = useTranslation('settings')
  const unitText = useUnitText()
  return (
    <div className={styles.numberRow}>
      <InputNumber<number | string>
        id={id}
        className={styles.number}
        controls={false}
        value={value}
        onChange={(next) => onChange?.(next === null || next === '' ? null : Number(next))}
        formatter={withSeparators}
        parser={(text = '') => text.replaceAll(',', '')}
        suffix={unit && unitText(unit, value ?? 0)}
      />
      {usual !== '' && value !== Number(usual) && (
        <span className={styles.usual}>{t('defaultIs', { value: formatCount(Number(usual)) })}</span>
      )}
    </div>
  )
}

/** A quota as money, with the quota on hover. */
function AmountInput({ id, value = null, onChange, usual }: Omit<NumberProps, 'unit'>) {
  const { t } = useTranslation('settings')
  const unitText = useUnitText()
  return (
    <div className={styles.numberRow}>
      <Tooltip title={value !== null && `${formatCount(value)} ${unitText('quota', value)}`}>
        <MoneyInput
          {...(id !== undefined && { id })}
          className={styles.number}
          value={value}
          onChange={(quota) => onChange?.(quota)}
        />
      </Tooltip>
      {usual !== '' && value !== Number(usual) && (
        <span className={styles.usual}>{t('defaultIs', { value: formatCallPrice(Number(usual)) })}</span>
      )}
    </div>
  )
}

/** Separates thousands, but not decimals. */
function withSeparators(value: number | string | undefined): string {
  const [whole = '', ...rest] = String(value ?? '').split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...rest].join('.')
}

interface DefaultProps {
  label: string
  onUse(): void
}

/** Restores the default of a long value. */
function DefaultButton({ label, onUse }: DefaultProps) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  return (
    <Popconfirm
      title={t('useDefaultTitle')}
      okText={t('useDefault')}
      cancelText={common('cancel')}
      onConfirm={onUse}
      styles={{ root: { maxWidth: 320 } }}
    >
      <Button size="small" type="text" aria-label={t('useDefaultOf', { label })}>
        {t('useDefault')}
      </Button>
    </Popconfirm>
  )
}
