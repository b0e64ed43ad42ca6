import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { FormSection } from '../../../ui/form-section.tsx'
import { Form } from '../../../ui/kit/index.ts'
import { useOpenings } from '../../../ui/use-openings.ts'
import { useCreateToken } from '../mutations.ts'
import { AddressField } from './address-field.tsx'
import { CountField } from './count-field.tsx'
import { ExpiryField } from './expiry-field.tsx'
import { GroupField } from './group-field.tsx'
import { ModelFields } from './model-fields.tsx'
import { NameField } from './name-field.tsx'
import { QuotaFields } from './quota-fields.tsx'
import { RateFields } from './rate-fields.tsx'
import { tellRefusal } from './tell-refusal.ts'
import { ThroughputFields } from './throughput-fields.tsx'
import { blankValues, newToken, type NewTokenValues } from './token-values.ts'

interface Props {
  open: boolean
  onClose(): void
}

export default function CreateTokenDrawer(props: Props) {
  return <CreateTokenForm key={useOpenings(props.open)} {...props} />
}

function CreateTokenForm({ open, onClose }: Props) {
  const { t } = useTranslation('tokens')
  const [form] = Form.useForm<NewTokenValues>()
  const [blank] = useState(blankValues)
  const creation = useCreateToken()
  const isUnderWay = useRef(false)
  const create = (values: NewTokenValues) => {
    // Enter can be pressed again before the button shows that it waits.
    if (isUnderWay.current) return
    isUnderWay.current = true
    creation.mutate(newToken({ ...blank, ...values }), {
      onSuccess: () => {
        toast.success(t('form.created'))
        onClose()
      },
      onError: (error) => tellRefusal(form, error),
      onSettled: () => {
        isUnderWay.current = false
      },
    })
  }
  return (
    <FormDrawer<NewTokenValues>
      title={t('form.title')}
      open={open}
      onClose={onClose}
      form={form}
      initialValues={blank}
      onSubmit={create}
      submitting={creation.isPending}
      submitText={t('form.submit')}
      width={520}
    >
      <NameField />
      <CountField />
      <ExpiryField />
      <GroupField isNew />
      <FormSection title={t('form.quotaSection')}>
        <QuotaFields />
      </FormSection>
      <FormSection title={t('form.limitSection')}>
        <ModelFields stored={blank.models} />
        <AddressField />
        <RateFields />
        <ThroughputFields />
      </FormSection>
    </FormDrawer>
  )
}
