import type { ApiToken } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../../lib/call-error.ts'
import { toast } from '../../../lib/toast.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { FormSection } from '../../../ui/form-section.tsx'
import { Form, Skeleton } from '../../../ui/kit/index.ts'
import { useOpenings } from '../../../ui/use-openings.ts'
import { useUpdateToken } from '../mutations.ts'
import { tokenQuery } from '../queries.ts'
import { AddressField } from './address-field.tsx'
import { ExpiryField } from './expiry-field.tsx'
import { GroupField } from './group-field.tsx'
import { ModelFields } from './model-fields.tsx'
import { NameField } from './name-field.tsx'
import { QuotaFields } from './quota-fields.tsx'
import { RateFields } from './rate-fields.tsx'
import { tellRefusal } from './tell-refusal.ts'
import { ThroughputFields } from './throughput-fields.tsx'
import { editOf, valuesOf, type TokenValues } from './token-values.ts'

interface Props {
  open: boolean
  id: number
  onClose(): void
}

/** Edits a token as it is stored now. */
export default function EditTokenDrawer(props: Props) {
  const opening = useOpenings(props.open, props.id)
  return <EditTokenForm key={opening} opening={opening} {...props} />
}

function EditTokenForm({ open, id, onClose, opening }: Props & { opening: number }) {
  const { t } = useTranslation('tokens')
  const { t: common } = useTranslation()
  const [form] = Form.useForm<TokenValues>()
  const stored = useQuery({ ...tokenQuery(id, opening), enabled: open })
  const update = useUpdateToken()
  const token = stored.data
  const save = (values: TokenValues) => {
    if (!token) return
    const edit = editOf(token, { ...valuesOf(token), ...values })
    if (!edit) {
      toast.info(t('form.unchanged'))
      onClose()
      return
    }
    update.mutate(edit, {
      onSuccess: () => {
        toast.success(t('form.saved'))
        onClose()
      },
      onError: (error) => tellRefusal(form, error),
    })
  }
  return (
    <FormDrawer<TokenValues>
      title={token ? t('form.editTitle', { name: token.name }) : t('form.editTitleLoading')}
      open={open}
      onClose={onClose}
      form={form}
      initialValues={token ? valuesOf(token) : {}}
      onSubmit={save}
      submitting={update.isPending}
      submitText={common('save')}
      width={520}
      {...(!token && { placeholder: waiting() })}
    >
      {token && <Fields token={token} />}
    </FormDrawer>
  )

  function waiting() {
    if (!stored.error) return <Skeleton active paragraph={{ rows: 8 }} />
    const isGone = stored.error instanceof CallError && stored.error.code === 'token_not_found'
    return (
      <ErrorState
        title={isGone ? t('form.notFound') : common('errors.loadFailed')}
        error={stored.error}
        retrying={stored.isFetching}
        onRetry={stored.refetch}
      />
    )
  }
}

function Fields({ token }: { token: ApiToken }) {
  const { t } = useTranslation('tokens')
  const { expires, models } = valuesOf(token)
  return (
    <>
      <NameField />
      <ExpiryField stored={expires} />
      <GroupField stored={token.group} />
      <FormSection title={t('form.quotaSection')}>
        <QuotaFields />
      </FormSection>
      <FormSection title={t('form.limitSection')}>
        <ModelFields stored={models} />
        <AddressField />
        <RateFields />
        <ThroughputFields />
      </FormSection>
    </>
  )
}
