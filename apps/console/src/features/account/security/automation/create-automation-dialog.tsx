import { NEVER_EXPIRES, type ScopeChoice } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Form, Input, Select } from '../../../../ui/kit/index.ts'
import { FormDialog } from '../form-dialog.tsx'
import { useCreateAutomationToken } from '../queries.ts'
import { ScopePicker } from './scope-picker.tsx'

interface Values {
  name: string
  scopes: string[]
  days: number
  allow_ips: string
}

interface Props {
  open: boolean
  onClose(): void
  /** What the user can give away. */
  scopes: readonly ScopeChoice[]
  onCreated(token: string): void
}

const NAME_MAXIMUM = 30
const FOREVER = 0
const LIFETIMES = [7, 30, 90, 365, FOREVER]
const DAY = 86_400

export function CreateAutomationDialog({ open, onClose, scopes, onCreated }: Props) {
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
      refusals={{ token_name_invalid: 'name', token_address_invalid: 'allow_ips', scope_unknown: 'scopes' }}
    >
      <Form.Item<Values>
        name="name"
        label={t('automation.name')}
        rules={[{ required: true, whitespace: true, message: t('automation.nameMissing') }]}
      >
        <Input autoComplete="off" maxLength={NAME_MAXIMUM} />
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
