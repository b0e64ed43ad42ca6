import { NEVER_EXPIRES } from '@tidegate/contract/api'
import { Form } from 'antd'
import { useTranslation } from 'react-i18next'
import { moneyRules } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { FormDrawer } from '../../ui/form-drawer.tsx'
import { ExpiryField } from './expiry-field.tsx'
import { GroupField } from './group-field.tsx'
import { NameField } from './name-field.tsx'
import { useCreateToken } from './queries.ts'
import { QuotaFields } from './quota-fields.tsx'
import type { TokenValues } from './token-values.ts'

const INITIAL: Partial<TokenValues> = { name: '', unlimited: false, amount: 1 }

interface Props {
  open: boolean
  onClose(): void
}

export function TokenDrawer({ open, onClose }: Props) {
  const { t } = useTranslation('tokens')
  const [form] = Form.useForm<TokenValues>()
  const creation = useCreateToken()

  const create = ({ name, unlimited, amount, expires, group }: TokenValues) => {
    const { quotaPerUnit } = moneyRules()
    creation.mutate(
      {
        name: name.trim(),
        unlimited_quota: unlimited,
        remain_quota: unlimited ? 0 : Math.round((amount ?? 0) * quotaPerUnit),
        expired_time: expires ? expires.unix() : NEVER_EXPIRES,
        group: group ?? '',
      },
      {
        onSuccess: () => {
          toast.success(t('form.created'))
          onClose()
        },
      },
    )
  }
  return (
    <FormDrawer<TokenValues>
      title={t('form.title')}
      open={open}
      onClose={onClose}
      form={form}
      initialValues={INITIAL}
      onSubmit={create}
      submitting={creation.isPending}
      submitText={t('form.submit')}
    >
      <NameField />
      <QuotaFields />
      <ExpiryField />
      <GroupField />
    </FormDrawer>
  )
}
