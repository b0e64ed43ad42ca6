import { NEVER_EXPIRES, TOKEN_NAME_MAX_LENGTH, type ScopeChoice } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Button, Checkbox, Form, Input, Select } from '../../../ui/kit/index.ts'
import { FormDialog } from './form-dialog.tsx'
import { useCreateAutomationToken } from './api.ts'
import styles from './security.module.css'

interface Values {
  name: string
  scopes: string[]
  days: number
  allow_ips: string
}

interface CreateAutomationDialogProps {
  open: boolean
  onClose(): void
  /** The scopes that the user can grant. */
  scopes: readonly ScopeChoice[]
  onCreated(token: string): void
}

const FOREVER = 0
const LIFETIMES = [7, 30, 90, 365, FOREVER]
const DAY = 86_400

export function CreateAutomationDialog({ open, onClose, scopes, onCreated }: CreateAutomationDialogProps) {
  const { t } = useTranslation('security')
  const create = useCreateAutomationToken()
  const save = async ({ name, scopes: chosen, days, allow_ips }: Values) => {
    const expired_time = days === FOREVER ? NEVER_EXPIRES : Math.floor(Date.now() / 1000) + days * DAY
    const made = await create.mutateAsync({ name, scopes: chosen, expired_time, allow_ips })
    onClose()
    onCreated(made.token)
  }
  return (
    <FormDialog<Values>
      title={t('automation.create')}
      open={open}
      onClose={onClose}
      width={560}
      initialValues={{ name: '', scopes: [], days: 90, allow_ips: '' }}
      onSubmit={save}
      submitText={t('automation.submit')}
      errors={{ token_name_invalid: 'name', token_address_invalid: 'allow_ips', scope_unknown: 'scopes' }}
    >
      <Form.Item<Values>
        name="name"
        label={t('automation.name')}
        rules={[{ required: true, whitespace: true, message: t('automation.nameMissing') }]}
      >
        <Input autoComplete="off" maxLength={TOKEN_NAME_MAX_LENGTH} />
      </Form.Item>
      <Form.Item<Values>
        name="scopes"
        label={t('automation.scopes')}
        rules={[{ required: true, type: 'array', min: 1, message: t('automation.scopesMissing') }]}
      >
        <ScopePicker choices={scopes} />
      </Form.Item>
      <Form.Item<Values> name="days" label={t('automation.expiry')}>
        <Select
          options={LIFETIMES.map((days) => ({
            value: days,
            label: days === FOREVER ? t('automation.never') : t('automation.days', { count: days }),
          }))}
        />
      </Form.Item>
      <Form.Item<Values> name="allow_ips" label={t('automation.addresses')} extra={t('automation.addressesHint')}>
        <Input.TextArea className="mono" autoSize={{ minRows: 2, maxRows: 6 }} spellCheck={false} />
      </Form.Item>
    </FormDialog>
  )
}

interface ScopePickerProps {
  choices: readonly ScopeChoice[]
  /** Set by the form, like the value. */
  id?: string
  value?: readonly string[]
  onChange?(scopes: string[]): void
}

const NO_SCOPES: readonly string[] = []
const LEVELS = ['read', 'write'] as const
/** Channel keys are secrets, so reading them must be selected explicitly. */
const isPlainRead = ({ scope, area }: ScopeChoice) => scope.endsWith(':read') && area !== 'channel_keys'

/** The scopes of a token: one row per area, with read and write, and two presets. */
function ScopePicker({ choices, id, value = NO_SCOPES, onChange }: ScopePickerProps) {
  const { t } = useTranslation('security')
  const offered = choices.map(({ scope }) => scope)
  const areas = [...new Set(choices.map(({ area }) => area))]
  const toggle = (scope: string, isChecked: boolean) =>
    onChange?.(isChecked ? [...value, scope] : value.filter((other) => other !== scope))
  return (
    <div id={id}>
      <div className={styles.scopePresets}>
        <Button size="small" onClick={() => onChange?.(choices.filter(isPlainRead).map(({ scope }) => scope))}>
          {t('automation.readAll')}
        </Button>
        <Button size="small" onClick={() => onChange?.(offered)}>
          {t('automation.all')}
        </Button>
        <Button size="small" type="text" disabled={value.length === 0} onClick={() => onChange?.([])}>
          {t('automation.clear')}
        </Button>
      </div>
      <div className={styles.scopes}>
        {areas.map((area) => (
          <fieldset key={area} className={styles.scope} aria-label={t(`automation.areas.${area}`)}>
            <span className={styles.scopeName}>{t(`automation.areas.${area}`)}</span>
            {LEVELS.map((level) => {
              const scope = `${area}:${level}`
              return offered.includes(scope) ? (
                <Checkbox
                  key={level}
                  className={styles.scopeLevel}
                  checked={value.includes(scope)}
                  onChange={(event) => toggle(scope, event.target.checked)}
                >
                  {t(`automation.${level}`)}
                </Checkbox>
              ) : (
                <span key={level} className={styles.scopeLevel} />
              )
            })}
          </fieldset>
        ))}
      </div>
    </div>
  )
}
